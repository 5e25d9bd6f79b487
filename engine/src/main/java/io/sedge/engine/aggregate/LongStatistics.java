package io.sedge.engine.aggregate;

import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.column.IntColumn;
import io.sedge.engine.column.LongColumn;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * Count, sum and extremes of what INT and LONG columns hold: integers, dates, times. Sums wrap
 * around at 64 bits. The numbers of a slot stand side by side.
 */
final class LongStatistics extends Shared {
  private static final int STRIDE = 4;
  private static final int TOTAL = 1;
  private static final int LEAST = 2;
  private static final int GREATEST = 3;

  private final int needs;
  private long[] cells = new long[0];

  LongStatistics(int needs) {
    this.needs = needs;
  }

  @Override
  void ensureSlots(int slots) {
    cells = grown(cells, Math.multiplyExact(slots, STRIDE));
  }

  @Override
  void clear(int slot) {
    Arrays.fill(cells, slot * STRIDE, slot * STRIDE + STRIDE, 0);
  }

  @Override
  void add(Selection selection, Column argument) {
    boolean inPlace = argument instanceof LongColumn && selection.isContiguous();
    long[] values = values(argument, selection, inPlace);
    int from = inPlace ? selection.rows()[0] : 0;
    if ((needs & EXTREMES) != 0) {
      addExtremes(values, from, selection.slots(), selection.count());
    } else if (selection.isOneSlot()) {
      addOne(values, from, selection.slots()[0], selection.count());
    } else {
      addSums(values, from, selection.slots(), selection.count());
    }
  }

  private static long[] values(Column argument, Selection selection, boolean inPlace) {
    if (inPlace && argument instanceof LongColumn longs) {
      return longs.values();
    }
    long[] gathered = new long[selection.count()];
    int[] rows = selection.rows();
    if (argument instanceof LongColumn longs) {
      long[] values = longs.values();
      for (int i = 0; i < gathered.length; i++) {
        gathered[i] = values[rows[i]];
      }
    } else {
      int[] values = ((IntColumn) argument).values();
      for (int i = 0; i < gathered.length; i++) {
        gathered[i] = values[rows[i]];
      }
    }
    return gathered;
  }

  private void addSums(long[] values, int from, int[] slots, int count) {
    long[] target = cells;
    for (int i = 0; i < count; i++) {
      int cell = slots[i] * STRIDE;
      target[cell]++;
      target[cell + TOTAL] += values[from + i];
    }
  }

  private void addOne(long[] values, int from, int slot, int count) {
    long total = 0;
    for (int i = 0; i < count; i++) {
      total += values[from + i];
    }
    cells[slot * STRIDE] += count;
    cells[slot * STRIDE + TOTAL] += total;
  }

  private void addExtremes(long[] values, int from, int[] slots, int count) {
    long[] target = cells;
    for (int i = 0; i < count; i++) {
      int cell = slots[i] * STRIDE;
      long value = values[from + i];
      long rows = ++target[cell];
      target[cell + TOTAL] += value;
      if (rows == 1 || value < target[cell + LEAST]) {
        target[cell + LEAST] = value;
      }
      if (rows == 1 || value > target[cell + GREATEST]) {
        target[cell + GREATEST] = value;
      }
    }
  }

  @Override
  void merge(int slot, Shared other, int otherSlot) {
    long[] from = ((LongStatistics) other).cells;
    int cell = slot * STRIDE;
    int otherCell = otherSlot * STRIDE;
    if (from[otherCell] == 0) {
      return;
    }
    if (cells[cell] == 0) {
      System.arraycopy(from, otherCell, cells, cell, STRIDE);
      return;
    }
    cells[cell] += from[otherCell];
    cells[cell + TOTAL] += from[otherCell + TOTAL];
    cells[cell + LEAST] = Math.min(cells[cell + LEAST], from[otherCell + LEAST]);
    cells[cell + GREATEST] = Math.max(cells[cell + GREATEST], from[otherCell + GREATEST]);
  }

  @Override
  void result(int slot, Outcome outcome, ColumnBuilder output) {
    int cell = slot * STRIDE;
    long rows = cells[cell];
    if (outcome.function() == Outcome.Function.COUNT) {
      outcome.addLong(rows, output);
    } else if (outcome.function() == Outcome.Function.SUM0) {
      outcome.addLong(rows == 0 ? 0 : cells[cell + TOTAL], output);
    } else if (rows == 0) {
      output.addNull();
    } else {
      addValue(cell, rows, outcome, output);
    }
  }

  private void addValue(int cell, long rows, Outcome outcome, ColumnBuilder output) {
    switch (outcome.function()) {
      case AVG -> outcome.addLong(cells[cell + TOTAL] / rows, output);
      case MIN -> outcome.addLong(cells[cell + LEAST], output);
      case MAX -> outcome.addLong(cells[cell + GREATEST], output);
      case COUNT, SUM, SUM0, VAR_POP, VAR_SAMP, STDDEV_POP, STDDEV_SAMP ->
          outcome.addLong(cells[cell + TOTAL], output);
    }
  }

  @Override
  void write(int slot, DataOutput output) throws IOException {
    int cell = slot * STRIDE;
    output.writeLong(cells[cell]);
    if ((needs & SUM) != 0) {
      output.writeLong(cells[cell + TOTAL]);
    }
    if ((needs & EXTREMES) != 0) {
      output.writeLong(cells[cell + LEAST]);
      output.writeLong(cells[cell + GREATEST]);
    }
  }

  @Override
  void read(int slot, DataInput input) throws IOException {
    int cell = slot * STRIDE;
    cells[cell] = input.readLong();
    cells[cell + TOTAL] = (needs & SUM) != 0 ? input.readLong() : 0;
    cells[cell + LEAST] = (needs & EXTREMES) != 0 ? input.readLong() : 0;
    cells[cell + GREATEST] = (needs & EXTREMES) != 0 ? input.readLong() : 0;
  }
}
