package io.sedge.engine.aggregate;

import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * Accumulators that several calls over one argument share: COUNT, SUM and AVG of x need its count
 * and sum once. Which call is read is said when it is read.
 */
abstract class Shared {
  /** Parts of an accumulator, as bits; the count is always there. */
  static final int SUM = 1;

  static final int EXTREMES = 2;
  static final int SQUARES = 4;

  /** A sum in FLOAT arithmetic, as SUM(FLOAT) is. */
  static final int FLOAT_SUM = 8;

  abstract void ensureSlots(int slots);

  abstract void clear(int slot);

  /** Adds rows whose argument is not null; at least one. */
  abstract void add(Selection selection, Column argument);

  abstract void merge(int slot, Shared other, int otherSlot);

  abstract void result(int slot, Outcome outcome, ColumnBuilder output);

  abstract void write(int slot, DataOutput output) throws IOException;

  abstract void read(int slot, DataInput input) throws IOException;

  static int grown(int needed) {
    return Math.max(16, Integer.highestOneBit(Math.max(1, needed - 1)) << 1);
  }

  static double[] grown(double[] array, int length) {
    return length <= array.length ? array : Arrays.copyOf(array, grown(length));
  }

  static long[] grown(long[] array, int length) {
    return length <= array.length ? array : Arrays.copyOf(array, grown(length));
  }
}
