package io.sedge.sql;

import static io.sedge.connector.ChangelogMode.ALL;
import static io.sedge.connector.ChangelogMode.INSERT_ONLY;
import static io.sedge.connector.ChangelogMode.UPSERT;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Delivery;
import io.sedge.connector.Guarantee;
import io.sedge.connector.Option;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.TimeBounds;
import io.sedge.engine.type.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A connector of tables that tests fill and read themselves.
 *
 * @param reads whether it has sources
 * @param writes whether it has sinks
 * @param updates which changes those take
 * @param bounded whether its sources end, and make use of bounds
 */
record MemoryConnector(
    String name, boolean reads, boolean writes, ChangelogMode updates, boolean bounded)
    implements ConnectorFactory {

  /** One of each kind, by name. */
  static Map<String, ConnectorFactory> all() {
    return Map.of(
        "memory", new MemoryConnector("memory", true, true, INSERT_ONLY, true),
        "stream", new MemoryConnector("stream", true, false, INSERT_ONLY, false),
        "board", new MemoryConnector("board", false, true, ALL, false),
        "shelf", new MemoryConnector("shelf", false, true, UPSERT, false));
  }

  @Override
  public List<Option> options() {
    return List.of(
        Option.optional("path", Option.Kind.STRING, "Where it is."),
        Option.withDefault("rate", Option.Kind.INTEGER, "10", "How fast it is."),
        Option.choice("mode", "fast", List.of("fast", "slow"), "How it goes."));
  }

  @Override
  public Map<String, Type> metadata() {
    return Map.of("timestamp", Type.timestamp(3));
  }

  @Override
  public Optional<Source> source(TableDescriptor table, ConnectorContext context) {
    return reads ? Optional.of(new MemorySource(bounded)) : Optional.empty();
  }

  @Override
  public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
    return writes ? Optional.of(new MemorySink(updates)) : Optional.empty();
  }

  private record MemorySource(boolean bounded) implements Source {
    @Override
    public Optional<Source> between(TimeBounds bounds) {
      return bounded ? Optional.of(this) : Optional.empty();
    }

    @Override
    public SourceReader open() {
      throw new UnsupportedOperationException("tests offer rows to the pipeline");
    }
  }

  private record MemorySink(ChangelogMode changelogMode) implements SinkFactory {
    @Override
    public Guarantee guarantee() {
      return Guarantee.AT_LEAST_ONCE;
    }

    @Override
    public Sink open(Delivery delivery) {
      throw new UnsupportedOperationException("tests take rows from the pipeline");
    }
  }
}
