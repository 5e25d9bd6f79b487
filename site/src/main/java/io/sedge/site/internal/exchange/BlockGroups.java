package io.sedge.site.internal.exchange;

import io.sedge.engine.column.Batch;
import io.sedge.ledger.Answer;
import io.sedge.ledger.Format;
import io.sedge.ledger.Order;
import io.sedge.ledger.RowBlock;
import io.sedge.ledger.SiteState;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Which blocks of a table its sink gets together, where a write is dear: a request to a server. A
 * group that was given must be the same for whoever delivers next, since the sink tells by it what
 * the far end may have already. So a group is in the ledger before its first block is given, and
 * nothing that may have been given before is put into one.
 *
 * <p>Nobody waits for that while nothing waits: a block is given alone as it comes. Then those that
 * wait behind it, if there are any, become groups while the sink is busy with it; once in {@code
 * gapNanos} at most. A deliverer gives {@value #MOST_ALONE} blocks alone, at most, past what the
 * ledger knows as delivered. So the next one knows which ones these may be: the first so many that
 * are in no group, of those that are there when it begins. One that lives on sees none that came
 * later: before that it sees that its time is over.
 *
 * <p>Blocks of orders are always alone, and count for nothing. The task's thread alone.
 */
final class BlockGroups {
  /** So many blocks are given alone before some of them are known as delivered. */
  static final int MOST_ALONE = 256;

  /** Groups that the ledger keeps of a table. */
  static final int MOST_GROUPS = 64;

  /** A group of several blocks has no more. */
  static final long GROUP_ROWS = Batch.TARGET_ROWS;

  static final long GROUP_BYTES = 256 << 10;

  private static final byte VERSION = 1;

  /**
   * A group.
   *
   * @param after the sequence before its first row
   * @param last the sequence of its last row
   */
  record Group(long after, long last) {
    boolean has(long sequence) {
      return sequence > after && sequence <= last;
    }
  }

  /**
   * What the ledger keeps of a table: version (1), delivered (8), and for each group after it its
   * two sequences (8, 8).
   *
   * @param delivered the sequence up to which the far end has the table's rows
   */
  record Kept(long delivered, List<Group> groups) {
    static final Kept NONE = new Kept(0, List.of());

    Kept {
      groups = List.copyOf(groups);
    }

    byte[] encode() {
      ByteBuffer buffer =
          ByteBuffer.allocate(1 + Long.BYTES * (1 + 2 * groups.size()))
              .put(VERSION)
              .putLong(delivered);
      groups.forEach(group -> buffer.putLong(group.after()).putLong(group.last()));
      return buffer.array();
    }

    static Kept decode(byte[] bytes) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      byte version = buffer.get();
      if (version != VERSION) {
        throw new IllegalArgumentException(
            "groups of version %d, this is version %d".formatted(version, VERSION));
      }
      long delivered = buffer.getLong();
      List<Group> groups = new ArrayList<>();
      while (buffer.hasRemaining()) {
        groups.add(new Group(buffer.getLong(), buffer.getLong()));
      }
      return new Kept(delivered, groups);
    }

    /** The group of a row, or null if it has none. */
    @Nullable Group of(long sequence) {
      for (Group group : groups) {
        if (group.has(sequence)) {
          return group;
        }
      }
      return null;
    }

    /** The sequence of the last row of the last group. */
    long last() {
      return groups.isEmpty() ? delivered : groups.getLast().last();
    }
  }

  private final String table;
  private final BlockCursor cursor;
  private final GroupLog log;
  private final long gapNanos;
  private final long upTo;
  private final Runnable wakeUp;

  /** Blocks that were given alone and may not be known as delivered, by their last rows. */
  private final Deque<Long> alone = new ArrayDeque<>();

  private Kept kept;
  private Kept offered = Kept.NONE;
  private @Nullable CompletableFuture<Answer> answer;

  /** Blocks up to there may have been given alone by a deliverer before. */
  private final long doubtful;

  private long delivered;
  private long madeNanos = Long.MIN_VALUE;

  /**
   * @param gapNanos between two commits of groups
   * @param acknowledged the sequence up to which the ledger knows rows of all tables as delivered
   * @param upTo the sequence of the last row that is given
   * @param wakeUp is called, in any thread, when more may be given
   */
  BlockGroups(
      String table,
      BlockCursor cursor,
      GroupLog log,
      long gapNanos,
      long acknowledged,
      long upTo,
      Runnable wakeUp) {
    this.table = table;
    this.cursor = cursor;
    this.log = log;
    this.gapNanos = gapNanos;
    this.upTo = upTo;
    this.wakeUp = wakeUp;
    this.kept = log.found(table).map(Kept::decode).orElse(Kept.NONE);
    long known = Math.max(acknowledged, kept.delivered());
    // Of a group all was acknowledged, or nothing.
    Group amid = kept.of(known);
    this.delivered = amid == null ? known : amid.last();
    this.doubtful = doubtful();
  }

  private long doubtful() {
    long last = delivered;
    int left = MOST_ALONE;
    for (RowBlock block : cursor.blocks(delivered)) {
      if (left > 0 && isCounted(block) && kept.of(block.last()) == null) {
        left--;
        last = block.last();
      }
    }
    return last;
  }

  private boolean isCounted(RowBlock block) {
    return block.rows().table().equals(table) && !isOrder(block);
  }

  private static boolean isOrder(RowBlock block) {
    return block.task().shard().equals(Order.SHARD);
  }

  /** The sequence up to which the far end has the table's rows. */
  long delivered() {
    return delivered;
  }

  /** The far end has rows up to a sequence. */
  void delivered(long sequence) {
    delivered = Math.max(delivered, sequence);
  }

  /** How far what was given can be acknowledged: a group as a whole. */
  long settled(long given) {
    Group group = kept.of(given);
    return group == null || group.last() == given ? given : group.after();
  }

  /** Where the group of a block ends. */
  long until(long last) {
    Group group = kept.of(last);
    return group == null ? last : group.last();
  }

  /** Whether a block of the table may be given now; else {@code wakeUp} is called when it may. */
  boolean isOpen(RowBlock block, long nowNanos) {
    takeAnswer();
    if (isOrder(block) || kept.of(block.last()) != null) {
      return true;
    }
    if (answer != null && offered.of(block.last()) != null) {
      return false;
    }
    long known = Math.max(cursor.read(state -> acknowledged(state)), kept.delivered());
    while (!alone.isEmpty() && alone.peek() <= known) {
      alone.remove();
    }
    if (alone.size() < MOST_ALONE) {
      return true;
    }
    if (answer == null && log.isFree()) {
      make(block.sequence() - 1, 1, nowNanos);
    }
    return false;
  }

  private long acknowledged(SiteState state) {
    return state.job(cursor.job()).map(job -> job.acknowledgedRow()).orElse(0L);
  }

  private void takeAnswer() {
    if (answer != null && answer.isDone()) {
      if (GroupLog.isKept(answer.join())) {
        kept = offered;
      }
      answer = null;
    }
  }

  /** A block of the table is given. */
  void given(RowBlock block, long nowNanos) {
    if (isOrder(block) || kept.of(block.last()) != null) {
      return;
    }
    alone.add(block.last());
    boolean due = madeNanos == Long.MIN_VALUE || nowNanos - madeNanos >= gapNanos;
    if (due && answer == null && log.isFree()) {
      make(block.last(), 2, nowNanos);
    }
  }

  /**
   * Makes groups of what waits.
   *
   * @param least so many blocks must
   */
  private void make(long after, int least, long nowNanos) {
    if (cursor.read(SiteState::format) < Format.GROUPS) {
      return;
    }
    List<Group> groups = new ArrayList<>(kept.groups());
    groups.removeIf(group -> group.last() <= delivered);
    int blocks = gather(Math.max(Math.max(after, doubtful), kept.last()), groups);
    if (blocks < least) {
      return;
    }
    madeNanos = nowNanos;
    offered = new Kept(delivered, groups);
    answer = log.keep(table, offered.encode(), wakeUp);
  }

  /** Appends groups of the blocks after a sequence; how many these are. */
  private int gather(long after, List<Group> groups) {
    int blocks = 0;
    long begin = -1;
    long last = 0;
    long rows = 0;
    long bytes = 0;
    for (RowBlock block : cursor.blocks(after)) {
      if (block.last() > upTo || groups.size() >= MOST_GROUPS) {
        break;
      }
      if (!block.rows().table().equals(table)) {
        continue;
      }
      rows += block.rows().count();
      bytes += block.rows().bytes().length;
      boolean ends = begin >= 0 && (isOrder(block) || rows > GROUP_ROWS || bytes > GROUP_BYTES);
      if (ends) {
        groups.add(new Group(begin, last));
        begin = -1;
      }
      if (isOrder(block)) {
        continue;
      }
      if (begin < 0) {
        begin = block.sequence() - 1;
        rows = block.rows().count();
        bytes = block.rows().bytes().length;
      }
      last = block.last();
      blocks++;
    }
    if (begin >= 0 && groups.size() < MOST_GROUPS) {
      groups.add(new Group(begin, last));
    }
    return blocks;
  }
}
