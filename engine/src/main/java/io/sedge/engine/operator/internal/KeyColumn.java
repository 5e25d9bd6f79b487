package io.sedge.engine.operator.internal;

import io.sedge.engine.column.ArrayColumn;
import io.sedge.engine.column.BooleanColumn;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.column.DecimalColumn;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.FloatColumn;
import io.sedge.engine.column.IntColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.column.RowColumn;
import io.sedge.engine.column.StringColumn;
import io.sedge.engine.type.Type;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One column of the keys of a {@link KeyTable}, one value per slot. Null equals null; numbers in
 * floating point are equal if their bits are, as in Flink.
 */
abstract sealed class KeyColumn {
  private static final int NULL_HASH = 0x3C6EF372;

  /** A column for keys of a type. */
  static KeyColumn of(Type type) {
    return switch (type.storage()) {
      case BOOLEAN, INT, LONG, FLOAT, DOUBLE -> new Words(type);
      case DECIMAL, STRING, ARRAY, ROW -> new Boxes();
    };
  }

  /** Mixes the hash of each row's value into {@code hashes}. */
  abstract void hash(Column column, int[] rows, int count, int[] hashes);

  abstract boolean same(int slot, Column column, int row);

  abstract boolean same(int slot, KeyColumn other, int otherSlot);

  abstract void set(int slot, Column column, int row);

  abstract void set(int slot, KeyColumn other, int otherSlot);

  abstract @Nullable Object value(int slot);

  abstract void append(int slot, ColumnBuilder output);

  abstract void ensureSlots(int slots);

  /** Spreads the bits of a word over an int. */
  static int mix(long word) {
    long product = word * 0x9E3779B97F4A7C15L;
    return (int) (product ^ (product >>> 32));
  }

  static int combine(int hash, int value) {
    return mix(hash * 31L + value);
  }

  /** Numbers and booleans as words. */
  static final class Words extends KeyColumn {
    private final Type type;
    private long[] words = new long[16];
    private boolean @Nullable [] nulls;

    Words(Type type) {
      this.type = type;
    }

    static long word(Column column, int row) {
      return switch (column) {
        case LongColumn longs -> longs.values()[row];
        case IntColumn ints -> ints.values()[row];
        case DoubleColumn doubles -> Double.doubleToRawLongBits(doubles.values()[row]);
        case FloatColumn floats -> Float.floatToRawIntBits(floats.values()[row]);
        case BooleanColumn booleans -> booleans.values()[row] ? 1 : 0;
        case DecimalColumn _, StringColumn _, ArrayColumn _, RowColumn _ ->
            throw new IllegalStateException("not a word: " + column.getClass().getSimpleName());
      };
    }

    /** The hash of a key that is this word alone, as {@link #hash} makes it. */
    static int hashOf(long word) {
      return combine(0, mix(word));
    }

    boolean is(int slot, long word) {
      return words[slot] == word && !isNull(slot);
    }

    private boolean isNull(int slot) {
      return nulls != null && nulls[slot];
    }

    @Override
    void hash(Column column, int[] rows, int count, int[] hashes) {
      for (int i = 0; i < count; i++) {
        int hash = column.isNull(rows[i]) ? NULL_HASH : mix(word(column, rows[i]));
        hashes[i] = combine(hashes[i], hash);
      }
    }

    @Override
    boolean same(int slot, Column column, int row) {
      return isNull(slot)
          ? column.isNull(row)
          : !column.isNull(row) && words[slot] == word(column, row);
    }

    @Override
    boolean same(int slot, KeyColumn other, int otherSlot) {
      Words from = (Words) other;
      return isNull(slot)
          ? from.isNull(otherSlot)
          : !from.isNull(otherSlot) && words[slot] == from.words[otherSlot];
    }

    @Override
    void set(int slot, Column column, int row) {
      set(slot, column.isNull(row), column.isNull(row) ? 0 : word(column, row));
    }

    @Override
    void set(int slot, KeyColumn other, int otherSlot) {
      Words from = (Words) other;
      set(slot, from.isNull(otherSlot), from.words[otherSlot]);
    }

    void set(int slot, boolean isNull, long word) {
      words[slot] = word;
      if (isNull) {
        if (nulls == null) {
          nulls = new boolean[words.length];
        }
        nulls[slot] = true;
      }
    }

    @Override
    @Nullable Object value(int slot) {
      if (isNull(slot)) {
        return null;
      }
      long word = words[slot];
      return switch (type.storage()) {
        case BOOLEAN -> word != 0;
        case INT -> (int) word;
        case FLOAT -> Float.intBitsToFloat((int) word);
        case DOUBLE -> Double.longBitsToDouble(word);
        default -> word;
      };
    }

    @Override
    void append(int slot, ColumnBuilder output) {
      if (isNull(slot)) {
        output.addNull();
        return;
      }
      switch (type.storage()) {
        case INT -> output.addInt((int) words[slot]);
        case LONG -> output.addLong(words[slot]);
        default -> output.add(value(slot));
      }
    }

    @Override
    void ensureSlots(int slots) {
      if (slots > words.length) {
        words = Arrays.copyOf(words, Math.max(slots, words.length * 2));
        nulls = nulls == null ? null : Arrays.copyOf(nulls, words.length);
      }
    }
  }

  /** Strings, decimals, arrays and rows in object form. */
  static final class Boxes extends KeyColumn {
    private @Nullable Object[] values = new Object[16];

    @Override
    void hash(Column column, int[] rows, int count, int[] hashes) {
      for (int i = 0; i < count; i++) {
        Object value = column.value(rows[i]);
        hashes[i] = combine(hashes[i], value == null ? NULL_HASH : value.hashCode());
      }
    }

    @Override
    boolean same(int slot, Column column, int row) {
      return Objects.equals(values[slot], column.value(row));
    }

    @Override
    boolean same(int slot, KeyColumn other, int otherSlot) {
      return Objects.equals(values[slot], ((Boxes) other).values[otherSlot]);
    }

    @Override
    void set(int slot, Column column, int row) {
      values[slot] = column.value(row);
    }

    @Override
    void set(int slot, KeyColumn other, int otherSlot) {
      values[slot] = ((Boxes) other).values[otherSlot];
    }

    @Override
    @Nullable Object value(int slot) {
      return values[slot];
    }

    @Override
    void append(int slot, ColumnBuilder output) {
      output.add(values[slot]);
    }

    @Override
    void ensureSlots(int slots) {
      if (slots > values.length) {
        values = Arrays.copyOf(values, Math.max(slots, values.length * 2));
      }
    }
  }
}
