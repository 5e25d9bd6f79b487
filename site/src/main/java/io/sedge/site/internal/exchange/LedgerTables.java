package io.sedge.site.internal.exchange;

import static java.util.Objects.requireNonNull;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Option;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.division.Fragments;
import io.sedge.engine.codec.RowsCodec;
import io.sedge.engine.column.Batch;
import io.sedge.engine.plan.Plan;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Job;
import io.sedge.ledger.Ledger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;

/**
 * The connectors of tables that are in the ledger, for one task. What the task writes becomes rows
 * of its next commit; what it reads are rows that tasks of its job have committed.
 */
public final class LedgerTables {
  /** The connector of the job's own sinks in tasks that commit rows for them. */
  public static final String COMMIT = "commit";

  /** The connector of the job's own sinks as the task reads them that delivers their rows. */
  public static final String OUTBOX = "outbox";

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
   * @param room for what the task keeps
   */
  public static ConnectorFactory exchange(
      Ledger ledger, String job, Map<String, Producers> producers, Plan plan, Room room) {
    Acknowledgements acknowledgements =
        new Acknowledgements(ledger, job, Channel.EXCHANGE, producers.keySet());
    Map<String, Alignment> alignments = Alignment.of(plan, producers.keySet(), room);
    return new Tables(
        Fragments.EXCHANGE,
        (table, wakeUp) ->
            new ExchangeReader(
                table.name(),
                new RowsCodec(table.schema()),
                new BlockCursor(ledger, job, Channel.EXCHANGE, wakeUp),
                requireNonNull(producers.get(table.name()), table.name()),
                acknowledgements,
                Optional.ofNullable(alignments.get(table.name()))));
  }

  /**
   * The committed rows of a job's sink tables.
   *
   * @param tables all of them
   * @param ended whether no more rows will be committed
   */
  public static ConnectorFactory outbox(
      Ledger ledger, String job, Set<String> tables, BooleanSupplier ended) {
    Acknowledgements acknowledgements = new Acknowledgements(ledger, job, Channel.OUTBOX, tables);
    long after = ledger.read(state -> state.job(job).map(Job::acknowledgedRow).orElse(0L));
    return new Tables(
        OUTBOX,
        (table, wakeUp) ->
            new OutboxReader(
                table.name(),
                new RowsCodec(table.schema()),
                new BlockCursor(ledger, job, Channel.OUTBOX, wakeUp),
                acknowledgements,
                after,
                ended));
  }

  /**
   * A connector of such tables.
   *
   * @param readers opens a table's reader, which calls what it is given when there may be rows
   */
  private record Tables(String name, BiFunction<TableDescriptor, Runnable, SourceReader> readers)
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
    public boolean acceptsUpdates() {
      return true;
    }

    @Override
    public Sink open() {
      return new CommitSink();
    }
  }

  private static final class CommitSink implements Sink {
    @Override
    public boolean offer(Batch batch) {
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
