package io.sedge.engine.aggregate;

import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * Count, sum, extremes and spread of numbers in DOUBLE arithmetic.
 *
 * <p>The numbers of a slot stand side by side, in one cache line, and one pass over the rows keeps
 * all that is needed. The spread is kept as sums of distances from a shift near the mean: the first
 * value at first, then the mean whenever the count is a power of two, so that what cancels out in
 * the end is small and no row costs a division. Merging goes by the means (Chan, Golub, LeVeque:
 * Algorithms for computing the sample variance, 1983).
 */
final class DoubleStatistics extends Shared {
  private static final int STRIDE = 8;
  private static final int COUNT = 0;
  private static final int TOTAL = 1;
  private static final int LEAST = 2;
  private static final int GREATEST = 3;
  private static final int SHIFT = 4;
  private static final int DISTANCES = 5;
  private static final int DISTANCES_SQUARED = 6;
  private static final int FLOAT_TOTAL = 7;

  private final int needs;
  private double[] cells = new double[0];

  DoubleStatistics(int needs) {
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
    Doubles doubles = Doubles.of(argument, selection);
    int count = selection.count();
    int[] slots = selection.slots();
    if ((needs & FLOAT_SUM) != 0) {
      addFloats(doubles.values(), doubles.from(), slots, count);
    }
    boolean one = selection.isOneSlot();
    if (one && count > 1) {
      addOne(doubles.values(), doubles.from(), slots[0], count);
    } else if ((needs & SQUARES) != 0) {
      addAll(doubles.values(), doubles.from(), slots, count);
    } else if ((needs & EXTREMES) != 0) {
      addExtremes(doubles.values(), doubles.from(), slots, count);
    } else {
      addSums(doubles.values(), doubles.from(), slots, count);
    }
  }

  private void addSums(double[] values, int from, int[] slots, int count) {
    double[] target = cells;
    for (int i = 0; i < count; i++) {
      int cell = slots[i] * STRIDE;
      target[cell] += 1;
      target[cell + TOTAL] += values[from + i];
    }
  }

  private void addFloats(double[] values, int from, int[] slots, int count) {
    for (int i = 0; i < count; i++) {
      int cell = slots[i] * STRIDE + FLOAT_TOTAL;
      cells[cell] = (float) cells[cell] + (float) values[from + i];
    }
  }

  private void addExtremes(double[] values, int from, int[] slots, int count) {
    double[] target = cells;
    for (int i = 0; i < count; i++) {
      int cell = slots[i] * STRIDE;
      double value = values[from + i];
      double rows = target[cell] + 1;
      target[cell] = rows;
      target[cell + TOTAL] += value;
      if (rows == 1 || value < target[cell + LEAST]) {
        target[cell + LEAST] = value;
      }
      if (rows == 1 || value > target[cell + GREATEST]) {
        target[cell + GREATEST] = value;
      }
    }
  }

  private void addAll(double[] values, int from, int[] slots, int count) {
    double[] target = cells;
    for (int i = 0; i < count; i++) {
      int cell = slots[i] * STRIDE;
      double value = values[from + i];
      double rows = target[cell];
      if (rows == 0) {
        start(cell, value);
        continue;
      }
      target[cell] = rows + 1;
      target[cell + TOTAL] += value;
      if (value < target[cell + LEAST]) {
        target[cell + LEAST] = value;
      }
      if (value > target[cell + GREATEST]) {
        target[cell + GREATEST] = value;
      }
      double distance = value - target[cell + SHIFT];
      target[cell + DISTANCES] += distance;
      target[cell + DISTANCES_SQUARED] += distance * distance;
      long counted = (long) rows;
      if ((counted & (counted + 1)) == 0) {
        shiftToMean(cell);
      }
    }
  }

  private void start(int cell, double value) {
    cells[cell] = 1;
    cells[cell + TOTAL] = value;
    cells[cell + LEAST] = value;
    cells[cell + GREATEST] = value;
    cells[cell + SHIFT] = value;
    cells[cell + DISTANCES] = value * 0; // NaN where the value is not finite
    cells[cell + DISTANCES_SQUARED] = value * 0;
  }

  /** All rows to one slot: its numbers stay in registers. Computes what {@link #addAll} does. */
  private void addOne(double[] values, int from, int slot, int count) {
    int cell = slot * STRIDE;
    int next = from;
    if (cells[cell] == 0) {
      start(cell, values[next++]);
    }
    int end = from + count;
    double total = cells[cell + TOTAL];
    for (int i = next; i < end; i++) {
      total += values[i];
    }
    cells[cell + TOTAL] = total;
    if ((needs & EXTREMES) != 0) {
      extremesOfOne(values, next, end, cell);
    }
    if ((needs & SQUARES) != 0) {
      squaresOfOne(values, next, end, cell);
    } else {
      cells[cell] += end - next;
    }
  }

  private void extremesOfOne(double[] values, int from, int end, int cell) {
    double least = cells[cell + LEAST];
    double greatest = cells[cell + GREATEST];
    for (int i = from; i < end; i++) {
      double value = values[i];
      least = value < least ? value : least;
      greatest = value > greatest ? value : greatest;
    }
    cells[cell + LEAST] = least;
    cells[cell + GREATEST] = greatest;
  }

