package io.sedge.site.internal.exchange;

import io.sedge.connector.SourceCounters;
import io.sedge.connector.SourceReader;
import io.sedge.engine.codec.RowsCodec;
import io.sedge.engine.column.Batch;
import io.sedge.ledger.Order;
import io.sedge.ledger.RowBlock;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Reads the committed rows of one of a job's sink tables, so that they are delivered. */
final class OutboxReader implements SourceReader {
  private final String table;
  private final RowsCodec codec;
  private final BlockCursor cursor;
  private final Acknowledgements acknowledgements;
  private final long upTo;
  private final BooleanSupplier ended;
  private final LongFunction<Optional<OrderRow>> orders;

  /** Rows of orders that were given and not acknowledged; as many as orders may be open. */
  private final Queue<OrderRow> given = new ArrayDeque<>();

  private Optional<OrderRow> awaited = Optional.empty();
  private long sequence;
  private long first;
  private long readings;
  private long bytes;
  private boolean finished;

  /**
   * @param after the sequence up to which rows are delivered
   * @param upTo the sequence of the last row that is taken
   * @param ended whether no more rows will be committed, or all that are taken have been
   * @param orders the row of an order that is to be written still, by its sequence
   */
  OutboxReader(
      String table,
      RowsCodec codec,
      BlockCursor cursor,
      Acknowledgements acknowledgements,
      long after,
      long upTo,
      BooleanSupplier ended,
      LongFunction<Optional<OrderRow>> orders) {
    this.table = table;
    this.codec = codec;
    this.cursor = cursor;
    this.acknowledgements = acknowledgements;
    this.sequence = after;
    this.upTo = upTo;
    this.ended = ended;
    this.orders = orders;
    cursor.seek(after);
  }

  @Override
  public @Nullable Batch poll(long nowNanos) {
    Batch batch = next();
    if (batch == null && ended.getAsBoolean()) {
      // What was committed before the end is there now, if it was not before.
      batch = next();
      finished = batch == null;
    }
    if (batch == null) {
      acknowledgements.retry();
    }
    return batch;
  }

  /** The next rows of the table, or null if there are none yet. */
  private @Nullable Batch next() {
    RowBlock next = cursor.next();
    while (next != null && next.last() <= upTo) {
      sequence = next.last();
      bytes += next.rows().bytes().length;
      awaited = Optional.empty();
      if (next.rows().table().equals(table) && isToBeWritten(next)) {
        first = next.sequence();
        readings += next.rows().count();
        return codec.decode(next.rows().count(), next.rows().bytes());
      }
      next = cursor.next();
    }
    return null;
  }

  /**
   * Whether a block is no order's, or that of one that is not done and whose time is not over. An
   * order that was written is not written again, though other tables of the job hold up the
   * acknowledgement of its row.
   */
  private boolean isToBeWritten(RowBlock block) {
    if (!block.task().shard().equals(Order.SHARD)) {
      return true;
    }
    Optional<OrderRow> row = orders.apply(block.sequence());
    if (row.isPresent() && row.get().isOver()) {
      row.get().expired("");
      return false;
    }
    row.ifPresent(given::add);
    awaited = row;
    return row.isPresent();
  }

  /** Who waits for the batch that it gave last. */
  Optional<OrderRow> awaited() {
    return awaited;
  }

  /** The sequence of the first row of the batch that it gave last. */
  long first() {
    return first;
  }

  @Override
  public boolean finished() {
    return finished;
  }

  @Override
  public long idlePollNanos() {
    return Long.MAX_VALUE;
  }

  @Override
  public byte[] position() {
    return ByteBuffer.allocate(Long.BYTES).putLong(sequence).array();
  }

  @Override
  public void seek(byte[] position) {
    throw new UnsupportedOperationException("the ledger knows what is delivered");
  }

  @Override
  public void acknowledge(byte[] position) {
    long upTo = ByteBuffer.wrap(position).getLong();
    while (!given.isEmpty() && given.peek().sequence() <= upTo) {
      given.remove().written();
    }
    acknowledgements.acknowledged(table, upTo);
  }

  /** Rows of other tables count too, by their bytes: they are committed and can go. */
  @Override
  public SourceCounters counters() {
    return new SourceCounters(readings, bytes, 0, 0);
  }

  @Override
  public void close() {}
}
