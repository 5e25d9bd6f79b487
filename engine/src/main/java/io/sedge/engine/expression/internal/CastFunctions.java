package io.sedge.engine.expression.internal;

import io.sedge.engine.column.BooleanColumn;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.DecimalColumn;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.FloatColumn;
import io.sedge.engine.column.IntColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.column.StringColumn;
import io.sedge.engine.expression.EvaluationException;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.expression.ScalarFunction;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Kind.Storage;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * CAST and TRY_CAST. Numbers are cut as Java cuts them, decimals rounded half up and NULL where
 * they do not fit; what a string does not spell fails, or is NULL with TRY_CAST.
 */
public final class CastFunctions {
  /** From a column to a column of as many rows. */
  @FunctionalInterface
  interface Conversion {
    Column apply(Column column, int rows);
  }

  private CastFunctions() {}

  public static void register(FunctionTable table, ZoneId zone) {
    table.add("CAST", 1, (arguments, result) -> bind(arguments, result, zone, false));
    RowFunctions.add(
        table, "TYPEOF", "*[b]", false, (types, result) -> row -> types.getFirst().toString());
    table.add("TRY_CAST", 1, (arguments, result) -> bind(arguments, result, zone, true));
  }

  private static @Nullable ScalarFunction bind(
      List<Expression> arguments, Type result, ZoneId zone, boolean lenient) {
    Conversion conversion = conversion(arguments.getFirst().type(), result, zone, lenient);
    return conversion == null
        ? null
        : (columns, rows) -> conversion.apply(columns.getFirst(), rows);
  }

  /** How to cast; null if there is no cast between these types. */
  private static @Nullable Conversion conversion(Type from, Type to, ZoneId zone, boolean lenient) {
    if (from.kind() == Kind.NULL) {
      return (column, rows) -> Constants.nulls(to, rows);
    }
    if (from.kind().isString()) {
      return fromString(from, to, zone, lenient);
    }
    if (to.kind().isString()) {
      return toString(from, to, zone);
    }
    if (from.kind() == Kind.BOOLEAN && to.kind().isNumeric()) {
      return (column, rows) -> numbers(zeroOrOne(column, rows), to, lenient);
    }
    if (from.kind().isNumeric() && to.kind() == Kind.BOOLEAN) {
      return CastFunctions::notZero;
    }
    if (from.kind().isNumeric() && to.kind().isNumeric()) {
      return from.withNullable(true).equals(to.withNullable(true))
          ? (column, rows) -> column
          : (column, rows) -> numbers(column, to, lenient);
    }
    if (sameButForNulls(from, to)) {
      return (column, rows) -> column;
    }
    return from.kind() == Kind.ARRAY || from.kind() == Kind.ROW
        ? NestedCasts.conversion(from, to, (a, b) -> conversion(a, b, zone, lenient))
        : TimeCasts.conversion(from, to, zone);
  }

  private static boolean sameButForNulls(Type from, Type to) {
    if (from.kind() == Kind.ARRAY || from.kind() == Kind.ROW) {
      boolean same = from.kind() == to.kind() && from.children().size() == to.children().size();
      for (int i = 0; same && i < from.children().size(); i++) {
        same = sameButForNulls(from.children().get(i), to.children().get(i));
      }
      return same;
    }
    return from.withNullable(true).equals(to.withNullable(true));
  }

  private static Column numbers(Column column, Type to, boolean lenient) {
    int rows = column.size();
    return switch (to.kind()) {
      case DOUBLE -> new DoubleColumn(Numbers.doubles(column), column.nulls(), rows);
      case FLOAT -> new FloatColumn(Numbers.floats(column), column.nulls(), rows);
      case BIGINT -> new LongColumn(Numbers.longs(column), column.nulls(), rows);
      case INT -> new IntColumn(Numbers.ints(column), column.nulls(), rows);
      case TINYINT, SMALLINT -> {
        int[] values = new int[rows];
        System.arraycopy(Numbers.ints(column), 0, values, 0, rows);
        ArithmeticFunctions.narrow(values, to.kind(), rows);
        yield new IntColumn(values, column.nulls(), rows);
      }
      default -> decimals(column, to, lenient);
    };
  }

  private static Column decimals(Column column, Type to, boolean lenient) {
    int rows = column.size();
    if (!lenient && (column instanceof DoubleColumn || column instanceof FloatColumn)) {
      double[] values = Numbers.doubles(column);
      for (int i = 0; i < rows; i++) {
        if (!Double.isFinite(values[i]) && !column.isNull(i)) {
          throw new EvaluationException(
              "CAST(%s AS %s): a DECIMAL is finite; TRY_CAST gives NULL instead"
                  .formatted(values[i], to.withNullable(true)));
        }
      }
    }
    @Nullable BigDecimal[] values = new BigDecimal[rows];
    System.arraycopy(Numbers.decimals(column), 0, values, 0, rows);
    return Numbers.decimalColumn(values, to, rows);
  }

