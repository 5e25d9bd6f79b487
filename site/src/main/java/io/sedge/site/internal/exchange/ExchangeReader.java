package io.sedge.site.internal.exchange;

import io.sedge.connector.SourceCounters;
import io.sedge.engine.codec.RowsCodec;
import io.sedge.engine.column.Batch;
import io.sedge.ledger.RowBlock;
import io.sedge.task.HeldReader;
import io.sedge.task.Progress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the tasks of a job give to one of its exchange tables. Its watermark is the least of
 * all those tasks that are not idle; one that has not given anything yet holds it back.
 *
 * <p>Blocks of one task are taken in its order. Which task is next is free, as among the partitions
 * of a source: where rows wait for a watermark, the one that holds it back, so that as few rows as
 * can be wait, and no other while the {@link Alignment} says so; else the one that was first. What
 * is not taken yet is the ledger's, and takes no memory here.
 */
final class ExchangeReader implements HeldReader {
  private final String table;
  private final RowsCodec codec;
  private final BlockCursor cursor;
  private final Producers producers;
  private final Acknowledgements acknowledgements;
  private final Optional<Alignment> alignment;
  private final SortedMap<String, Lane> lanes = new TreeMap<>();

  /** Of the block in hand: what has not been given out. */
  private final Deque<Batch> batches = new ArrayDeque<>();

  /** Whose block is in hand, or will be; empty for none, or for whichever is first. */
  private String inHand = "";

  private Progress reached = Progress.NONE;

  /** Sequence up to which blocks are in their lanes. */
  private long seen;

  private int given;
  private long watermark = Long.MIN_VALUE;
  private boolean idle;

  /** The least watermark of the tasks that hold it back. */
  private long least = Long.MIN_VALUE;

  /** The first of them. */
  private String slowest = "";

  /** Whether rows were at hand that were not taken since they are ahead. */
  private boolean waits;

  /** Where these begin. */
  private long ahead;

  /** The producers that watermark and idleness were told from, unless progress has changed. */
  private Producers.Known known = Producers.Known.NONE;

  private long readings;
  private long bytes;

  /** What one task gives. */
  private static final class Lane {
    /** How far it had come in what was read. */
    Progress progress = Progress.NONE;

    /** What has not been read whole, in order. */
    final Deque<RowBlock> blocks = new ArrayDeque<>();

    /** Sequence up to which its blocks were read before this reader was made. */
    long passed;

    long taken(long seen) {
      RowBlock next = blocks.peekFirst();
      return next == null ? Math.max(passed, seen) : next.sequence() - 1;
    }
  }

  /**
   * @param alignment empty if no row waits for the watermark
   */
  ExchangeReader(
      String table,
      RowsCodec codec,
      BlockCursor cursor,
      Producers producers,
      Acknowledgements acknowledgements,
      Optional<Alignment> alignment) {
    this.table = table;
    this.codec = codec;
    this.cursor = cursor;
    this.producers = producers;
    this.acknowledgements = acknowledgements;
    this.alignment = alignment;
    alignment.ifPresent(its -> its.add(this));
  }

  /** Gives nothing after the end of a block until its watermark has been asked for. */
  @Override
  public @Nullable Batch poll(long nowNanos) {
    while (batches.isEmpty()) {
      gather();
      if (!producers.known().equals(known)) {
        refresh();
      }
      String next = next(nowNanos);
      if (next == null) {
        acknowledgements.retry();
        return null;
      }
      open(next);
    }
    Batch next = batches.removeFirst();
    given++;
    readings += next.rows();
    if (batches.isEmpty()) {
      finishBlock();
    }
    return next;
  }

  /** Puts new blocks into their lanes. */
  private void gather() {
    for (RowBlock next = cursor.next(); next != null; next = cursor.next()) {
      seen = Math.max(seen, next.last());
      if (next.rows().table().equals(table)) {
        Lane lane = lane(next.task().shard());
        if (next.last() > lane.passed) {
          lane.blocks.add(next);
        }
      }
    }
  }

  private Lane lane(String shard) {
    return lanes.computeIfAbsent(shard, _ -> new Lane());
  }

  /** The task whose block is to be read next; null if there is none, or none is to be read now. */
  private @Nullable String next(long nowNanos) {
    waits = false;
    if (!inHand.isEmpty()) {
      return lane(inHand).blocks.isEmpty() ? null : inHand;
    }
    String best = null;
    Lane bestLane = null;
    for (Map.Entry<String, Lane> entry : lanes.entrySet()) {
      Lane lane = entry.getValue();
      if (!lane.blocks.isEmpty() && (bestLane == null || isBefore(lane, bestLane))) {
        best = entry.getKey();
        bestLane = lane;
      }
    }
    if (bestLane == null || !isAligned()) {
      return best;
    }
    ahead = bestLane.progress.watermark();
    waits = !alignment.orElseThrow().takes(ahead, nowNanos);
    return waits ? null : best;
  }

