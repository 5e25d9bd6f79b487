package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.expression.Evaluator;
import io.sedge.engine.expression.FunctionRegistry;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.PlanNode.JoinKind;
import io.sedge.engine.state.StateWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Joins rows of equal keys whose times are near, as Flink's TimeIntervalJoin.
 *
 * <p>A row is kept until no row of the other side that is on time can match it: a left row until
 * the watermark is beyond its time - lower, a right row until it is beyond its time + upper. A late
 * row still meets what is kept then, and is not kept itself if the watermark has reached the end of
 * its own time. An outer side's row that met nothing comes out, filled with nulls, when its time is
 * up. Rows with a null key or time meet nothing. Watermarks are passed on later by the width of the
 * interval, so that no result is late behind it.
 *
 * <p>Where the times are those of windows it does as Flink's WindowJoinOperator: a window is over
 * when the watermark reaches its time, so that what it gives is not late for windows of the same
 * end, and rows that come then are dropped and counted.
 *
 * <p>The mark of a kept row says whether it has met another.
 */
final class IntervalJoinOperator extends RowOperator {
  private static final byte LEFT_ROWS = 1;
  private static final byte RIGHT_ROWS = 2;
  private static final long MET = 1;

  /** Both sides of one key. */
  private static final class Pair {
    private final ObjectsByKey.Key key;
    private final Kept left;
    private final Kept right;

    Pair(ObjectsByKey.Key key, Side left, Side right) {
      this.key = key;
      this.left = new Kept(this, left);
      this.right = new Kept(this, right);
    }
  }

  /** The kept rows of one key and side, due when the first one's time is up. */
  private static final class Kept extends TimedHeap.Timed {
    private final Pair pair;
    private final Side side;
    private final SortedSlots rows;

    Kept(Pair pair, Side side) {
      this.pair = pair;
      this.side = side;
      this.rows = new SortedSlots(side.times);
    }

    Kept other() {
      return this == pair.left ? pair.right : pair.left;
    }
  }

  /** What differs between left and right. */
  private static final class Side {
    private final RowTable table;
    private final SlotColumn times;
    private final int timeColumn;
    private final boolean outer;
    private final int firstColumn;

    /** A row is kept if it comes before the watermark has reached its time plus this. */
    private final long keepMicros;

    /** It is given up when the watermark reaches its time plus this. */
    private final long giveUpMicros;

    /** The earliest and the latest time of the other side's rows, from a row's own time. */
    private final long earliest;

    private final long latest;

    private final TimedHeap<Kept> due = new TimedHeap<>();

    Side(
        RowTable table,
        int timeColumn,
        boolean outer,
        int firstColumn,
        long earliest,
        long latest,
        boolean ofWindows) {
      this.table = table;
      this.times = table.column(timeColumn);
      this.timeColumn = timeColumn;
      this.outer = outer;
      this.firstColumn = firstColumn;
      this.earliest = earliest;
      this.latest = latest;
      this.keepMicros = latest;
      this.giveUpMicros = ofWindows ? latest : latest + 1;
    }
  }

  /** A row on its way past the kept rows of the other side. */
  private static final class Joining {
    private final Kept own;
    private final int slot;
    private final boolean inTime;
    private final long watermark;
    private final long lastTime;
    private int next;
    private boolean met;

    Joining(Kept own, int slot, boolean inTime, long watermark) {
      long time = own.side.times.longAt(slot);
      this.own = own;
      this.slot = slot;
      this.inTime = inTime;
      this.watermark = watermark;
      this.lastTime = time + own.side.latest;
      this.next = own.other().rows.indexAfter(time + own.side.earliest - 1);
    }
  }

  private final Side left;
  private final Side right;
  private final ObjectsByKey<Pair> leftKeys;
  private final ObjectsByKey<Pair> rightKeys;
  private final @Nullable Evaluator condition;
  private final Sieve sieve;
  private final long delayMicros;
  private final Ints candidates = new Ints();
  private @Nullable Joining joining;
  private final boolean dropsLate;
  private long nullTimes;
  private long late;

