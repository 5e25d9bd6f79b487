package io.sedge.engine.expression.internal;

import io.sedge.engine.column.ArrayColumn;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.RowColumn;
import io.sedge.engine.expression.internal.CastFunctions.Conversion;
import io.sedge.engine.expression.internal.CastFunctions.TextOf;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Casts of arrays and rows: element by element, field by field. */
final class NestedCasts {
  private NestedCasts() {}

  /**
   * A cast from an array to an array, or from a row to a row of as many fields.
   *
   * @param inner how to cast elements and fields; null if they cannot be
   */
  static @Nullable Conversion conversion(
      Type from, Type to, BiFunction<Type, Type, @Nullable Conversion> inner) {
    if (from.kind() != to.kind() || from.children().size() != to.children().size()) {
      return null;
    }
    List<Conversion> conversions = new ArrayList<>();
    for (int i = 0; i < from.children().size(); i++) {
      Conversion conversion = inner.apply(from.children().get(i), to.children().get(i));
      if (conversion == null) {
        return null;
      }
      conversions.add(conversion);
    }
    return from.kind() == Kind.ARRAY
        ? (column, rows) -> array((ArrayColumn) column, rows, conversions.getFirst())
        : (column, rows) -> row((RowColumn) column, rows, conversions);
  }

  /** Only the elements that rows have are cast: another might not be fit for it. */
  private static Column array(ArrayColumn column, int rows, Conversion conversion) {
    int first = column.offsets()[0];
    int[] offsets = new int[rows + 1];
    for (int i = 0; i <= rows; i++) {
      offsets[i] = column.offsets()[i] - first;
    }
    Column elements = column.elements().slice(first, first + offsets[rows]);
    return new ArrayColumn(
        offsets, conversion.apply(elements, offsets[rows]), column.nulls(), rows);
  }

  private static Column row(RowColumn column, int rows, List<Conversion> conversions) {
    List<Column> fields = new ArrayList<>();
    for (int i = 0; i < conversions.size(); i++) {
      Column field = column.field(i);
      Column known = Masks.with(field, Masks.either(field.nulls(), column.nulls(), rows));
      fields.add(conversions.get(i).apply(known, rows));
    }
    return new RowColumn(fields, column.nulls(), rows);
  }

  /**
   * Arrays as {@code [1, NULL]}, rows as {@code (1, NULL)}.
   *
   * @param inner how elements and fields are written; null if they cannot be
   */
  static @Nullable TextOf textOf(Type from, Function<Type, @Nullable TextOf> inner) {
    List<TextOf> texts = new ArrayList<>();
    for (Type child : from.children()) {
      TextOf text = inner.apply(child);
      if (text == null) {
        return null;
      }
      texts.add(text);
    }
    return from.kind() == Kind.ARRAY
        ? (column, row) -> arrayText((ArrayColumn) column, row, texts.getFirst())
        : (column, row) -> rowText((RowColumn) column, row, texts);
  }

  private static String arrayText(ArrayColumn column, int row, TextOf text) {
    List<String> elements = new ArrayList<>();
    for (int i = column.offsets()[row]; i < column.offsets()[row + 1]; i++) {
      elements.add(orNull(column.elements(), i, text));
    }
    return "[" + String.join(", ", elements) + "]";
  }

  private static String rowText(RowColumn column, int row, List<TextOf> texts) {
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      fields.add(orNull(column.field(i), row, texts.get(i)));
    }
    return "(" + String.join(", ", fields) + ")";
  }

  private static String orNull(Column column, int row, TextOf text) {
    return column.isNull(row) ? "NULL" : text.of(column, row);
  }
}
