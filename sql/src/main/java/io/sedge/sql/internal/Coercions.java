package io.sedge.sql.internal;

import io.sedge.engine.expression.Expression;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.util.List;
import java.util.function.BiFunction;

/** Which types two operands meet in: Java's numeric promotion, as in Flink's generated code. */
final class Coercions {
  private Coercions() {}

  /** The type that an operand of an arithmetic operation is cast to, given that of the result. */
  static Type operand(Type operand, Type result) {
    if (result.kind() != Kind.DECIMAL) {
      return result.withNullable(operand.nullable());
    }
    return operand.kind() == Kind.DECIMAL ? operand : decimalOf(operand);
  }

  /** Casts the two sides of a comparison to one kind. */
  static List<Expression> comparable(
      List<Expression> sides, BiFunction<Expression, Type, Expression> cast) {
    Type common = sides.getFirst().type();
    for (Expression side : sides) {
      common = common(common, side.type());
    }
    Type target = common;
    return sides.stream()
        .map(
            side ->
                side.type().kind() == target.kind()
                        || (side.type().kind().isString() && target.kind().isString())
                    ? side
                    : cast.apply(side, target.withNullable(side.type().nullable())))
        .toList();
  }

  private static Type common(Type left, Type right) {
    Kind a = left.kind();
    Kind b = right.kind();
    if (a == Kind.NULL) {
      return right;
    }
    if (a == b || b == Kind.NULL) {
      return left;
    }
    if (a.isNumeric() && b.isNumeric()) {
      return numeric(left, right);
    }
    if (a.isString() && b.isString()) {
      return Type.STRING;
    }
    if ((a.isString() && isNumberOrBoolean(b)) || (isNumberOrBoolean(a) && b.isString())) {
      throw new UnsupportedException(
          "%s and %s cannot be compared"
              .formatted(left.withNullable(true), right.withNullable(true)),
          "a CAST of one side to the type of the other");
    }
    if (a.isString()) {
      return right;
    }
    if (b.isString()) {
      return left;
    }
    if (a == Kind.DATE && b.isTimestamp()) {
      return right;
    }
    return left;
  }

  private static boolean isNumberOrBoolean(Kind kind) {
    return kind.isNumeric() || kind == Kind.BOOLEAN;
  }

  private static Type numeric(Type left, Type right) {
    if (left.kind() == Kind.DECIMAL || right.kind() == Kind.DECIMAL) {
      Type other = left.kind() == Kind.DECIMAL ? right : left;
      return other.kind().isInteger()
          ? (left.kind() == Kind.DECIMAL ? widened(left, other) : widened(right, other))
          : Type.DOUBLE;
    }
    return rank(left.kind()) >= rank(right.kind()) ? left : right;
  }

  /** A decimal that also holds every value of an integer type. */
  private static Type widened(Type decimal, Type integer) {
    int whole = Math.max(decimal.precision() - decimal.scale(), decimalOf(integer).precision());
    return Type.decimal(
        Math.min(TypeRules.MAX_DECIMAL_PRECISION, whole + decimal.scale()), decimal.scale());
  }

  private static int rank(Kind kind) {
    return switch (kind) {
      case TINYINT -> 0;
      case SMALLINT -> 1;
      case INT -> 2;
      case BIGINT -> 3;
      case FLOAT -> 4;
      case DOUBLE -> 5;
      default -> throw new IllegalArgumentException(kind + " is no primitive number");
    };
  }

  private static Type decimalOf(Type integer) {
    int digits =
        switch (integer.kind()) {
          case TINYINT -> 3;
          case SMALLINT -> 5;
          case INT -> 10;
          case BIGINT -> 19;
          default -> TypeRules.MAX_DECIMAL_PRECISION;
        };
    return Type.decimal(digits, 0).withNullable(integer.nullable());
  }
}