  /** A block of which a reader of version 1 has read some is the first in the ledger's order. */
  private boolean isAligned() {
    return alignment.isPresent() && given == 0;
  }

  private boolean isBefore(Lane lane, Lane other) {
    if (isAligned() && lane.progress.watermark() != other.progress.watermark()) {
      return lane.progress.watermark() < other.progress.watermark();
    }
    return lane.blocks.getFirst().sequence() < other.blocks.getFirst().sequence();
  }

  private void open(String shard) {
    RowBlock next = lane(shard).blocks.getFirst();
    ExchangeBlock block = ExchangeBlock.decode(codec, next.rows().bytes());
    bytes += next.rows().bytes().length;
    inHand = shard;
    reached = block.progress();
    // Those before were read before this reader was made.
    batches.addAll(block.batches().subList(given, block.batches().size()));
    if (batches.isEmpty()) {
      finishBlock();
    }
  }

  private void finishBlock() {
    Lane lane = lane(inHand);
    // A task that was started anew does not know at first how far it had come.
    lane.progress = lane.progress.then(reached);
    lane.blocks.removeFirst();
    inHand = "";
    given = 0;
    refresh();
  }

  private void refresh() {
    boolean active = false;
    known = producers.known();
    List<String> shards = known.shards();
    least = Long.MAX_VALUE;
    slowest = "";
    boolean all =
        !shards.isEmpty()
            && known.away().stream().map(this::progress).allMatch(ExchangeReader::hasEnded);
    for (String shard : shards) {
      Progress its = progress(shard);
      boolean ended = hasEnded(its);
      all &= ended;
      if (!ended && !its.idle()) {
        if (!active || its.watermark() < least) {
          least = its.watermark();
          slowest = shard;
        }
        active = true;
      }
    }
    idle = !active && !all && !shards.isEmpty();
    if (active || all) {
      watermark = Math.max(watermark, least);
    }
  }

  private Progress progress(String shard) {
    Lane lane = lanes.get(shard);
    return lane == null ? Progress.NONE : lane.progress;
  }

  /** Whether the last row was given. */
  private static boolean hasEnded(Progress progress) {
    return progress.watermark() == Long.MAX_VALUE;
  }

  /** The least watermark of the tasks that hold it back; {@link Long#MAX_VALUE} if none does. */
  long least() {
    return least;
  }

  @Override
  public boolean isHeld() {
    return waits;
  }

  @Override
  public String waitsFor() {
    return waits
        ? "%s; readings of other tasks, from %s on, wait for it"
            .formatted(alignment.orElseThrow().slowest().slowestText(), EventTimes.text(ahead))
        : "";
  }

  private String slowestText() {
    return least == Long.MIN_VALUE
        ? "task %s has given nothing to merge yet".formatted(slowest)
        : "task %s has come to %s".formatted(slowest, EventTimes.text(least));
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
    return watermark == Long.MAX_VALUE
        && batches.isEmpty()
        && !cursor.hasFetched()
        && lanes.values().stream().allMatch(lane -> lane.blocks.isEmpty());
  }

  @Override
  public long idlePollNanos() {
    return Long.MAX_VALUE;
  }

  @Override
  public byte[] position() {
    return at().encode();
  }

  private ExchangePosition at() {
    SortedMap<String, ExchangePosition.Lane> read = new TreeMap<>();
    lanes.forEach(
        (shard, lane) ->
            read.put(shard, new ExchangePosition.Lane(lane.progress, lane.taken(seen))));
    return new ExchangePosition(seen, inHand, given, read);
  }

  @Override
  public void seek(byte[] position) {
    ExchangePosition at = ExchangePosition.decode(position);
    seen = at.sequence(); // What was seen beyond it will be seen again.
    inHand = at.inHand();
    given = at.batches();
    at.lanes()
        .forEach(
            (shard, read) -> {
              Lane lane = lane(shard);
              lane.progress = read.progress();
              lane.passed = read.taken();
            });
    cursor.seek(at.sequence());
    refresh();
    acknowledgements.acknowledged(table, at);
  }

  @Override
  public void acknowledge(byte[] position) {
    acknowledgements.acknowledged(table, ExchangePosition.decode(position));
  }

  /** A block without rows counts too, by its bytes, so that it is committed and can go. */
  @Override
  public SourceCounters counters() {
    return new SourceCounters(readings, bytes, 0, 0);
  }

  @Override
  public void close() {}
}
