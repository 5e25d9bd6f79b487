package io.sedge.site.internal.exchange;

import static java.util.Objects.requireNonNull;

import io.sedge.connector.Awaited;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Delivery;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.codec.RowsCodec;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Job;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.OrderState;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.TaskId;
import io.sedge.task.RowNumbers;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * The committed rows of a job's sink tables, for the task that delivers them, with the sequences
 * that the ledger gave them. The recovery point is what this device's ledger knows as acknowledged
 * now; acknowledgements that are on their way make it no more than early.
 */
public final class Outbox implements RowNumbers {
  /** The connector of the job's own sinks as that task reads them. */
  public static final String CONNECTOR = "outbox";

  private final Ledger ledger;
  private final String site;
  private final TaskId task;
  private final long upTo;
  private final BooleanSupplier ended;
  private final InstantSource clock;
  private final Predicate<SiteState> current;
  private final Acknowledgements acknowledgements;
  private final long firstRow;
  private final long acknowledged;
  private final Map<String, OutboxReader> readers = new ConcurrentHashMap<>();

  /**
   * @param site the site's name among all
   * @param task that delivers
   * @param current whether that is still the one that was started
   * @param tables all sink tables of the job
   * @param upTo the sequence of the last row that it is for; {@link Long#MAX_VALUE} for all
   * @param ended whether no more rows will be committed, or all that it is for have been
   * @param clock tells when the time of an order is over
   */
  public Outbox(
      Ledger ledger,
      String site,
      TaskId task,
      Predicate<SiteState> current,
      Set<String> tables,
      long upTo,
      BooleanSupplier ended,
      InstantSource clock) {
    this.ledger = ledger;
    this.site = site;
    this.task = task;
    this.current = current;
    this.upTo = upTo;
    this.ended = ended;
    this.clock = clock;
    this.acknowledgements =
        new Acknowledgements(ledger, task.job(), Channel.OUTBOX, tables, current);
    Optional<Job> job = ledger.read(state -> state.job(task.job()));
    this.firstRow = job.map(Job::firstRow).orElse(1L);
    this.acknowledged = job.map(Job::acknowledgedRow).orElse(0L);
  }

  /** The connector of its tables. */
  public ConnectorFactory connector() {
    return new LedgerTables.Tables(CONNECTOR, this::open);
  }

  private OutboxReader open(TableDescriptor table, Runnable wakeUp) {
    OutboxReader reader =
        new OutboxReader(
            table.name(),
            new RowsCodec(table.schema()),
            new BlockCursor(ledger, task.job(), Channel.OUTBOX, current, wakeUp),
            acknowledgements,
            acknowledged,
            upTo,
            ended,
            this::order);
    readers.put(table.name(), reader);
    return reader;
  }

  /**
   * An order whose row was taken in and has not been written, as far as the ledger knows, and whose
   * table is still allowed.
   */
  private Optional<OrderRow> order(long sequence) {
    Optional<OrderRow> row =
        ledger
            .read(state -> state.order(task.job(), sequence))
            .filter(order -> order.state() == OrderState.ACCEPTED)
            .map(order -> new OrderRow(ledger, order, order.row().orElseThrow(), clock));
    if (row.isPresent() && !ledger.read(row.get()::isAllowed)) {
      row.get().failed("the site does not allow it any more");
      return Optional.empty();
    }
    return row;
  }

  @Override
  public Optional<Awaited> awaited(String table) {
    return requireNonNull(readers.get(table), table).awaited().map(row -> row);
  }

  @Override
  public Delivery delivery(String table) {
    Delivery.Writer writer = new Delivery.Writer(site, task.job(), task.shard(), table);
    return Delivery.of(writer, firstRow, acknowledged);
  }

  @Override
  public long first(String table) {
    return requireNonNull(readers.get(table), table).first();
  }
}
