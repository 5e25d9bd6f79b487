package io.sedge.engine.expression.internal;

import io.sedge.engine.column.ArrayColumn;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.IntColumn;
import io.sedge.engine.column.RowColumn;
import io.sedge.engine.expression.EvaluationException;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.expression.ScalarFunction;
import io.sedge.engine.expression.internal.RowFunctions.Body;
import io.sedge.engine.expression.internal.RowFunctions.Row;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Arrays and rows: building them, taking them apart, and functions of arrays. */
public final class ArrayFunctions {
  private ArrayFunctions() {}

  public static void register(FunctionTable table) {
    table.add("FIELD", 2, (arguments, result) -> field(arguments));
    table.add("DOT", 2, (arguments, result) -> field(arguments));
    table.add("ROW", 0, FunctionTable.ANY, ArrayFunctions::row);
    RowFunctions.lenient(table, "ARRAY", "*+", ArrayFunctions::values);
    RowFunctions.strict(table, "ITEM", "ai", ArrayFunctions::item);
    table.add("CARDINALITY", 1, (arguments, result) -> cardinality(arguments));
    RowFunctions.strict(table, "ELEMENT", "a", row -> element(row.list(0)));
    add(table, "ARRAY_CONTAINS", "a*", (list, row) -> indexOf(list, row.value(1)) >= 0);
    add(table, "ARRAY_POSITION", "a*", ArrayFunctions::position);
    add(table, "ARRAY_REMOVE", "a*", ArrayFunctions::without);
    add(
        table,
        "ARRAY_APPEND",
        "a*",
        (list, row) -> joined(list, Collections.singletonList(row.value(1))));
    add(
        table,
        "ARRAY_PREPEND",
        "a*",
        (list, row) -> joined(Collections.singletonList(row.value(1)), list));
    add(table, "ARRAY_DISTINCT", "a", (list, row) -> distinct(list));
    add(table, "ARRAY_REVERSE", "a", (list, row) -> new ArrayList<>(list).reversed());
    add(table, "ARRAY_MAX", "a", (list, row) -> extreme(list, 1));
    add(table, "ARRAY_MIN", "a", (list, row) -> extreme(list, -1));
    add(table, "ARRAY_SORT", "a[b][b]", ArrayFunctions::sorted);
    RowFunctions.strict(table, "ARRAY_SLICE", "ai[i]", ArrayFunctions::slice);
    RowFunctions.strict(table, "ARRAY_CONCAT", "a+", ArrayFunctions::concat);
    RowFunctions.strict(
        table, "ARRAY_UNION", "aa", row -> distinct(joined(row.list(0), row.list(1))));
    RowFunctions.strict(table, "ARRAY_INTERSECT", "aa", row -> common(row, true));
    RowFunctions.strict(table, "ARRAY_EXCEPT", "aa", row -> common(row, false));
    RowFunctions.strict(table, "ARRAY_JOIN", "as[s]", ArrayFunctions::join);
  }

  /** A function of an array, which is not null, and of other arguments, which may be. */
  private interface ListBody {
    @Nullable Object apply(List<?> list, Row row);
  }

  private static void add(FunctionTable table, String name, String signature, ListBody body) {
    Body guarded = row -> row.isNull(0) ? null : body.apply(row.list(0), row);
    RowFunctions.lenient(table, name, signature, guarded);
  }

  private static @Nullable ScalarFunction field(List<Expression> arguments) {
    if (arguments.getFirst().type().kind() != Kind.ROW
        || !(arguments.getLast() instanceof Expression.Literal literal)
        || !(literal.value() instanceof Integer index)) {
      return null;
    }
    return (columns, rows) -> {
      RowColumn row = (RowColumn) columns.getFirst();
      Column field = row.field(index);
      return Masks.with(field, Masks.either(field.nulls(), row.nulls(), rows));
    };
  }

  private static ScalarFunction row(List<Expression> arguments, Type result) {
    return (columns, rows) -> new RowColumn(columns, null, rows);
  }

