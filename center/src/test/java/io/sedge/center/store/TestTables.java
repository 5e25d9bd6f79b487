package io.sedge.center.store;

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
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tables of sites and of a center as scripts name them; nothing of them is opened. */
record TestTables(String name) implements ConnectorFactory {
  static Map<String, ConnectorFactory> all() {
    return Map.of("plant", new TestTables("plant"), "center", new TestTables("center"));
  }

  @Override
  public List<Option> options() {
    return List.of(Option.optional("table-name", Option.Kind.STRING, "Where rows go."));
  }

  @Override
  public Optional<Source> source(TableDescriptor table, ConnectorContext context) {
    return Optional.of(
        new Source() {
          @Override
          public boolean bounded() {
            return false;
          }

          @Override
          public SourceReader open() {
            throw new UnsupportedOperationException("a test offers the rows itself");
          }
        });
  }

  @Override
  public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
    return Optional.of(
        new SinkFactory() {
          @Override
          public ChangelogMode changelogMode() {
            return ChangelogMode.ALL;
          }

          @Override
          public Guarantee guarantee() {
            return Guarantee.EXACTLY_ONCE;
          }

          @Override
          public Sink open(Delivery delivery) {
            throw new UnsupportedOperationException("a test takes the rows itself");
          }
        });
  }
}
