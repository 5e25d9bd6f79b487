package io.sedge.engine.operator.internal;

import io.sedge.engine.column.BooleanColumn;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.FloatColumn;
import io.sedge.engine.column.IntColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.column.StringColumn;
import io.sedge.engine.state.ValueCodec;
import io.sedge.engine.type.Type;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One column of a {@link RowTable}: values by slot, which may be set, cleared and set again.
 * Encoded, a value is what {@link ValueCodec} writes.
 */
abstract class SlotColumn {
  private final Type type;
  private boolean[] nulls = new boolean[0];

  SlotColumn(Type type) {
    this.type = type;
  }

  static SlotColumn of(Type type) {
    return switch (type.storage()) {
      case BOOLEAN -> new Booleans(type);
      case INT -> new Ints(type);
      case LONG -> new Longs(type);
      case FLOAT -> new Floats(type);
      case DOUBLE -> new Doubles(type);
      case STRING -> new References(type, true);
      case DECIMAL, ARRAY, ROW -> new References(type, false);
    };
  }

  final Type type() {
    return type;
  }

  final boolean isNull(int slot) {
    return nulls[slot];
  }

  void ensure(int capacity) {
    nulls = Arrays.copyOf(nulls, capacity);
  }

  final void set(int slot, Column column, int row) {
    nulls[slot] = column.isNull(row);
    if (!nulls[slot]) {
      take(slot, column, row);
    }
  }

  /** Whether the value of a slot is equal to that of a row; nulls are equal. */
  final boolean holds(int slot, Column column, int row) {
    return (nulls[slot] || column.isNull(row))
        ? nulls[slot] && column.isNull(row)
        : value(slot).equals(column.value(row));
  }

  final void append(int slot, ColumnBuilder builder) {
    if (nulls[slot]) {
      builder.addNull();
    } else {
      give(slot, builder);
    }
  }

  /** The values of the slots as a column; null where a slot is negative. */
  final Column gather(int[] slots, int count) {
    boolean[] mask = null;
    for (int i = 0; i < count; i++) {
      if (slots[i] < 0 || nulls[slots[i]]) {
        mask = mask == null ? new boolean[count] : mask;
        mask[i] = true;
      }
    }
    return column(slots, mask, count);
  }

  final void write(int slot, DataOutput output) throws IOException {
    ValueCodec.write(type, nulls[slot] ? null : value(slot), output);
  }

  static void read(Type type, DataInput input, ColumnBuilder builder) throws IOException {
    builder.add(ValueCodec.read(type, input));
  }

  abstract void take(int slot, Column column, int row);

  abstract void give(int slot, ColumnBuilder builder);

  abstract Column column(int[] slots, boolean @Nullable [] mask, int count);

  /** The value in its object form; only for a slot that is not null. */
  abstract Object value(int slot);

  /** The order of two slots that are not null. */
  abstract int compare(int left, int right);

  void forget(int slot) {}

  long longAt(int slot) {
    throw new UnsupportedOperationException(type + " is not kept as 64 bits");
  }

  private static final class Longs extends SlotColumn {
    private long[] values = {};

    Longs(Type type) {
      super(type);
    }

    @Override
    void ensure(int capacity) {
      super.ensure(capacity);
      values = Arrays.copyOf(values, capacity);
    }

    @Override
    void take(int slot, Column column, int row) {
      values[slot] = ((LongColumn) column).values()[row];
    }

    @Override
    void give(int slot, ColumnBuilder builder) {
      builder.addLong(values[slot]);
    }

    @Override
    Column column(int[] slots, boolean @Nullable [] mask, int count) {
      long[] gathered = new long[count];
      for (int i = 0; i < count; i++) {
        if (mask == null || !mask[i]) {
          gathered[i] = values[slots[i]];
        }
      }
      return new LongColumn(gathered, mask, count);
    }

    @Override
    Object value(int slot) {
      return values[slot];
    }

    @Override
    int compare(int left, int right) {
      return Long.compare(values[left], values[right]);
    }

    @Override
    long longAt(int slot) {
      return values[slot];
    }
  }

  private static final class Ints extends SlotColumn {
    private int[] values = {};

    Ints(Type type) {
      super(type);
    }

    @Override
    void ensure(int capacity) {
      super.ensure(capacity);
      values = Arrays.copyOf(values, capacity);
    }

    @Override
    void take(int slot, Column column, int row) {
      values[slot] = ((IntColumn) column).values()[row];
    }

    @Override
    void give(int slot, ColumnBuilder builder) {
      builder.addInt(values[slot]);
    }

    @Override
    Column column(int[] slots, boolean @Nullable [] mask, int count) {
      int[] gathered = new int[count];
      for (int i = 0; i < count; i++) {
        if (mask == null || !mask[i]) {
          gathered[i] = values[slots[i]];
        }
      }
      return new IntColumn(gathered, mask, count);
    }

