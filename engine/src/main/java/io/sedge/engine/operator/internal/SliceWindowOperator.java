package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.operator.Operator;
import io.sedge.engine.operator.Output;
import io.sedge.engine.operator.internal.WindowAggregates.WindowSetup;
import io.sedge.engine.plan.SliceLayout;
import io.sedge.engine.state.StateWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Tumbling, hopping and cumulating windows.
 *
 * <p>Each row is accumulated once, into the slice of time that holds it; a window that fires merges
 * its slices (see {@link SliceLayout}). Invariants: a slice is open as long as a window that holds
 * it has not closed; windows fire in the order of their ends; {@link SliceStore#progress} says
 * which have fired. Cumulating windows merge each fired slice into the first of their span, so that
 * a window costs one merge per key however long the span is.
 *
 * <p>A row is late if the last window of its slice has closed at the row's own watermark, so that
 * it does not matter how the stream was cut into batches. Where a row comes after the first but not
 * the last of its windows, the windows that are over by its watermark fire before it is
 * accumulated.
 */
final class SliceWindowOperator implements Operator {
  private final WindowSetup setup;
  private final SliceLayout layout;
  private final SliceStore store;

  /** What overlapping windows share; null where they are too short for it to pay. */
  private final @Nullable SliceTree tree;

  private final WindowRows output;
  private final LateRows late;
  private final TimedRows timed;

  /** Where {@link #process} stands in its batch. */
  private int nextRow;

  /** The slices with rows of the batch that are not accumulated yet. */
  private final List<Slice> touched = new ArrayList<>();

  /** The ends of the slices with groups that are marked {@link Groups#AGAIN}. */
  private final TreeSet<Long> marked = new TreeSet<>();

  private int[] inOrder = {};

  /** The watermark being fired up to in the middle of a batch. */
  private @Nullable Long firing;

  private @Nullable Firing current;

  /** What fires again, prepared when firing begins; null when it has not begun. */
  private @Nullable Deque<Firing> again;

  private long lastFired = Long.MIN_VALUE;

  /** A window about to be written. */
  private record Firing(long end, Groups groups, boolean first) {}

  SliceWindowOperator(WindowSetup setup, @Nullable Output late) {
    this.setup = setup;
    this.layout = SliceLayout.of(setup.node.window());
    this.store = new SliceStore(setup);
    this.tree =
        !layout.growing() && layout.slicesPerWindow() >= SliceTree.LEAST_SLICES
            ? new SliceTree(layout, store, setup::groups)
            : null;
    this.output = setup.rows();
    this.late = new LateRows(late);
    this.timed = new TimedRows(setup.node.timeColumn());
  }

  @Override
  public long lateRows() {
    return late.total();
  }

  @Override
  public long nullTimeRows() {
    return timed.nullTimes();
  }

  @Override
  public boolean process(int input, Batch offered, Output target) {
    Batch batch = timed.of(offered);
    Rows rows = new Rows(batch, setup.node.timeColumn(), inOrder(batch));
    if (nextRow == 0 && firing == null) {
      takeAll(rows);
    }
    while (nextRow < batch.rows() || firing != null) {
      if (firing != null) {
        if (!fire(firing, target)) {
          return false;
        }
        firing = null;
      }
      take(rows);
    }
    accumulate(rows);
    if (!late.flush(batch)) {
      return false;
    }
    timed.done();
    nextRow = 0;
    return true;
  }

  /**
   * The rows of a batch; what they are made of stays where it is if the batch is a view of another.
   */
  private static final class Rows {
    private final Batch batch;
    private final Batch source;
    private final long[] times;

    /** The place in {@link #source} of each row. */
    private final int[] order;

    Rows(Batch batch, int timeColumn, int[] inOrder) {
      int[] selected = batch.sourceRows();
      this.batch = batch;
      this.source = batch.source();
      this.times = ((LongColumn) source.column(timeColumn)).values();
      this.order = selected == null ? inOrder : selected;
    }

    int count() {
      return batch.rows();
    }

    long time(int row) {
      return times[order[row]];
    }

    /** Whether all rows, and those that are not of the view, lie in a span of time. */
    boolean allWithin(long from, long until) {
      long least = Long.MAX_VALUE;
      long greatest = Long.MIN_VALUE;
      for (int i = 0; i < source.rows(); i++) {
        least = Math.min(least, times[i]);
        greatest = Math.max(greatest, times[i]);
      }
      return least >= from && greatest < until;
    }
  }

  /** Gives the whole batch to a slice if it belongs to one and nothing is over: the usual case. */
  private void takeAll(Rows rows) {
    if (rows.count() == 0) {
      return;
    }
    Slice slice = sliceOf(rows.time(0));
    if (slice != null
        && store.progress() < slice.overAt
        && rows.batch.watermarksAreBefore(slice.overAt)
        && rows.allWithin(slice.from, slice.until)) {
      give(slice, rows.count());
    }
  }

  /** Gives the rows from the next one on to a slice. */
  private void give(Slice slice, int end) {
    if (!slice.hasRows()) {
      touched.add(slice);
    }
    slice.take(nextRow, end);
    nextRow = end;
  }

  /** Gives rows to their slices until the batch ends or windows must fire first. */
  private void take(Rows rows) {
    long[] watermarks = nextRow < rows.count() ? rows.batch.watermarks() : null;
    while (nextRow < rows.count()) {
      Slice slice = sliceOf(rows.time(nextRow));
      int end = slice == null ? nextRow : endOfRun(slice, rows, watermarks);
      if (slice != null && end > nextRow) {
        give(slice, end);
      } else {
        takeOverdue(rows, watermarks);
        if (firing != null) {
          return;
        }
      }
    }
  }

  /**
   * The end of the rows from the next one on that belong to a slice, none of whose windows is over.
   */
  private int endOfRun(Slice slice, Rows rows, long @Nullable [] watermarks) {
    long from = slice.from;
    long until = slice.until;
    long overAt = slice.overAt;
    int row = nextRow;
    if (store.progress() >= overAt) {
      return row;
    }
    while (row < rows.count()
        && rows.time(row) >= from
        && rows.time(row) < until
        && (watermarks == null || watermarks[row] < overAt)) {
      row++;
    }
    return row;
  }

  /** The slice of an instant, or null if no row can be added to it any more. */
  private @Nullable Slice sliceOf(long instant) {
    List<Slice> slices = store.slices();
    for (int i = slices.size() - 1; i >= Math.max(0, slices.size() - SliceStore.NEAR); i--) {
      if (slices.get(i).holds(instant)) {
        return slices.get(i);
      }
    }
    long local = setup.clock.toLocal(instant);
    long end = layout.endOfSlice(local);
    if (isClosed(end, store.progress())) {
      return null;
    }
    Slice slice = store.get(end);
    long offset = setup.clock.offset();
    slice.from = Math.max(end - layout.step() - offset, setup.clock.from());
    slice.until = Math.min(end - offset, setup.clock.until());
    return slice;
  }

  private boolean isClosed(long slice, long watermark) {
    return setup.closedAt(layout.lastWindow(slice)) <= watermark;
  }

  /** The next row comes after the first of its windows, or the last. */
  private void takeOverdue(Rows rows, long @Nullable [] watermarks) {
    long watermark = store.progress();
    if (watermarks != null) {
      watermark = Math.max(watermark, watermarks[nextRow]);
    }
    long end = layout.endOfSlice(setup.clock.toLocal(rows.time(nextRow)));
    if (isClosed(end, watermark)) {
      late.add(nextRow++);
      return;
    }
    accumulate(rows);
    if (watermark > store.progress() && !isQuiet(watermark)) {
      firing = watermark;
      return;
    }
    if (tree != null) {
      tree.changed(end);
    }
    Slice slice = store.get(end);
    slice.take(nextRow, nextRow + 1);
    if (setup.node.allowedLateness() > 0) {
      marked.add(end);
      slice.accumulate(rows.source, rows.order, Groups.CHANGED | Groups.AGAIN);
    } else {
      slice.accumulate(rows.source, rows.order, Groups.CHANGED);
    }
    store.forgetCodesUnlessNear(slice);
    nextRow++;
  }

  /** Whether nothing fires or closes if the watermark rises. */
  private boolean isQuiet(long watermark) {
    return setup.node.allowedLateness() == 0 && nextDue(watermark) == null;
  }

  private void accumulate(Rows rows) {
    for (Slice slice : touched) {
      slice.accumulate(rows.source, rows.order, Groups.CHANGED);
      store.forgetCodesUnlessNear(slice);
    }
    touched.clear();
  }

  private int[] inOrder(Batch batch) {
    if (inOrder.length < batch.rows()) {
      inOrder = new int[batch.rows()];
      Arrays.setAll(inOrder, i -> i);
    }
    return inOrder;
  }

  @Override
  public boolean advance(long watermark, Output target) {
    return fire(watermark, target) && target.advance(watermark);
  }

  @Override
  public boolean giveOpen(Output target) {
    if (layout.slicesPerWindow() != 1 || setup.node.allowedLateness() > 0) {
      throw new IllegalStateException("only windows of one slice are given before they are over");
    }
    while (!store.slices().isEmpty()) {
      Slice first = store.slices().getFirst();
      WindowRows.Bounds bounds = setup.bounds(layout.windowStart(first.end), first.end);
      if (!output.append(first.groups, bounds, target)) {
        return false;
      }
      store.remove(first);
    }
    return output.flush(target);
  }

  /** Fires what is due; false if the output refused. */
  private boolean fire(long watermark, Output target) {
    if (again == null) {
      again = dueAgain();
    }
    while (true) {
      if (current == null) {
        current = again.isEmpty() ? due(watermark) : again.poll();
        if (current == null) {
          break;
        }
      }
      long end = current.end();
      if (!output.append(current.groups(), setup.bounds(layout.windowStart(end), end), target)) {
        return false;
      }
      if (current.first()) {
        lastFired = end;
        removeDone(end);
      }
      current = null;
    }
    if (!output.flush(target)) {
      return false;
    }
    again = null;
    store.setProgress(Math.max(watermark, store.progress()));
    if (setup.node.allowedLateness() > 0) {
      removeClosed();
    }
    return true;
  }

  private @Nullable Firing due(long watermark) {
    Long end = nextDue(watermark);
    return end == null ? null : new Firing(end, window(end), true);
  }

  /** The end of the next window that has rows and is over at a watermark, or null. */
  private @Nullable Long nextDue(long watermark) {
    for (Slice slice : store.slices()) {
      long last = layout.lastWindow(slice.end);
      long end = slice.end;
      if (lastFired >= end) {
        end = lastFired + layout.step();
      }
      while (end <= last && setup.clock.overAt(end) <= store.progress()) {
        end += layout.step();
      }
      if (end <= last) {
        return setup.clock.overAt(end) <= watermark ? end : null;
      }
    }
    return null;
  }

  /** The groups of a window. */
  private Groups window(long end) {
    if (tree != null) {
      return tree.window(layout.windowStart(end), end);
    }
    List<Slice> slices = store.between(layout.windowStart(end), end);
    if (slices.size() == 1) {
      return slices.getFirst().groups;
    }
    if (layout.growing() && setup.node.allowedLateness() == 0) {
      return mergeIntoFirst(slices);
    }
    Groups merged = setup.groups();
    for (Slice slice : slices) {
      merged.merge(slice.groups, 0);
    }
    return merged;
  }

  private Groups mergeIntoFirst(List<Slice> slices) {
    Slice first = slices.getFirst();
    for (Slice slice : slices.subList(1, slices.size())) {
      first.groups.merge(slice.groups, Groups.CHANGED);
      store.remove(slice);
    }
    return first.groups;
  }

  /** Removes the slices whose last window has fired; with lateness they stay a while. */
  private void removeDone(long fired) {
    List<Slice> slices = store.slices();
    while (setup.node.allowedLateness() == 0
        && !slices.isEmpty()
        && layout.lastWindow(slices.getFirst().end) <= fired) {
      store.remove(slices.getFirst());
    }
  }

  private void removeClosed() {
    List<Slice> slices = store.slices();
    while (!slices.isEmpty() && isClosed(slices.getFirst().end, store.progress())) {
      store.remove(slices.getFirst());
    }
  }

  /** The windows that have fired, are not closed, and have got rows since. */
  private Deque<Firing> dueAgain() {
    TreeSet<Long> ends = new TreeSet<>();
    for (long slice : marked) {
      for (long end = slice;
          end <= layout.lastWindow(slice) && setup.clock.overAt(end) <= store.progress();
          end += layout.step()) {
        if (setup.closedAt(end) > store.progress()) {
          ends.add(end);
        }
      }
    }
    Deque<Firing> firings = new ArrayDeque<>();
    for (long end : ends) {
      firings.add(new Firing(end, markedOf(end), false));
    }
    marked.forEach(slice -> store.get(slice).groups.endAgain());
    marked.clear();
    return firings;
  }

  /** The groups of a window that have got rows since it fired. */
  private Groups markedOf(long end) {
    List<Slice> slices = store.between(layout.windowStart(end), end);
    Groups found = setup.groups();
    for (Slice slice : slices) {
      Ints slots = slice.groups.again();
      for (int i = 0; i < slots.size(); i++) {
        found.keys.slotOf(slice.groups.keys, slots.get(i));
      }
    }
    found.ensureSlots();
    for (Slice slice : slices) {
      found.mergeKnown(slice.groups);
    }
    return found;
  }

  @Override
  public void writeSnapshot(StateWriter writer) {
    store.writeSnapshot(writer);
  }

  @Override
  public long changedEntries() {
    return store.changedEntries();
  }

  @Override
  public void writeChanges(StateWriter writer) {
    store.writeChanges(writer);
  }

  @Override
  public void restore(Iterable<Map.Entry<byte[], byte[]>> entries) {
    store.restore(entries);
    for (Slice slice : store.slices()) {
      if (slice.groups.again().size() > 0) {
        marked.add(slice.end);
      }
    }
  }

  @Override
  public void checkInvariants() {
    store.checkInvariants();
    for (Slice slice : store.slices()) {
      if (slice.groups.again().size() > 0 != marked.contains(slice.end)) {
        throw new AssertionError("the slice that ends at %d is marked amiss".formatted(slice.end));
      }
    }
  }
}
