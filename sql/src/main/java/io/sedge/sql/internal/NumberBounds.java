package io.sedge.sql.internal;

import io.sedge.engine.expression.Expression;
import org.jspecify.annotations.Nullable;

/** What the conditions of a query say of the number of a row. */
final class NumberBounds {
  private final int column;
  private long from = 1;
  private long to = Long.MAX_VALUE;

  NumberBounds(int column) {
    this.column = column;
  }

  long from() {
    return from;
  }

  /** {@link Long#MAX_VALUE} if no condition bounds it. */
  long to() {
    return to;
  }

  /** Takes a condition in if it compares the number with a constant; else returns false. */
  boolean take(Expression condition) {
    if (!(condition instanceof Expression.Call call) || call.arguments().size() != 2) {
      return false;
    }
    Long right = constant(call.arguments().get(1));
    if (isNumber(call.arguments().getFirst()) && right != null) {
      return take(call.function(), right);
    }
    Long left = constant(call.arguments().getFirst());
    return isNumber(call.arguments().get(1))
        && left != null
        && take(mirrored(call.function()), left);
  }

  private boolean take(String sign, long value) {
    switch (sign) {
      case "<=" -> to = Math.min(to, value);
      case "<" -> to = Math.min(to, value - 1);
      case ">=" -> from = Math.max(from, value);
      case ">" -> from = Math.max(from, value + 1);
      case "=" -> {
        from = Math.max(from, value);
        to = Math.min(to, value);
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  static String mirrored(String sign) {
    return switch (sign) {
      case "<" -> ">";
      case "<=" -> ">=";
      case ">" -> "<";
      case ">=" -> "<=";
      default -> sign;
    };
  }

  private boolean isNumber(Expression expression) {
    return expression instanceof Expression.Input input && input.column() == column;
  }

  private static @Nullable Long constant(Expression expression) {
    return Literals.constant(expression) instanceof Number number ? number.longValue() : null;
  }
}
