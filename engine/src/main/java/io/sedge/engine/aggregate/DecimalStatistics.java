package io.sedge.engine.aggregate;

import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.column.DecimalColumn;
import io.sedge.engine.state.ValueCodec;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.Objects;

/** Count, exact sum and extremes of DECIMAL values. */
final class DecimalStatistics extends Shared {
  /** In which Flink divides decimals. */
  private static final MathContext DIVISION = new MathContext(38, RoundingMode.HALF_UP);

  private static final int STRIDE = 3;
  private static final int LEAST = 1;
  private static final int GREATEST = 2;

  private final int needs;
  private long[] counts = new long[0];

  /** The sum, the least and the greatest of each slot; they mean nothing where the count is 0. */
  private BigDecimal[] cells = new BigDecimal[0];

  DecimalStatistics(int needs) {
    this.needs = needs;
  }

  @Override
  void ensureSlots(int slots) {
    if (slots > counts.length) {
      int before = cells.length;
      counts = grown(counts, slots);
      cells = Arrays.copyOf(cells, counts.length * STRIDE);
      Arrays.fill(cells, before, cells.length, BigDecimal.ZERO);
    }
  }

  @Override
  void clear(int slot) {
    counts[slot] = 0;
    Arrays.fill(cells, slot * STRIDE, slot * STRIDE + STRIDE, BigDecimal.ZERO);
  }

  @Override
  void add(Selection selection, Column argument) {
    DecimalColumn decimals = (DecimalColumn) argument;
    for (int i = 0; i < selection.count(); i++) {
      int slot = selection.slots()[i];
      int cell = slot * STRIDE;
      BigDecimal value = Objects.requireNonNull(decimals.values()[selection.rows()[i]]);
      boolean first = counts[slot]++ == 0;
      cells[cell] = first ? value : cells[cell].add(value);
      if (first || value.compareTo(cells[cell + LEAST]) < 0) {
        cells[cell + LEAST] = value;
      }
      if (first || value.compareTo(cells[cell + GREATEST]) > 0) {
        cells[cell + GREATEST] = value;
      }
    }
  }

  @Override
  void merge(int slot, Shared other, int otherSlot) {
    DecimalStatistics from = (DecimalStatistics) other;
    int cell = slot * STRIDE;
    int otherCell = otherSlot * STRIDE;
    if (from.counts[otherSlot] == 0) {
      return;
    }
    if (counts[slot] == 0) {
      System.arraycopy(from.cells, otherCell, cells, cell, STRIDE);
    } else {
      cells[cell] = cells[cell].add(from.cells[otherCell]);
      cells[cell + LEAST] = cells[cell + LEAST].min(from.cells[otherCell + LEAST]);
      cells[cell + GREATEST] = cells[cell + GREATEST].max(from.cells[otherCell + GREATEST]);
    }
    counts[slot] += from.counts[otherSlot];
  }

  @Override
  void result(int slot, Outcome outcome, ColumnBuilder output) {
    long rows = counts[slot];
    int cell = slot * STRIDE;
    if (outcome.function() == Outcome.Function.COUNT) {
      outcome.addLong(rows, output);
    } else if (outcome.function() == Outcome.Function.SUM0) {
      outcome.addDecimal(rows == 0 ? BigDecimal.ZERO : cells[cell], output);
    } else if (rows == 0) {
      output.addNull();
    } else {
      outcome.addDecimal(value(cell, rows, outcome), output);
    }
  }

  private BigDecimal value(int cell, long rows, Outcome outcome) {
    return switch (outcome.function()) {
      case AVG -> cells[cell].divide(BigDecimal.valueOf(rows), DIVISION);
      case MIN -> cells[cell + LEAST];
      case MAX -> cells[cell + GREATEST];
      case COUNT, SUM, SUM0, VAR_POP, VAR_SAMP, STDDEV_POP, STDDEV_SAMP -> cells[cell];
    };
  }

  @Override
  void write(int slot, DataOutput output) throws IOException {
    int cell = slot * STRIDE;
    output.writeLong(counts[slot]);
    if ((needs & SUM) != 0) {
      ValueCodec.writeDecimal(cells[cell], output);
    }
    if ((needs & EXTREMES) != 0) {
      ValueCodec.writeDecimal(cells[cell + LEAST], output);
      ValueCodec.writeDecimal(cells[cell + GREATEST], output);
    }
  }

  @Override
  void read(int slot, DataInput input) throws IOException {
    clear(slot);
    int cell = slot * STRIDE;
    counts[slot] = input.readLong();
    if ((needs & SUM) != 0) {
      cells[cell] = ValueCodec.readDecimal(input);
    }
    if ((needs & EXTREMES) != 0) {
      cells[cell + LEAST] = ValueCodec.readDecimal(input);
      cells[cell + GREATEST] = ValueCodec.readDecimal(input);
    }
  }
}