  IntervalJoinOperator(PlanNode.IntervalJoin plan, FunctionRegistry functions, Sieve sieve) {
    super(plan.schema());
    this.sieve = sieve;
    JoinKind kind = plan.kind();
    left =
        new Side(
            new RowTable(LEFT_ROWS, plan.left().schema()),
            plan.leftTime(),
            kind == JoinKind.LEFT || kind == JoinKind.FULL,
            0,
            -plan.upper(),
            -plan.lower(),
            plan.ofWindows());
    right =
        new Side(
            new RowTable(RIGHT_ROWS, plan.right().schema()),
            plan.rightTime(),
            kind == JoinKind.RIGHT || kind == JoinKind.FULL,
            plan.left().schema().size(),
            plan.lower(),
            plan.upper(),
            plan.ofWindows());
    leftKeys =
        new ObjectsByKey<>(
            plan.leftKeys(), plan.left().schema(), key -> new Pair(key, left, right));
    rightKeys = leftKeys.by(plan.rightKeys(), plan.right().schema());
    condition = plan.condition().map(found -> Evaluator.compile(found, functions)).orElse(null);
    delayMicros = Math.max(-plan.lower(), plan.upper());
    dropsLate = plan.ofWindows();
  }

  @Override
  void row(int input, Batch batch, int row, long rowWatermark) {
    Side side = input == 0 ? left : right;
    ObjectsByKey<Pair> keys = input == 0 ? leftKeys : rightKeys;
    Column times = batch.column(side.timeColumn);
    if (times.isNull(row)) {
      nullTimes++;
      meetNothing(side, batch, row);
      return;
    }
    long time = ((LongColumn) times).values()[row];
    boolean inTime = time + side.keepMicros > rowWatermark;
    if (dropsLate && !inTime) {
      late++;
      return;
    }
    if (keys.anyNull(batch, row)) {
      meetNothing(side, batch, row);
      return;
    }
    Pair pair = keys.at(batch, row);
    Kept own = input == 0 ? pair.left : pair.right;
    int slot = side.table.add(batch, row, 0);
    joining = new Joining(own, slot, inTime, rowWatermark);
  }

  @Override
  boolean goOn() {
    Joining row = joining;
    if (row == null) {
      return false;
    }
    if (!joinSome(row)) {
      joining = null;
      settle(row);
    }
    return true;
  }

  /** Keeps a row that has met all that are there, or gives it up. */
  private void settle(Joining row) {
    Side side = row.own.side;
    if (row.inTime) {
      side.table.mark(row.slot, row.met ? MET : 0);
      keep(row.own, row.slot);
    } else {
      if (!row.met && side.outer) {
        pad(side, row.slot);
      }
      side.table.remove(row.slot);
      dropIfEmpty(row.own.pair);
    }
  }

  private void meetNothing(Side side, Batch batch, int row) {
    if (side.outer) {
      int slot = side.table.add(batch, row, 0);
      pad(side, slot);
      side.table.remove(slot);
    }
  }

  private static void keep(Kept kept, int slot) {
    kept.rows.insert(slot);
    requeue(kept);
  }

  private static void requeue(Kept kept) {
    if (kept.rows.size() == 0) {
      kept.side.due.remove(kept);
    } else {
      long due = kept.rows.time(0) + kept.side.giveUpMicros;
      kept.side.due.queue(kept, due, kept.side.table.number(kept.rows.get(0)));
    }
  }

  /** Joins a row with the next kept rows of the other side; false if there are no more. */
  private boolean joinSome(Joining row) {
    Kept own = row.own;
    Kept other = own.other();
    candidates.clear();
    while (candidates.size() < Batch.TARGET_ROWS
        && row.next < other.rows.size()
        && other.rows.time(row.next) <= row.lastTime) {
      if (other.rows.time(row.next) + other.side.giveUpMicros > row.watermark) {
        candidates.add(other.rows.get(row.next));
      }
      row.next++;
    }
    boolean mayBeMore = candidates.size() == Batch.TARGET_ROWS;
    select(row);
    for (int i = 0; i < candidates.size(); i++) {
      int found = candidates.get(i);
      markMet(other.side, found);
      own.side.table.append(row.slot, out, own.side.firstColumn);
      other.side.table.append(found, out, other.side.firstColumn);
      out.endRow();
    }
    row.met |= candidates.size() > 0;
    return mayBeMore;
  }

