package io.sedge.engine.expression.internal;

import io.sedge.engine.column.Column;
import io.sedge.engine.column.DecimalColumn;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.FloatColumn;
import io.sedge.engine.column.IntColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.expression.EvaluationException;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.expression.ScalarFunction;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The arithmetic operators. They compute in the kind of the result, as Flink does once its operands
 * are cast; integers wrap around, decimals that do not fit become NULL.
 */
public final class ArithmeticFunctions {
  private ArithmeticFunctions() {}

  /** A binary operator on decimals; both operands are there. */
  @FunctionalInterface
  private interface DecimalOperator {
    BigDecimal apply(BigDecimal left, BigDecimal right);
  }

  /** The kernels of a binary operator, one per storage. */
  private record Operator(
      String sign,
      IntKernels.Kernel ints,
      LongKernels.Kernel longs,
      FloatKernels.Kernel floats,
      DoubleKernels.Kernel doubles,
      DecimalOperator decimals,
      boolean divides) {}

  public static void register(FunctionTable table) {
    binary(
        table,
        new Operator(
            "+",
            IntKernels::add,
            LongKernels::add,
            FloatKernels::add,
            DoubleKernels::add,
            BigDecimal::add,
            false));
    binary(
        table,
        new Operator(
            "-",
            IntKernels::subtract,
            LongKernels::subtract,
            FloatKernels::subtract,
            DoubleKernels::subtract,
            BigDecimal::subtract,
            false));
    binary(
        table,
        new Operator(
            "*",
            IntKernels::multiply,
            LongKernels::multiply,
            FloatKernels::multiply,
            DoubleKernels::multiply,
            BigDecimal::multiply,
            false));
    binary(
        table,
        new Operator(
            "/",
            IntKernels::divide,
            LongKernels::divide,
            FloatKernels::divide,
            DoubleKernels::divide,
            (left, right) -> left.divide(right, Decimals.CONTEXT),
            true));
    for (String sign : List.of("%", "MOD")) {
      binary(
          table,
          new Operator(
              sign,
              IntKernels::remainder,
              LongKernels::remainder,
              FloatKernels::remainder,
              DoubleKernels::remainder,
              BigDecimal::remainder,
              true));
    }
    table.add(
        "+",
        1,
        (arguments, result) -> numeric(result) ? (columns, rows) -> columns.getFirst() : null);
    table.add("-", 1, ArithmeticFunctions::bindNegate);
    table.add("ABS", 1, ArithmeticFunctions::bindAbs);
  }

  private static boolean numeric(Type type) {
    return type.kind().isNumeric();
  }

  private static void binary(FunctionTable table, Operator operator) {
    table.add(operator.sign, 2, (arguments, result) -> bind(operator, arguments, result));
  }

  private static @Nullable ScalarFunction bind(
      Operator operator, List<Expression> arguments, Type result) {
    Type left = arguments.getFirst().type();
    Type right = arguments.getLast().type();
    if (!numeric(left) || !numeric(right) || !numeric(result)) {
      return null;
    }
    if (operator.divides && result.kind().isInteger() && isDecimalOrFloating(left, right)) {
      return null;
    }
    return switch (result.kind()) {
      case DOUBLE -> (columns, rows) -> doubles(operator, columns, rows);
      case FLOAT -> (columns, rows) -> floats(operator, columns, rows);
      case DECIMAL -> (columns, rows) -> decimals(operator, columns, rows, result);
      case BIGINT -> (columns, rows) -> longs(operator, columns, rows);
      case TINYINT, SMALLINT, INT -> bindInts(operator, left, right, result.kind());
      default -> null;
    };
  }

  private static boolean isDecimalOrFloating(Type left, Type right) {
    return !left.kind().isInteger() || !right.kind().isInteger();
  }

  private static ScalarFunction bindInts(Operator operator, Type left, Type right, Kind result) {
    if (left.kind() != Kind.BIGINT && right.kind() != Kind.BIGINT) {
      return (columns, rows) -> ints(operator, columns, rows, result);
    }
    return (columns, rows) -> {
      LongColumn wide = longs(operator, columns, rows);
      return new IntColumn(narrow(Numbers.ints(wide), result, rows), wide.nulls(), rows);
    };
  }

  private static DoubleColumn doubles(Operator operator, List<Column> columns, int rows) {
    double[] values = new double[rows];
    operator.doubles.run(
        Numbers.doubles(columns.getFirst()), Numbers.doubles(columns.getLast()), values, rows);
    boolean[] nulls = Masks.any(columns, rows);
    Masks.clear(values, nulls, rows);
    return new DoubleColumn(values, nulls, rows);
  }

  private static FloatColumn floats(Operator operator, List<Column> columns, int rows) {
    float[] values = new float[rows];
    operator.floats.run(
        Numbers.floats(columns.getFirst()), Numbers.floats(columns.getLast()), values, rows);
    boolean[] nulls = Masks.any(columns, rows);
    Masks.clear(values, nulls, rows);
    return new FloatColumn(values, nulls, rows);
  }