  private static IntColumn zeroOrOne(Column column, int rows) {
    boolean[] values = Numbers.booleans(column);
    int[] result = new int[rows];
    for (int i = 0; i < rows; i++) {
      result[i] = values[i] ? 1 : 0;
    }
    return new IntColumn(result, column.nulls(), rows);
  }

  private static BooleanColumn notZero(Column column, int rows) {
    boolean[] result = new boolean[rows];
    if (column instanceof DecimalColumn decimals) {
      for (int i = 0; i < rows; i++) {
        BigDecimal value = decimals.values()[i];
        result[i] = value != null && value.signum() != 0;
      }
    } else if (column instanceof LongColumn longs) {
      for (int i = 0; i < rows; i++) {
        result[i] = longs.values()[i] != 0;
      }
    } else {
      double[] values = Numbers.doubles(column);
      for (int i = 0; i < rows; i++) {
        result[i] = values[i] != 0;
      }
    }
    Masks.clear(result, column.nulls(), rows);
    return new BooleanColumn(result, column.nulls(), rows);
  }

  private static @Nullable Conversion fromString(Type from, Type to, ZoneId zone, boolean lenient) {
    if (to.kind().isString() && !Texts.mustFit(from, to)) {
      return (column, rows) -> column;
    }
    StringMemo.Body body =
        switch (to.kind()) {
          case BOOLEAN -> Texts::toBoolean;
          case TINYINT, SMALLINT, INT, BIGINT -> text -> Texts.toInteger(text, to);
          case FLOAT -> Texts::toFloat;
          case DOUBLE -> Texts::toDouble;
          case DECIMAL -> text -> Texts.toDecimal(text, to);
          case CHAR, VARCHAR -> text -> Texts.fit(text, to);
          case DATE, TIME, TIMESTAMP, TIMESTAMP_LTZ -> TimeCasts.parser(to, zone);
          default -> null;
        };
    if (body == null) {
      return null;
    }
    StringMemo memo = new StringMemo(lenient ? orNull(body) : body, to);
    return (column, rows) -> memo.apply((StringColumn) column, rows);
  }

  private static StringMemo.Body orNull(StringMemo.Body body) {
    return text -> {
      try {
        return body.apply(text);
      } catch (EvaluationException unfit) {
        return null;
      }
    };
  }

  private static @Nullable Conversion toString(Type from, Type to, ZoneId zone) {
    TextOf text = textOf(from, zone);
    if (text == null) {
      return null;
    }
    boolean fits = to.kind() == Kind.VARCHAR && to.precision() == Type.MAX_LENGTH;
    return (column, rows) -> {
      @Nullable String[] values = new String[rows];
      for (int i = 0; i < rows; i++) {
        if (!column.isNull(i)) {
          String value = text.of(column, i);
          values[i] = fits ? value : Texts.fit(value, to);
        }
      }
      return StringColumn.of(values, rows);
    };
  }

  /** The text of a row that is not null. */
  @FunctionalInterface
  interface TextOf {
    String of(Column column, int row);
  }

  /** How values of a type are written; null if they cannot be. */
  static @Nullable TextOf textOf(Type from, ZoneId zone) {
    return switch (from.kind()) {
      case BOOLEAN -> (column, row) -> Numbers.booleans(column)[row] ? "TRUE" : "FALSE";
      case TINYINT, SMALLINT, INT ->
          (column, row) -> Integer.toString(((IntColumn) column).values()[row]);
      case BIGINT -> (column, row) -> Long.toString(((LongColumn) column).values()[row]);
      case FLOAT -> (column, row) -> Float.toString(((FloatColumn) column).values()[row]);
      case DOUBLE -> (column, row) -> Double.toString(((DoubleColumn) column).values()[row]);
      case DECIMAL ->
          (column, row) ->
              Objects.requireNonNull(((DecimalColumn) column).values()[row]).toPlainString();
      case CHAR, VARCHAR -> (column, row) -> ((StringColumn) column).string(row);
      case ARRAY, ROW -> NestedCasts.textOf(from, child -> textOf(child, zone));
      default ->
          from.storage() == Storage.LONG || from.storage() == Storage.INT
              ? TimeCasts.textOf(from, zone)
              : null;
    };
  }
}
