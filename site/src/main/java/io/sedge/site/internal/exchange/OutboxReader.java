package io.sedge.site.internal.exchange;

import io.sedge.connector.SourceCounters;
import io.sedge.connector.SourceReader;
import io.sedge.engine.codec.RowsCodec;
import io.sedge.engine.column.Batch;
import io.sedge.ledger.RowBlock;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Reads the committed rows of one of a job's sink tables, so that they are delivered. */
final class OutboxReader implements SourceReader {
  private final String table;
  private final RowsCodec codec;
  private final BlockCursor cursor;
  private final Acknowledgements acknowledgements;
  private final long upTo;
  private final BooleanSupplier ended;
  private long sequence;
  private long first;
  private long readings;
  private long bytes;
  private boolean finished;

  /**
   * @param after the sequence up to which rows are delivered
   * @param upTo the sequence of the last row that is taken
   * @param ended whether no more rows will be committed, or all that are taken have been
   */
  OutboxReader(
      String table,
      RowsCodec codec,
      BlockCursor cursor,
      Acknowledgements acknowledgements,
      long after,
      long upTo,
      BooleanSupplier ended) {
    this.table = table;
    this.codec = codec;
    this.cursor = cursor;
    this.acknowledgements = acknowledgements;
    this.sequence = after;
    this.upTo = upTo;
    this.ended = ended;
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
      if (next.rows().table().equals(table)) {
        first = next.sequence();
        readings += next.rows().count();
        return codec.decode(next.rows().count(), next.rows().bytes());
      }
      next = cursor.next();
    }
    return null;
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
    acknowledgements.acknowledged(table, ByteBuffer.wrap(position).getLong());
  }

  /** Rows of other tables count too, by their bytes: they are committed and can go. */
  @Override
  public SourceCounters counters() {
    return new SourceCounters(readings, bytes, 0, 0);
  }

  @Override
  public void close() {}
}
