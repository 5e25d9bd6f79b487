package io.sedge.engine.expression.internal;

import io.sedge.engine.column.BooleanColumn;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.column.Dictionary;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.FloatColumn;
import io.sedge.engine.column.IntColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.column.StringColumn;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Puts columns together from rows of others, with numbers converted to the result's storage. */
abstract class Assembler {
  /** A column in the making. Every row is put exactly once. */
  abstract static class Result {
    private final int rows;
    private final boolean[] nulls;
    private boolean anyNull;

    Result(int rows) {
      this.rows = rows;
      this.nulls = new boolean[rows];
    }

    /** Row {@code to[i]} of the result becomes row {@code from[i]} of the column. */
    final void put(Column column, Type type, int[] from, int[] to, int count) {
      if (type.kind() == Kind.NULL) {
        putNulls(to, count);
        return;
      }
      boolean[] columnNulls = column.nulls();
      if (columnNulls != null) {
        for (int i = 0; i < count; i++) {
          nulls[to[i]] = columnNulls[from[i]];
          anyNull |= columnNulls[from[i]];
        }
      }
      copy(column, from, to, count);
    }

    final void putNulls(int[] to, int count) {
      for (int i = 0; i < count; i++) {
        nulls[to[i]] = true;
      }
      anyNull |= count > 0;
    }

    final Column build() {
      return finish(anyNull ? nulls : null, rows);
    }

    abstract void copy(Column column, int[] from, int[] to, int count);

    abstract Column finish(boolean @Nullable [] nullMask, int size);
  }

  abstract Result begin(int rows);

  static Assembler of(Type type) {
    return switch (type.storage()) {
      case BOOLEAN -> simple(Booleans::new);
      case INT -> simple(Ints::new);
      case LONG -> simple(Longs::new);
      case FLOAT -> simple(Floats::new);
      case DOUBLE -> simple(Doubles::new);
      case DECIMAL -> simple(rows -> new Decimals(rows, type));
      case STRING -> {
        StringMerger merger = new StringMerger();
        yield simple(rows -> new Texts(rows, merger));
      }
      case ARRAY, ROW -> simple(rows -> new Objects(rows, type));
    };
  }

  private interface Factory {
    Result begin(int rows);
  }

  private static Assembler simple(Factory factory) {
    return new Assembler() {
      @Override
      Result begin(int rows) {
        return factory.begin(rows);
      }
    };
  }

  private static final class Booleans extends Result {
    private final boolean[] values;

    Booleans(int rows) {
      super(rows);
      values = new boolean[rows];
    }

    @Override
    void copy(Column column, int[] from, int[] to, int count) {
      boolean[] source = Numbers.booleans(column);
      for (int i = 0; i < count; i++) {
        values[to[i]] = source[from[i]];
      }
    }

    @Override
    Column finish(boolean @Nullable [] nullMask, int size) {
      return new BooleanColumn(values, nullMask, size);
    }
  }

  private static final class Ints extends Result {
    private final int[] values;

    Ints(int rows) {
      super(rows);
      values = new int[rows];
    }

    @Override
    void copy(Column column, int[] from, int[] to, int count) {
      int[] source = Numbers.ints(column);
      for (int i = 0; i < count; i++) {
        values[to[i]] = source[from[i]];
      }
    }

    @Override
    Column finish(boolean @Nullable [] nullMask, int size) {
      return new IntColumn(values, nullMask, size);
    }
  }

  private static final class Longs extends Result {
    private final long[] values;

    Longs(int rows) {
      super(rows);
      values = new long[rows];
    }

    @Override
    void copy(Column column, int[] from, int[] to, int count) {
      long[] source = Numbers.longs(column);
      for (int i = 0; i < count; i++) {
        values[to[i]] = source[from[i]];
      }
    }

    @Override
    Column finish(boolean @Nullable [] nullMask, int size) {
      return new LongColumn(values, nullMask, size);
    }
  }

  private static final class Floats extends Result {
    private final float[] values;

    Floats(int rows) {
      super(rows);
      values = new float[rows];
    }

    @Override
    void copy(Column column, int[] from, int[] to, int count) {
      float[] source = Numbers.floats(column);
      for (int i = 0; i < count; i++) {
        values[to[i]] = source[from[i]];
      }
    }

    @Override
    Column finish(boolean @Nullable [] nullMask, int size) {
      return new FloatColumn(values, nullMask, size);
    }
  }

  private static final class Doubles extends Result {
    private final double[] values;

    Doubles(int rows) {
      super(rows);
      values = new double[rows];
    }

    @Override
    void copy(Column column, int[] from, int[] to, int count) {
      double[] source = Numbers.doubles(column);
      for (int i = 0; i < count; i++) {
        values[to[i]] = source[from[i]];
      }
    }

    @Override
    Column finish(boolean @Nullable [] nullMask, int size) {
      return new DoubleColumn(values, nullMask, size);
    }
  }

  private static final class Decimals extends Result {
    private final @Nullable BigDecimal[] values;
    private final Type type;

    Decimals(int rows, Type type) {
      super(rows);
      this.values = new BigDecimal[rows];
      this.type = type;
    }

    @Override
    void copy(Column column, int[] from, int[] to, int count) {
      @Nullable BigDecimal[] source = Numbers.decimals(column);
      for (int i = 0; i < count; i++) {
        values[to[i]] = column.isNull(from[i]) ? null : source[from[i]];
      }
    }

    @Override
    Column finish(boolean @Nullable [] nullMask, int size) {
      return Numbers.decimalColumn(values, type, size);
    }
  }

  private static final class Texts extends Result {
    private final StringMerger merger;
    private final Dictionary dictionary;
    private final int[] codes;

    Texts(int rows, StringMerger merger) {
      super(rows);
      this.merger = merger;
      this.dictionary = merger.begin();
      this.codes = new int[rows];
    }

    @Override
    void copy(Column column, int[] from, int[] to, int count) {
      merger.copy((StringColumn) column, from, codes, to, count);
    }

    @Override
    Column finish(boolean @Nullable [] nullMask, int size) {
      return new StringColumn(codes, dictionary, nullMask, size);
    }
  }

  private static final class Objects extends Result {
    private final @Nullable Object[] values;
    private final Type type;

    Objects(int rows, Type type) {
      super(rows);
      this.values = new Object[rows];
      this.type = type;
    }

    @Override
    void copy(Column column, int[] from, int[] to, int count) {
      for (int i = 0; i < count; i++) {
        values[to[i]] = column.value(from[i]);
      }
    }

    @Override
    Column finish(boolean @Nullable [] nullMask, int size) {
      ColumnBuilder builder = ColumnBuilder.of(type);
      for (int i = 0; i < size; i++) {
        builder.add(values[i]);
      }
      return builder.build();
    }
  }
}