  private static @Nullable Object values(Row row) {
    List<@Nullable Object> list = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      list.add(row.value(i));
    }
    return list;
  }

  /** The first element is 1; before it and beyond the end is NULL. */
  private static @Nullable Object item(Row row) {
    int index = row.integer(1);
    List<?> list = row.list(0);
    return index < 1 || index > list.size() ? null : list.get(index - 1);
  }

  private static @Nullable ScalarFunction cardinality(List<Expression> arguments) {
    if (arguments.getFirst().type().kind() != Kind.ARRAY) {
      return null;
    }
    return (columns, rows) -> {
      ArrayColumn column = (ArrayColumn) columns.getFirst();
      int[] offsets = column.offsets();
      int[] values = new int[rows];
      for (int i = 0; i < rows; i++) {
        values[i] = offsets[i + 1] - offsets[i];
      }
      Masks.clear(values, column.nulls(), rows);
      return new IntColumn(values, column.nulls(), rows);
    };
  }

  private static @Nullable Object element(List<?> list) {
    if (list.size() > 1) {
      throw new EvaluationException(
          "ELEMENT of an array with %d elements: one at most is allowed".formatted(list.size()));
    }
    return list.isEmpty() ? null : list.getFirst();
  }

  private static int indexOf(List<?> list, @Nullable Object value) {
    for (int i = 0; i < list.size(); i++) {
      if (Values.same(list.get(i), value)) {
        return i;
      }
    }
    return -1;
  }

  private static @Nullable Object position(List<?> list, Row row) {
    return row.isNull(1) ? null : (Object) (indexOf(list, row.value(1)) + 1);
  }

  private static List<@Nullable Object> without(List<?> list, Row row) {
    List<@Nullable Object> result = new ArrayList<>();
    for (Object value : list) {
      if (!Values.same(value, row.value(1))) {
        result.add(value);
      }
    }
    return result;
  }

  private static List<@Nullable Object> joined(List<?> left, List<?> right) {
    List<@Nullable Object> result = new ArrayList<>(left);
    result.addAll(right);
    return result;
  }

  private static @Nullable Object concat(Row row) {
    List<@Nullable Object> result = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      result.addAll(row.list(i));
    }
    return result;
  }

  private static List<@Nullable Object> distinct(List<?> list) {
    List<@Nullable Object> result = new ArrayList<>();
    for (Object value : list) {
      if (indexOf(result, value) < 0) {
        result.add(value);
      }
    }
    return result;
  }

  private static List<@Nullable Object> common(Row row, boolean wanted) {
    List<@Nullable Object> result = new ArrayList<>();
    for (Object value : row.list(0)) {
      if (indexOf(row.list(1), value) >= 0 == wanted) {
        result.add(value);
      }
    }
    return distinct(result);
  }

  private static @Nullable Object extreme(List<?> list, int sign) {
    Object best = null;
    for (Object value : list) {
      if (value != null && (best == null || Values.compare(value, best) * sign > 0)) {
        best = value;
      }
    }
    return best;
  }

  private static @Nullable Object sorted(List<?> list, Row row) {
    if ((row.size() > 1 && row.isNull(1)) || (row.size() > 2 && row.isNull(2))) {
      return null;
    }
    boolean ascending = row.size() < 2 || (Boolean) row.get(1);
    boolean nullsFirst = row.size() > 2 ? (Boolean) row.get(2) : ascending;
    Comparator<Object> order = ascending ? Values::compare : (a, b) -> Values.compare(b, a);
    List<@Nullable Object> result = new ArrayList<>(list);
    result.sort(nullsFirst ? Comparator.nullsFirst(order) : Comparator.nullsLast(order));
    return result;
  }

  /** Positions count from 1, or from the end if negative. */
  private static @Nullable Object slice(Row row) {
    List<?> list = row.list(0);
    int size = list.size();
    int from =
        row.integer(1) < 0 ? Math.max(0, row.integer(1) + size) : Math.max(0, row.integer(1) - 1);
    int to =
        row.size() < 3 ? size : row.integer(2) < 0 ? row.integer(2) + size + 1 : row.integer(2);
    to = Math.min(to == 0 && row.size() > 2 ? 1 : to, size);
    return from >= to ? List.of() : new ArrayList<@Nullable Object>(list.subList(from, to));
  }

  private static @Nullable Object join(Row row) {
    return row.list(0).stream()
        .map(value -> value == null && row.size() > 2 ? row.text(2) : value)
        .filter(value -> value != null)
        .map(Object::toString)
        .collect(Collectors.joining(row.text(1)));
  }
}