  /** Adds the squares up to each power of two of the count, where the shift moves; and counts. */
  private void squaresOfOne(double[] values, int from, int end, int cell) {
    int next = from;
    while (next < end) {
      long rows = (long) cells[cell];
      long power = Long.highestOneBit(rows) << 1;
      int to = (int) Math.min(end, next + power - rows);
      double shift = cells[cell + SHIFT];
      double distances = cells[cell + DISTANCES];
      double squares = cells[cell + DISTANCES_SQUARED];
      for (int i = next; i < to; i++) {
        double distance = values[i] - shift;
        distances += distance;
        squares += distance * distance;
      }
      cells[cell] += to - next;
      cells[cell + DISTANCES] = distances;
      cells[cell + DISTANCES_SQUARED] = squares;
      if (rows + to - next == power) {
        shiftToMean(cell);
      }
      next = to;
    }
  }

  private void shiftToMean(int cell) {
    double rows = cells[cell];
    double mean = cells[cell + DISTANCES] / rows;
    double squares = cells[cell + DISTANCES_SQUARED] - cells[cell + DISTANCES] * mean;
    shiftTo(cell, rows, mean, squares);
  }

  /**
   * Moves the shift by {@code mean}, the mean of the distances from it.
   *
   * @param squares the sum of the squared distances from the mean
   */
  private void shiftTo(int cell, double rows, double mean, double squares) {
    double shift = cells[cell + SHIFT];
    double moved = shift + mean;
    double rest = mean - (moved - shift);
    cells[cell + SHIFT] = moved;
    cells[cell + DISTANCES] = rows * rest;
    cells[cell + DISTANCES_SQUARED] = Math.max(0, squares) + rows * rest * rest;
  }

  private double squares(int cell) {
    double distances = cells[cell + DISTANCES];
    return Math.max(0, cells[cell + DISTANCES_SQUARED] - distances * distances / cells[cell]);
  }

  @Override
  void merge(int slot, Shared other, int otherSlot) {
    double[] from = ((DoubleStatistics) other).cells;
    int cell = slot * STRIDE;
    int otherCell = otherSlot * STRIDE;
    if (from[otherCell] == 0) {
      return;
    }
    if (cells[cell] == 0) {
      System.arraycopy(from, otherCell, cells, cell, STRIDE);
      return;
    }
    if ((needs & SQUARES) != 0) {
      mergeSquares(cell, (DoubleStatistics) other, otherCell);
    }
    cells[cell] += from[otherCell];
    cells[cell + TOTAL] += from[otherCell + TOTAL];
    if (from[otherCell + LEAST] < cells[cell + LEAST]) {
      cells[cell + LEAST] = from[otherCell + LEAST];
    }
    if (from[otherCell + GREATEST] > cells[cell + GREATEST]) {
      cells[cell + GREATEST] = from[otherCell + GREATEST];
    }
    cells[cell + FLOAT_TOTAL] =
        (float) cells[cell + FLOAT_TOTAL] + (float) from[otherCell + FLOAT_TOTAL];
  }

  private void mergeSquares(int cell, DoubleStatistics other, int otherCell) {
    double rows = cells[cell];
    double otherRows = other.cells[otherCell];
    double all = rows + otherRows;
    double mean = cells[cell + DISTANCES] / rows;
    double otherMean = other.cells[otherCell + DISTANCES] / otherRows;
    double apart = other.cells[otherCell + SHIFT] - cells[cell + SHIFT] + (otherMean - mean);
    double squares =
        squares(cell) + other.squares(otherCell) + apart * apart * (rows * otherRows / all);
    shiftTo(cell, all, mean + apart * (otherRows / all), squares);
  }

  @Override
  void result(int slot, Outcome outcome, ColumnBuilder output) {
    int cell = slot * STRIDE;
    double rows = cells[cell];
    switch (outcome.function()) {
      case COUNT -> outcome.addLong((long) rows, output);
      case VAR_POP, VAR_SAMP, STDDEV_POP, STDDEV_SAMP ->
          outcome.addSpread(rows, squares(cell), output);
      case SUM0 -> outcome.addDouble(rows == 0 ? 0 : total(cell, outcome), output);
      case SUM, AVG, MIN, MAX -> {
        if (rows == 0) {
          output.addNull();
        } else {
          outcome.addDouble(value(cell, rows, outcome), output);
        }
      }
    }
  }

  private double value(int cell, double rows, Outcome outcome) {
    return switch (outcome.function()) {
      case AVG -> cells[cell + TOTAL] / rows;
      case MIN -> cells[cell + LEAST];
      case MAX -> cells[cell + GREATEST];
      case COUNT, SUM, SUM0, VAR_POP, VAR_SAMP, STDDEV_POP, STDDEV_SAMP -> total(cell, outcome);
    };
  }

  private double total(int cell, Outcome outcome) {
    return switch (outcome.type().storage()) {
      case FLOAT -> cells[cell + FLOAT_TOTAL];
      default -> cells[cell + TOTAL];
    };
  }

  @Override
  void write(int slot, DataOutput output) throws IOException {
    int cell = slot * STRIDE;
    for (int i = 0; i < STRIDE; i++) {
      if (isKept(i)) {
        output.writeDouble(cells[cell + i]);
      }
    }
  }

  @Override
  void read(int slot, DataInput input) throws IOException {
    int cell = slot * STRIDE;
    for (int i = 0; i < STRIDE; i++) {
      cells[cell + i] = isKept(i) ? input.readDouble() : 0;
    }
  }

  private boolean isKept(int number) {
    return switch (number) {
      case COUNT -> true;
      case TOTAL -> (needs & SUM) != 0;
      case LEAST, GREATEST -> (needs & EXTREMES) != 0;
      case FLOAT_TOTAL -> (needs & FLOAT_SUM) != 0;
      default -> (needs & SQUARES) != 0;
    };
  }
}
