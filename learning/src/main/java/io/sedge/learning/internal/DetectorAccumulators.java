package io.sedge.learning.internal;

import io.sedge.engine.aggregate.Accumulators;
import io.sedge.engine.column.ArrayColumn;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.column.LongColumn;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A detector for each slot. A result is the score of the last row that was added. A row with a
 * value that is NULL, NaN, infinite or beyond {@value Numbers#MOST} to either side, with another
 * number of values than the first that had a score, or without a time where the detector needs one,
 * has no score, and the detector does not learn from it.
 *
 * <p>Format of a slot: its version (1 byte); the number of values of a reading (4 bytes, 0 for no
 * detector); then the last score (8 bytes) and what the detector writes.
 */
public final class DetectorAccumulators implements Accumulators {
  private static final byte VERSION = 1;

  private final Supplier<Detector> factory;
  private final List<@Nullable Slot> slots = new ArrayList<>();

  private static final class Slot {
    private final Detector detector;
    private final double[] reading;
    private double score = Double.NaN;

    Slot(Detector detector, int values) {
      this.detector = detector;
      this.reading = new double[values];
    }
  }

  /**
   * Empty ones.
   *
   * @param factory of detectors that know nothing
   */
  public DetectorAccumulators(Supplier<Detector> factory) {
    this.factory = factory;
  }

  @Override
  public void ensureSlots(int count) {
    while (slots.size() < count) {
      slots.add(null);
    }
  }

  @Override
  public void clear(int slot) {
    slots.set(slot, null);
  }

  @Override
  public void add(int[] rows, int[] targets, int count, List<Column> arguments) {
    for (int i = 0; i < count; i++) {
      if (arguments.size() < 2) {
        add(arguments.getFirst(), rows[i], 0, targets[i]);
      } else if (!arguments.get(1).isNull(rows[i])) {
        long time = ((LongColumn) arguments.get(1)).values()[rows[i]];
        add(arguments.getFirst(), rows[i], time, targets[i]);
      } else {
        forgetScore(targets[i]);
      }
    }
  }

  private void forgetScore(int target) {
    Slot slot = slots.get(target);
    if (slot != null) {
      slot.score = Double.NaN;
    }
  }

  private void add(Column column, int row, long time, int target) {
    Slot slot = slots.get(target);
    if (slot == null) {
      slot = first(column, row);
      slots.set(target, slot);
      if (slot == null) {
        return;
      }
    }
    slot.score =
        read(column, row, slot.reading) ? slot.detector.score(slot.reading, time) : Double.NaN;
  }

  /** One for the first reading that can be scored: it says how many values a reading has. */
  private @Nullable Slot first(Column column, int row) {
    int values = column.isNull(row) ? 0 : values(column, row);
    if (values < 1 || values > Detector.MOST_VALUES || !read(column, row, new double[values])) {
      return null;
    }
    Detector detector = factory.get();
    return values > detector.mostValues() ? null : new Slot(detector, values);
  }

  private static int values(Column column, int row) {
    return column instanceof ArrayColumn arrays
        ? arrays.offsets()[row + 1] - arrays.offsets()[row]
        : 1;
  }

  /** Fills in a reading; false if it is none. */
  private static boolean read(Column column, int row, double[] reading) {
    if (column.isNull(row) || values(column, row) != reading.length) {
      return false;
    }
    Column elements = column;
    int first = row;
    if (column instanceof ArrayColumn arrays) {
      elements = arrays.elements();
      first = arrays.offsets()[row];
    }
    for (int i = 0; i < reading.length; i++) {
      double value = Numbers.value(elements, first + i);
      if (!Numbers.isUsable(value)) {
        return false;
      }
      reading[i] = value;
    }
    return true;
  }

  /** What two detectors have learnt cannot be put together. */
  @Override
  public void merge(int slot, Accumulators other, int otherSlot) {
    throw new IllegalStateException("a detector scores all rows of its key, one after the other");
  }

  @Override
  public void result(int slot, ColumnBuilder output) {
    Slot found = slots.get(slot);
    if (found == null || Double.isNaN(found.score)) {
      output.addNull();
    } else {
      output.addDouble(found.score);
    }
  }

  @Override
  public void write(int slot, DataOutput output) throws IOException {
    Slot found = slots.get(slot);
    output.writeByte(VERSION);
    output.writeInt(found == null ? 0 : found.reading.length);
    if (found != null) {
      output.writeDouble(found.score);
      found.detector.write(output);
    }
  }

  @Override
  public void read(int slot, DataInput input) throws IOException {
    byte version = input.readByte();
    if (version != VERSION) {
      throw new IOException(
          "the state of a detector has version %d, not %d".formatted(version, VERSION));
    }
    int values = input.readInt();
    if (values == 0) {
      slots.set(slot, null);
      return;
    }
    Slot found = new Slot(factory.get(), values);
    found.score = input.readDouble();
    found.detector.read(input);
    slots.set(slot, found);
  }
}
