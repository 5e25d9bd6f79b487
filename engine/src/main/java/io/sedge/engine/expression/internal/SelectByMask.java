package io.sedge.engine.expression.internal;

import io.sedge.engine.column.BooleanColumn;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.IntColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import org.jspecify.annotations.Nullable;

/** Takes each row from one of two columns: the short way of a CASE whose values are cheap. */
final class SelectByMask {
  private SelectByMask() {}

  /** Whether there is a short way to a type from these. */
  static boolean takes(Type result, Type first, Type second) {
    boolean numbers =
        switch (result.storage()) {
          case DOUBLE, LONG, INT -> true;
          case BOOLEAN, FLOAT, DECIMAL, STRING, ARRAY, ROW -> false;
        };
    return numbers && fits(first, result) && fits(second, result);
  }

  private static boolean fits(Type from, Type to) {
    return from.storage() == to.storage() || from.kind() == Kind.NULL;
  }

  /** Which rows of a condition are true. */
  static boolean[] truth(BooleanColumn condition) {
    boolean[] values = condition.values();
    boolean[] nulls = condition.nulls();
    if (nulls == null) {
      return values;
    }
    int rows = condition.size();
    boolean[] result = new boolean[rows];
    for (int i = 0; i < rows; i++) {
      boolean value = values[i];
      value &= !nulls[i];
      result[i] = value;
    }
    return result;
  }

  /** The first column where {@code which} is true, else the second. */
  static Column of(boolean[] which, Column first, Column second, Type result, int rows) {
    boolean[] nulls = nulls(which, first.nulls(), second.nulls(), rows);
    return switch (result.storage()) {
      case DOUBLE -> {
        double[] values = new double[rows];
        choose(which, doubles(first, rows), doubles(second, rows), values, rows);
        Masks.clear(values, nulls, rows);
        yield new DoubleColumn(values, nulls, rows);
      }
      case LONG -> {
        long[] values = new long[rows];
        choose(which, longs(first, rows), longs(second, rows), values, rows);
        Masks.clear(values, nulls, rows);
        yield new LongColumn(values, nulls, rows);
      }
      case INT -> {
        int[] values = new int[rows];
        choose(which, ints(first, rows), ints(second, rows), values, rows);
        Masks.clear(values, nulls, rows);
        yield new IntColumn(values, nulls, rows);
      }
      case BOOLEAN, FLOAT, DECIMAL, STRING, ARRAY, ROW ->
          throw new IllegalArgumentException("no short way to " + result);
    };
  }

  private static double[] doubles(Column column, int rows) {
    return column instanceof DoubleColumn doubles ? doubles.values() : new double[rows];
  }

  private static long[] longs(Column column, int rows) {
    return column instanceof LongColumn longs ? longs.values() : new long[rows];
  }

  private static int[] ints(Column column, int rows) {
    return column instanceof IntColumn ints ? ints.values() : new int[rows];
  }

  private static void choose(
      boolean[] which, double[] first, double[] second, double[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = which[i] ? first[i] : second[i];
    }
  }

  private static void choose(
      boolean[] which, long[] first, long[] second, long[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = which[i] ? first[i] : second[i];
    }
  }

  private static void choose(boolean[] which, int[] first, int[] second, int[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = which[i] ? first[i] : second[i];
    }
  }

  private static boolean @Nullable [] nulls(
      boolean[] which, boolean @Nullable [] first, boolean @Nullable [] second, int rows) {
    if (first == null && second == null) {
      return null;
    }
    boolean[] result = new boolean[rows];
    for (int i = 0; i < rows; i++) {
      result[i] = which[i] ? first != null && first[i] : second != null && second[i];
    }
    return Masks.trimmed(result, rows);
  }
}
