package io.sedge.site.internal.exchange;

import io.sedge.connector.SourceCounters;
import io.sedge.connector.SourceReader;
import io.sedge.engine.column.Batch;
import io.sedge.ledger.RowBlock;
import io.sedge.site.Progress;
import io.sedge.site.RowsCodec;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the tasks of a job give to one of its exchange tables, in the ledger's order. Its
 * watermark is the least of all those tasks that are not idle; one that has not given anything yet
 * holds it back.
 */
final class ExchangeReader implements SourceReader {
  private final String table;
  private final RowsCodec codec;
  private final BlockCursor cursor;
  private final Producers producers;
  private final Acknowledgements acknowledgements;
  private final SortedMap<String, Progress> progress = new TreeMap<>();

  /** Of the block in hand: what has not been given out. */
  private final Deque<Batch> batches = new ArrayDeque<>();

  private String producer = "";
  private Progress reached = Progress.NONE;
  private long sequence;

  /** Of the block that is read now: rows are not numbered from 1 after a job was removed. */
  private long opened;

  private int given;
  private long watermark = Long.MIN_VALUE;
  private boolean idle;

  /** The producers that watermark and idleness were told from, unless progress has changed. */
  private List<String> known = List.of();

  private long readings;
  private long bytes;

  ExchangeReader(
      String table,
      RowsCodec codec,
      BlockCursor cursor,
      Producers producers,
      Acknowledgements acknowledgements) {
    this.table = table;
    this.codec = codec;
    this.cursor = cursor;
    this.producers = producers;
    this.acknowledgements = acknowledgements;
  }

  /** Gives nothing after the end of a block until its watermark has been asked for. */
  @Override
  public @Nullable Batch poll(long nowNanos) {
    while (batches.isEmpty()) {
      RowBlock next = cursor.next();
      if (next == null) {
        if (!producers.shards().equals(known)) {
          refresh();
        }
        acknowledgements.retry();
        return null;
      }
      if (next.rows().table().equals(table)) {
        open(next);
      } else {
        sequence = next.last();
      }
    }
    Batch next = batches.removeFirst();
    given++;
    readings += next.rows();
    if (batches.isEmpty()) {
      finishBlock();
    }
    return next;
  }

  private void open(RowBlock next) {
    ExchangeBlock block = ExchangeBlock.decode(codec, next.rows().bytes());
    bytes += next.rows().bytes().length;
    producer = next.task().shard();
    opened = next.last();
    reached = block.progress();
    // Those before were read before this reader was made.
    batches.addAll(block.batches().subList(given, block.batches().size()));
    if (batches.isEmpty()) {
      finishBlock();
    }
  }

  private void finishBlock() {
    // A task that was started anew does not know at first how far it had come.
    progress.merge(producer, reached, Progress::then);
    sequence = opened;
    given = 0;
    refresh();
  }

  private void refresh() {
    long least = Long.MAX_VALUE;
    boolean active = false;
    List<String> shards = producers.shards();
    known = shards;
    boolean all = !shards.isEmpty();
    for (String shard : shards) {
      Progress its = progress.getOrDefault(shard, Progress.NONE);
      boolean ended = its.watermark() == Long.MAX_VALUE;
      all &= ended;
      if (!ended && !its.idle()) {
        least = Math.min(least, its.watermark());
        active = true;
      }
    }
    idle = !active && !all && !shards.isEmpty();
    if (active || all) {
      watermark = Math.max(watermark, least);
    }
  }

  @Override
  public long watermark() {
    return watermark;
  }

  @Override
  public boolean isIdle() {
    return idle;
  }

  @Override
  public boolean finished() {
    return watermark == Long.MAX_VALUE && batches.isEmpty() && !cursor.hasFetched();
  }

  @Override
  public byte[] position() {
    return new ExchangePosition(sequence, given, progress).encode();
  }

  @Override
  public void seek(byte[] position) {
    ExchangePosition at = ExchangePosition.decode(position);
    sequence = at.sequence();
    given = at.batches();
    progress.putAll(at.producers());
    cursor.seek(sequence);
    refresh();
    acknowledgements.acknowledged(table, sequence);
  }

  @Override
  public void acknowledge(byte[] position) {
    acknowledgements.acknowledged(table, ExchangePosition.decode(position).sequence());
  }

  /** A block without rows counts too, by its bytes, so that it is committed and can go. */
  @Override
  public SourceCounters counters() {
    return new SourceCounters(readings, bytes, 0, 0);
  }

  @Override
  public void close() {}
}