  /**
   * Leaves those candidates for which the condition is true. The rows of a pair that it fails for
   * have met: they are left out of the result, and not filled with nulls.
   */
  private void select(Joining row) {
    int count = candidates.size();
    if (condition == null || count == 0) {
      return;
    }
    Kept own = row.own;
    int[] owns = new int[count];
    Arrays.fill(owns, row.slot);
    int[] others = Arrays.copyOf(candidates.array(), count);
    List<Column> columns = new ArrayList<>();
    boolean isLeft = own.side == left;
    columns.addAll(left.table.gather(isLeft ? owns : others, count));
    columns.addAll(right.table.gather(isLeft ? others : owns, count));
    int[] selected = new int[count];
    int found = sieve.select(new Batch(count, columns), condition, selected);
    for (int i = 0; i < count; i++) {
      if (sieve.hasFailed(i)) {
        row.met = true;
        markMet(own.other().side, others[i]);
      }
    }
    candidates.clear();
    for (int i = 0; i < found; i++) {
      candidates.add(others[selected[i]]);
    }
  }

  private static void markMet(Side side, int slot) {
    if (side.outer) {
      side.table.mark(slot, MET);
    }
  }

  private void pad(Side side, int slot) {
    side.table.append(slot, out, side.firstColumn);
    out.endRow();
  }

  @Override
  boolean fire(long newWatermark) {
    Kept first = earlier(left.due.first(), right.due.first());
    if (first == null || first.due() > newWatermark) {
      return false;
    }
    int slot = first.rows.get(0);
    if (first.side.outer && first.side.table.mark(slot) != MET) {
      pad(first.side, slot);
    }
    first.side.table.remove(slot);
    first.rows.removeFirst();
    requeue(first);
    dropIfEmpty(first.pair);
    return true;
  }

  private static @Nullable Kept earlier(@Nullable Kept one, @Nullable Kept other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.due() <= other.due() ? one : other;
  }

  private void dropIfEmpty(Pair pair) {
    if (pair.left.rows.size() == 0 && pair.right.rows.size() == 0) {
      leftKeys.remove(pair.key);
    }
  }

  @Override
  long outgoing(long newWatermark) {
    if (newWatermark == Long.MAX_VALUE || newWatermark < Long.MIN_VALUE + delayMicros) {
      return newWatermark == Long.MAX_VALUE ? newWatermark : Long.MIN_VALUE;
    }
    return newWatermark - delayMicros;
  }

  @Override
  public long lateRows() {
    return late;
  }

  @Override
  public long nullTimeRows() {
    return nullTimes;
  }

  @Override
  void snapshot(StateWriter writer) {
    left.table.writeSnapshot(writer);
    right.table.writeSnapshot(writer);
  }

  @Override
  public long changedEntries() {
    return left.table.changedEntries() + right.table.changedEntries();
  }

  @Override
  void changes(StateWriter writer) {
    left.table.writeChanges(writer);
    right.table.writeChanges(writer);
  }

  @Override
  void restoreRows(List<Map.Entry<byte[], byte[]>> entries) {
    left.table.restore(entries, (slot, batch, row) -> keep(leftKeys.at(batch, row).left, slot));
    right.table.restore(entries, (slot, batch, row) -> keep(rightKeys.at(batch, row).right, slot));
  }

  @Override
  public void checkInvariants() {
    int leftRows = 0;
    int rightRows = 0;
    for (Pair pair : leftKeys.all()) {
      pair.left.rows.checkInvariants();
      pair.right.rows.checkInvariants();
      leftRows += pair.left.rows.size();
      rightRows += pair.right.rows.size();
    }
    left.table.checkInvariants();
    right.table.checkInvariants();
    left.due.checkInvariants();
    right.due.checkInvariants();
    if (leftRows != left.table.size() || rightRows != right.table.size()) {
      throw new AssertionError(
          "%d and %d rows by key, %d and %d kept"
              .formatted(leftRows, rightRows, left.table.size(), right.table.size()));
    }
  }
}
