package io.sedge.bench.peers;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Delivery;
import io.sedge.connector.Guarantee;
import io.sedge.connector.NumberedBatch;
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
          public ChangelogMode changelogMode() {
            return ChangelogMode.INSERT_ONLY;
          }

          @Override
          public Guarantee guarantee() {
            return Guarantee.AT_LEAST_ONCE;
          }

          @Override
          public Sink open(Delivery delivery) {
            return new Results(results);
          }
        });
  }

  /** Hands batches on. */
  private static final class Results implements Sink {
    private final Consumer<Batch> results;
    private long taken;

    Results(Consumer<Batch> results) {
      this.results = results;
    }

    @Override
    public boolean offer(NumberedBatch batch) {
      results.accept(batch.batch());
      taken = batch.last();
      return true;
    }

    @Override
    public long flush() {
      return taken;
    }

    @Override
    public long bytes() {
      return 0;
    }

    @Override
    public void close() {}
  }
}