    @Override
    Object value(int slot) {
      return values[slot];
    }

    @Override
    int compare(int left, int right) {
      return Integer.compare(values[left], values[right]);
    }
  }

  private static final class Doubles extends SlotColumn {
    private double[] values = {};

    Doubles(Type type) {
      super(type);
    }

    @Override
    void ensure(int capacity) {
      super.ensure(capacity);
      values = Arrays.copyOf(values, capacity);
    }

    @Override
    void take(int slot, Column column, int row) {
      values[slot] = ((DoubleColumn) column).values()[row];
    }

    @Override
    void give(int slot, ColumnBuilder builder) {
      builder.addDouble(values[slot]);
    }

    @Override
    Column column(int[] slots, boolean @Nullable [] mask, int count) {
      double[] gathered = new double[count];
      for (int i = 0; i < count; i++) {
        if (mask == null || !mask[i]) {
          gathered[i] = values[slots[i]];
        }
      }
      return new DoubleColumn(gathered, mask, count);
    }

    @Override
    Object value(int slot) {
      return values[slot];
    }

    @Override
    int compare(int left, int right) {
      return Double.compare(values[left], values[right]);
    }
  }

  private static final class Floats extends SlotColumn {
    private float[] values = {};

    Floats(Type type) {
      super(type);
    }

    @Override
    void ensure(int capacity) {
      super.ensure(capacity);
      values = Arrays.copyOf(values, capacity);
    }

    @Override
    void take(int slot, Column column, int row) {
      values[slot] = ((FloatColumn) column).values()[row];
    }

    @Override
    void give(int slot, ColumnBuilder builder) {
      builder.addFloat(values[slot]);
    }

    @Override
    Column column(int[] slots, boolean @Nullable [] mask, int count) {
      float[] gathered = new float[count];
      for (int i = 0; i < count; i++) {
        if (mask == null || !mask[i]) {
          gathered[i] = values[slots[i]];
        }
      }
      return new FloatColumn(gathered, mask, count);
    }

    @Override
    Object value(int slot) {
      return values[slot];
    }

    @Override
    int compare(int left, int right) {
      return Float.compare(values[left], values[right]);
    }
  }

  private static final class Booleans extends SlotColumn {
    private boolean[] values = {};

    Booleans(Type type) {
      super(type);
    }

    @Override
    void ensure(int capacity) {
      super.ensure(capacity);
      values = Arrays.copyOf(values, capacity);
    }

    @Override
    void take(int slot, Column column, int row) {
      values[slot] = ((BooleanColumn) column).values()[row];
    }

    @Override
    void give(int slot, ColumnBuilder builder) {
      builder.addBoolean(values[slot]);
    }

    @Override
    Column column(int[] slots, boolean @Nullable [] mask, int count) {
      boolean[] gathered = new boolean[count];
      for (int i = 0; i < count; i++) {
        if (mask == null || !mask[i]) {
          gathered[i] = values[slots[i]];
        }
      }
      return new BooleanColumn(gathered, mask, count);
    }

    @Override
    Object value(int slot) {
      return values[slot];
    }

    @Override
    int compare(int left, int right) {
      return Boolean.compare(values[left], values[right]);
    }
  }

  /** Strings, and what is rare: decimals, arrays, rows. */
  private static final class References extends SlotColumn {
    private final boolean strings;
    private @Nullable Object[] values = {};

    References(Type type, boolean strings) {
      super(type);
      this.strings = strings;
    }

    @Override
    void ensure(int capacity) {
      super.ensure(capacity);
      values = Arrays.copyOf(values, capacity);
    }

    @Override
    void take(int slot, Column column, int row) {
      values[slot] = column.value(row);
    }

    @Override
    void give(int slot, ColumnBuilder builder) {
      builder.add(values[slot]);
    }

    @Override
    Column column(int[] slots, boolean @Nullable [] mask, int count) {
      if (strings) {
        @Nullable String[] gathered = new String[count];
        for (int i = 0; i < count; i++) {
          gathered[i] = mask != null && mask[i] ? null : (String) values[slots[i]];
        }
        return StringColumn.of(gathered, count);
      }
      ColumnBuilder builder = ColumnBuilder.of(type());
      for (int i = 0; i < count; i++) {
        builder.add(mask != null && mask[i] ? null : values[slots[i]]);
      }
      return builder.build();
    }

    @Override
    Object value(int slot) {
      return Objects.requireNonNull(values[slot]);
    }

    @Override
    int compare(int left, int right) {
      Object value = value(left);
      return switch (value) {
        case BigDecimal decimal -> decimal.compareTo((BigDecimal) value(right));
        case String string -> StringColumn.compare(string, (String) value(right));
        default -> throw new IllegalArgumentException("an ARRAY or ROW has no order");
      };
    }

    @Override
    void forget(int slot) {
      values[slot] = null;
    }
  }
}
