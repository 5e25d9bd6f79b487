package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.Window;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Each row once per window that it belongs to, the latest window first as in Flink, with the
 * window's start and end (local times) and its time, the end less 1 ms. Rows with a null time
 * belong to no window: dropped, counted.
 */
final class WindowAssignOperator extends StatelessOperator {
  private static final long MICROS_PER_MILLI = 1000;

  private final PlanNode.WindowAssign plan;
  private final LocalClock clock;
  private final boolean local;
  private long nullTimes;

  WindowAssignOperator(PlanNode.WindowAssign plan) {
    if (plan.window() instanceof Window.Session) {
      throw new IllegalArgumentException(
          "a session window is known only when it is over; aggregate by it instead");
    }
    this.plan = plan;
    clock = new LocalClock(ZoneId.of(plan.zone()));
    local = !plan.zone().equals("UTC");
  }

  @Override
  Batch apply(Batch batch) {
    Windows windows = new Windows();
    LongColumn times = (LongColumn) batch.column(plan.timeColumn());
    for (int row = 0; row < batch.rows(); row++) {
      if (times.isNull(row)) {
        nullTimes++;
      } else {
        long time = times.values()[row];
        assign(row, local ? clock.toLocal(time) : time, windows);
      }
    }
    return windows.appended(batch);
  }

  private void assign(int row, long time, Windows windows) {
    switch (plan.window()) {
      case Window.Tumbling(long size, long offset) -> {
        long start = start(time, size, offset);
        windows.add(row, start, start + size);
      }
      case Window.Hopping(long size, long slide, long offset) -> {
        for (long start = start(time, slide, offset); start > time - size; start -= slide) {
          windows.add(row, start, start + size);
        }
      }
      case Window.Cumulating(long maxSize, long step, long offset) -> {
        long start = start(time, maxSize, offset);
        long first = start(time, step, offset) + step;
        for (long end = first; end <= start + maxSize; end += step) {
          windows.add(row, start, end);
        }
      }
      case Window.Session _ -> throw new IllegalStateException("refused when it was made");
    }
  }

  private static long start(long time, long size, long offset) {
    return time - Math.floorMod(time - offset, size);
  }

  @Override
  public long nullTimeRows() {
    return nullTimes;
  }

  /** Rows and their windows. */
  private final class Windows {
    private final Ints rows = new Ints();
    private long[] starts = new long[64];
    private long[] ends = new long[64];

    void add(int row, long start, long end) {
      int at = rows.size();
      if (at == starts.length) {
        starts = Arrays.copyOf(starts, at * 2);
        ends = Arrays.copyOf(ends, at * 2);
      }
      starts[at] = start;
      ends[at] = end;
      rows.add(row);
    }

    Batch appended(Batch batch) {
      int count = rows.size();
      long[] times = new long[count];
      for (int i = 0; i < count; i++) {
        long last = ends[i] - MICROS_PER_MILLI;
        times[i] = local ? clock.toInstant(last) : last;
      }
      Batch gathered = batch.gather(rows.array(), count);
      List<Column> columns = new ArrayList<>(gathered.columns());
      columns.add(new LongColumn(starts, null, count));
      columns.add(new LongColumn(ends, null, count));
      columns.add(new LongColumn(times, null, count));
      return gathered.withColumns(columns);
    }
  }
}
