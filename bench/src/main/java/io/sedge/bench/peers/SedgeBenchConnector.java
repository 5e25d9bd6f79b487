package io.sedge.bench.peers;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Option;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.column.Batch;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** The source of the workloads' readings and the sink of their results. */
public final class SedgeBenchConnector implements ConnectorFactory {
  private final BiFunction<TableDescriptor, ConnectorContext, SourceReader> readers;
  private final Consumer<Batch> results;

  SedgeBenchConnector(
      BiFunction<TableDescriptor, ConnectorContext, SourceReader> readers,
      Consumer<Batch> results) {
    this.readers = readers;
    this.results = results;
  }

  /** The sink alone. */
  public static ConnectorFactory sink(Consumer<Batch> results) {
    return new SedgeBenchConnector(
        (_, _) -> {
          throw new IllegalStateException("there is no source");
        },
        results);
  }

  @Override
  public String name() {
    return "bench";
  }

  @Override
  public List<Option> options() {
    return List.of();
  }

  @Override
  public Optional<Source> source(TableDescriptor table, ConnectorContext context) {
    return Optional.of(
        new Source() {
          @Override
          public boolean bounded() {
            return true;
          }

          @Override
          public SourceReader open() {
            return readers.apply(table, context);
          }
        });
  }

  @Override
  public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
    return Optional.of(
        new SinkFactory() {
          @Override
          public boolean acceptsUpdates() {
            return false;
          }

          @Override
          public Sink open() {
            return new Results(results);
          }
        });
  }

  /** Hands batches on. */
  private record Results(Consumer<Batch> results) implements Sink {
    @Override
    public boolean offer(Batch batch) {
      results.accept(batch);
      return true;
    }

    @Override
    public boolean flush() {
      return true;
    }

    @Override
    public long bytes() {
      return 0;
    }

    @Override
    public void close() {}
  }
}
