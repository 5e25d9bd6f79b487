package io.sedge.site.internal.exchange;

import static java.util.Objects.requireNonNull;

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
import io.sedge.division.Fragments;
import io.sedge.engine.codec.RowsCodec;
import io.sedge.engine.plan.Plan;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.SiteState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * The connectors of tables that are in the ledger, for one task. What the task writes becomes rows
 * of its next commit; what it reads are rows that tasks of its job have committed.
 */
public final class LedgerTables {
  /** The connector of the job's own sinks in tasks that commit rows for them. */
  public static final String COMMIT = "commit";

  private LedgerTables() {}

  /** A connector whose sinks take everything: their rows are in the task's commits. */
  public static ConnectorFactory commit() {
    return new Tables(
        COMMIT,
        (table, _) -> {
          throw new IllegalStateException("table %s is not read".formatted(table.name()));
        });
  }

  /**
   * The exchange of a job, to be written and read.
   *
   * @param producers of each exchange table that the task reads; empty for one that only writes
   * @param plan of the task
   * @param current whether the task is still the one that was started
   * @param capacity for what the task keeps
   */
  public static ConnectorFactory exchange(
      Ledger ledger,
      String job,
      Map<String, Producers> producers,
      Plan plan,
      Predicate<SiteState> current,
      ExchangeCapacity capacity) {
    Acknowledgements acknowledgements =
        new Acknowledgements(ledger, job, Channel.EXCHANGE, producers.keySet(), current);
    Map<String, Alignment> alignments = Alignment.of(plan, producers.keySet(), capacity);
    return new Tables(
        Fragments.EXCHANGE,
        (table, wakeUp) ->
            new ExchangeReader(
                table.name(),
                new RowsCodec(table.schema()),
                new BlockCursor(ledger, job, Channel.EXCHANGE, current, wakeUp),
                requireNonNull(producers.get(table.name()), table.name()),
                acknowledgements,
                Optional.ofNullable(alignments.get(table.name()))));
  }

  /**
   * A connector of such tables.
   *
   * @param readers opens a table's reader, which calls what it is given when there may be rows
   */
  record Tables(String name, BiFunction<TableDescriptor, Runnable, SourceReader> readers)
      implements ConnectorFactory {
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
              return false;
            }

            @Override
            public SourceReader open() {
              return readers.apply(table, context::wakeUp);
            }
          });
    }

    @Override
    public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
      return Optional.of(CommitSinkFactory.INSTANCE);
    }
  }

  private enum CommitSinkFactory implements SinkFactory {
    INSTANCE;

    @Override
    public ChangelogMode changelogMode() {
      return ChangelogMode.ALL;
    }

    /** What a commit holds is in the ledger once. */
    @Override
    public Guarantee guarantee() {
      return Guarantee.EXACTLY_ONCE;
    }

    @Override
    public Sink open(Delivery delivery) {
      return new CommitSink();
    }
  }

  private static final class CommitSink implements Sink {
    private long taken;

    @Override
    public boolean offer(NumberedBatch batch) {
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