  private static LongColumn longs(Operator operator, List<Column> columns, int rows) {
    long[] left = Numbers.longs(columns.getFirst());
    long[] right = Numbers.longs(columns.getLast());
    boolean[] nulls = Masks.any(columns, rows);
    if (operator.divides) {
      for (int i = 0; i < rows; i++) {
        if (right[i] == 0 && (nulls == null || !nulls[i])) {
          throw divisionByZero(operator, left[i]);
        }
      }
    }
    long[] values = new long[rows];
    operator.longs.run(left, right, values, rows);
    Masks.clear(values, nulls, rows);
    return new LongColumn(values, nulls, rows);
  }

  private static IntColumn ints(Operator operator, List<Column> columns, int rows, Kind result) {
    int[] left = Numbers.ints(columns.getFirst());
    int[] right = Numbers.ints(columns.getLast());
    boolean[] nulls = Masks.any(columns, rows);
    if (operator.divides) {
      for (int i = 0; i < rows; i++) {
        if (right[i] == 0 && (nulls == null || !nulls[i])) {
          throw divisionByZero(operator, left[i]);
        }
      }
    }
    int[] values = new int[rows];
    operator.ints.run(left, right, values, rows);
    Masks.clear(values, nulls, rows);
    return new IntColumn(narrow(values, result, rows), nulls, rows);
  }

  /** Wraps to the width of TINYINT and SMALLINT, in place. */
  static int[] narrow(int[] values, Kind kind, int rows) {
    if (kind == Kind.TINYINT) {
      for (int i = 0; i < rows; i++) {
        values[i] = (byte) values[i];
      }
    } else if (kind == Kind.SMALLINT) {
      for (int i = 0; i < rows; i++) {
        values[i] = (short) values[i];
      }
    }
    return values;
  }

  private static DecimalColumn decimals(
      Operator operator, List<Column> columns, int rows, Type result) {
    @Nullable BigDecimal[] left = Numbers.decimals(columns.getFirst());
    @Nullable BigDecimal[] right = Numbers.decimals(columns.getLast());
    boolean[] nulls = Masks.any(columns, rows);
    @Nullable BigDecimal[] values = new BigDecimal[rows];
    for (int i = 0; i < rows; i++) {
      BigDecimal first = left[i];
      BigDecimal second = right[i];
      if (first != null && second != null && (nulls == null || !nulls[i])) {
        if (operator.divides && second.signum() == 0) {
          throw divisionByZero(operator, first);
        }
        values[i] = operator.decimals.apply(first, second);
      }
    }
    return Numbers.decimalColumn(values, result, rows);
  }

  private static EvaluationException divisionByZero(Operator operator, Object dividend) {
    return new EvaluationException(
        "division by zero: %s %s 0; guard it with NULLIF(divisor, 0) or CASE"
            .formatted(dividend, operator.sign));
  }

  private static @Nullable ScalarFunction bindNegate(List<Expression> arguments, Type result) {
    Kind kind = arguments.getFirst().type().kind();
    return switch (kind) {
      case DOUBLE,
          FLOAT,
          BIGINT,
          INT,
          SMALLINT,
          TINYINT,
          DECIMAL,
          INTERVAL_DAY_TIME,
          INTERVAL_YEAR_MONTH ->
          (columns, rows) -> negate(columns.getFirst(), kind, rows);
      default -> null;
    };
  }

  private static @Nullable ScalarFunction bindAbs(List<Expression> arguments, Type result) {
    Kind kind = arguments.getFirst().type().kind();
    return kind.isNumeric() ? (columns, rows) -> abs(columns.getFirst(), kind, rows) : null;
  }

  private static Column negate(Column column, Kind kind, int rows) {
    return switch (column) {
      case DoubleColumn doubles -> {
        double[] values = new double[rows];
        DoubleKernels.negate(doubles.values(), values, rows);
        yield new DoubleColumn(values, column.nulls(), rows);
      }
      case FloatColumn floats -> {
        float[] values = new float[rows];
        FloatKernels.negate(floats.values(), values, rows);
        yield new FloatColumn(values, column.nulls(), rows);
      }
      case LongColumn longs -> {
        long[] values = new long[rows];
        LongKernels.negate(longs.values(), values, rows);
        yield new LongColumn(values, column.nulls(), rows);
      }
      case IntColumn ints -> {
        int[] values = new int[rows];
        IntKernels.negate(ints.values(), values, rows);
        yield new IntColumn(narrow(values, kind, rows), column.nulls(), rows);
      }
      default -> Decimals.map((DecimalColumn) column, BigDecimal::negate);
    };
  }

  private static Column abs(Column column, Kind kind, int rows) {
    return switch (column) {
      case DoubleColumn doubles -> {
        double[] values = new double[rows];
        DoubleKernels.abs(doubles.values(), values, rows);
        yield new DoubleColumn(values, column.nulls(), rows);
      }
      case FloatColumn floats -> {
        float[] values = new float[rows];
        FloatKernels.abs(floats.values(), values, rows);
        yield new FloatColumn(values, column.nulls(), rows);
      }
      case LongColumn longs -> {
        long[] values = new long[rows];
        LongKernels.abs(longs.values(), values, rows);
        yield new LongColumn(values, column.nulls(), rows);
      }
      case IntColumn ints -> {
        int[] values = new int[rows];
        IntKernels.abs(ints.values(), values, rows);
        yield new IntColumn(narrow(values, kind, rows), column.nulls(), rows);
      }
      default -> Decimals.map((DecimalColumn) column, BigDecimal::abs);
    };
  }
}
