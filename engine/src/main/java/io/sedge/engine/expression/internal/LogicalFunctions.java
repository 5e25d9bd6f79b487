package io.sedge.engine.expression.internal;

import io.sedge.engine.column.BooleanColumn;
import io.sedge.engine.column.Column;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.expression.ScalarFunction;
import io.sedge.engine.type.Kind;
import java.util.List;

/**
 * Three-valued logic. The evaluator takes AND and OR to these kernels only where all arguments may
 * be evaluated for all rows; else it goes argument by argument.
 */
public final class LogicalFunctions {
  private LogicalFunctions() {}

  public static void register(FunctionTable table) {
    table.add("AND", 2, FunctionTable.ANY, ofBooleans(LogicalFunctions::and));
    table.add("OR", 2, FunctionTable.ANY, ofBooleans(LogicalFunctions::or));
    table.add("NOT", 1, ofBooleans((columns, rows) -> not(columns.getFirst(), rows)));
    truthTest(table, "IS TRUE", true, false, true);
    truthTest(table, "IS NOT TRUE", true, true, false);
    truthTest(table, "IS FALSE", false, false, true);
    truthTest(table, "IS NOT FALSE", false, true, false);
    table.add(
        "IS UNKNOWN", 1, (arguments, result) -> (columns, rows) -> unknown(columns, rows, true));
    table.add(
        "IS NOT UNKNOWN",
        1,
        (arguments, result) -> (columns, rows) -> unknown(columns, rows, false));
  }

  private static Binder ofBooleans(ScalarFunction function) {
    return (arguments, result) -> areBooleans(arguments) ? function : null;
  }

  private static boolean areBooleans(List<Expression> arguments) {
    for (Expression argument : arguments) {
      Kind kind = argument.type().kind();
      if (kind != Kind.BOOLEAN && kind != Kind.NULL) {
        return false;
      }
    }
    return true;
  }

  private static void truthTest(
      FunctionTable table, String name, boolean truth, boolean ofNull, boolean ofMatch) {
    table.add(
        name,
        1,
        ofBooleans(
            (columns, rows) -> {
              boolean[] from = Numbers.booleans(columns.getFirst());
              boolean[] nulls = columns.getFirst().nulls();
              boolean[] values = new boolean[rows];
              for (int i = 0; i < rows; i++) {
                values[i] = (nulls != null && nulls[i]) ? ofNull : (from[i] == truth) == ofMatch;
              }
              return new BooleanColumn(values, null, rows);
            }));
  }

  private static BooleanColumn unknown(List<Column> columns, int rows, boolean wanted) {
    boolean[] nulls = columns.getFirst().nulls();
    boolean[] values = new boolean[rows];
    for (int i = 0; i < rows; i++) {
      values[i] = (nulls != null && nulls[i]) == wanted;
    }
    return new BooleanColumn(values, null, rows);
  }

  private static BooleanColumn not(Column column, int rows) {
    boolean[] from = Numbers.booleans(column);
    boolean[] nulls = column.nulls();
    boolean[] values = new boolean[rows];
    for (int i = 0; i < rows; i++) {
      values[i] = !from[i];
    }
    Masks.clear(values, nulls, rows);
    return new BooleanColumn(values, nulls, rows);
  }

  private static BooleanColumn and(List<Column> columns, int rows) {
    BooleanColumn result = (BooleanColumn) columns.getFirst();
    for (int i = 1; i < columns.size(); i++) {
      result = and(result, (BooleanColumn) columns.get(i), rows);
    }
    return result;
  }

  private static BooleanColumn or(List<Column> columns, int rows) {
    BooleanColumn result = (BooleanColumn) columns.getFirst();
    for (int i = 1; i < columns.size(); i++) {
      result = or(result, (BooleanColumn) columns.get(i), rows);
    }
    return result;
  }

  static BooleanColumn and(BooleanColumn left, BooleanColumn right, int rows) {
    boolean[] a = left.values();
    boolean[] b = right.values();
    boolean[] values = new boolean[rows];
    if (left.nulls() == null && right.nulls() == null) {
      for (int i = 0; i < rows; i++) {
        boolean value = a[i];
        value &= b[i];
        values[i] = value;
      }
      return new BooleanColumn(values, null, rows);
    }
    boolean[] nulls = new boolean[rows];
    for (int i = 0; i < rows; i++) {
      boolean leftNull = left.isNull(i);
      boolean rightNull = right.isNull(i);
      boolean isFalse = (!leftNull && !a[i]) || (!rightNull && !b[i]);
      nulls[i] = (leftNull || rightNull) && !isFalse;
      values[i] = !isFalse && !nulls[i];
    }
    return new BooleanColumn(values, Masks.trimmed(nulls, rows), rows);
  }

  static BooleanColumn or(BooleanColumn left, BooleanColumn right, int rows) {
    boolean[] a = left.values();
    boolean[] b = right.values();
    boolean[] values = new boolean[rows];
    if (left.nulls() == null && right.nulls() == null) {
      for (int i = 0; i < rows; i++) {
        boolean value = a[i];
        value |= b[i];
        values[i] = value;
      }
      return new BooleanColumn(values, null, rows);
    }
    boolean[] nulls = new boolean[rows];
    for (int i = 0; i < rows; i++) {
      boolean leftNull = left.isNull(i);
      boolean rightNull = right.isNull(i);
      boolean isTrue = (!leftNull && a[i]) || (!rightNull && b[i]);
      nulls[i] = (leftNull || rightNull) && !isTrue;
      values[i] = isTrue;
    }
    return new BooleanColumn(values, Masks.trimmed(nulls, rows), rows);
  }
}
