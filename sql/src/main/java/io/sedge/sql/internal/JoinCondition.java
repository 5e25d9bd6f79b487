package io.sedge.sql.internal;

import io.sedge.engine.expression.Expression;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The condition of a join, taken apart: equal keys, bounds on the difference of times, the rest.
 */
final class JoinCondition {
  private final Relation left;
  private final Relation right;
  private final List<Integer> leftKeys = new ArrayList<>();
  private final List<Integer> rightKeys = new ArrayList<>();
  private final List<Expression> rest = new ArrayList<>();
  private int leftTime = -1;
  private int rightTime = -1;
  private long lower = Long.MIN_VALUE;
  private long upper = Long.MAX_VALUE;

  JoinCondition(Relation left, Relation right) {
    this.left = left;
    this.right = right;
  }

  List<Integer> leftKeys() {
    return leftKeys;
  }

  List<Integer> rightKeys() {
    return rightKeys;
  }

  List<Expression> rest() {
    return rest;
  }

  int leftTime() {
    return leftTime;
  }

  int rightTime() {
    return rightTime;
  }

  long lower() {
    return lower;
  }

  long upper() {
    return upper;
  }

  boolean isBounded() {
    return leftTime >= 0 && lower != Long.MIN_VALUE && upper != Long.MAX_VALUE;
  }

  /** Takes a condition over the columns of left, then right. */
  void take(Expression condition) {
    for (Expression part : Expressions.conjuncts(condition)) {
      if (!takeTime(part) && !takeKey(part)) {
        if (!(part instanceof Expression.Literal literal && Boolean.TRUE.equals(literal.value()))) {
          rest.add(part);
        }
      }
    }
  }

  private int width() {
    return left.node().schema().size();
  }

  private boolean takeKey(Expression part) {
    if (!(part instanceof Expression.Call call)
        || !call.function().equals("=")
        || !(call.arguments().getFirst() instanceof Expression.Input a)
        || !(call.arguments().get(1) instanceof Expression.Input b)) {
      return false;
    }
    if (a.column() < width() == b.column() < width()) {
      return false;
    }
    leftKeys.add(Math.min(a.column(), b.column()));
    rightKeys.add(Math.max(a.column(), b.column()) - width());
    return true;
  }

  /** A time attribute and a constant added to it. */
  private record Time(int column, long micros) {}

  private boolean takeTime(Expression part) {
    if (!(part instanceof Expression.Call call) || call.arguments().size() != 2) {
      return false;
    }
    Time a = time(call.arguments().getFirst());
    Time b = time(call.arguments().get(1));
    if (a == null || b == null || a.column < width() == b.column < width()) {
      return false;
    }
    boolean swapped = a.column >= width();
    Time fromLeft = swapped ? b : a;
    Time fromRight = swapped ? a : b;
    int rightColumn = fromRight.column - width();
    if (leftTime >= 0 && (leftTime != fromLeft.column || rightTime != rightColumn)) {
      return false;
    }
    String sign = swapped ? NumberBounds.mirrored(call.function()) : call.function();
    if (!bound(sign, fromRight.micros - fromLeft.micros)) {
      return false;
    }
    leftTime = fromLeft.column;
    rightTime = rightColumn;
    return true;
  }

  /** Takes in that left time - right time compares so with a difference. */
  private boolean bound(String sign, long difference) {
    switch (sign) {
      case ">=" -> lower = Math.max(lower, difference);
      case ">" -> lower = Math.max(lower, difference + 1);
      case "<=" -> upper = Math.min(upper, difference);
      case "<" -> upper = Math.min(upper, difference - 1);
      case "=" -> {
        lower = Math.max(lower, difference);
        upper = Math.min(upper, difference);
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private @Nullable Time time(Expression expression) {
    if (expression instanceof Expression.Input input) {
      ColumnRole role =
          input.column() < width()
              ? left.roles().get(input.column())
              : right.roles().get(input.column() - width());
      return role.isEventTime() ? new Time(input.column(), 0) : null;
    }
    if (expression instanceof Expression.Call call
        && (call.function().equals("+") || call.function().equals("-"))
        && call.arguments().size() == 2
        && Literals.constant(call.arguments().get(1)) instanceof Long micros) {
      Time inner = time(call.arguments().getFirst());
      return inner == null
          ? null
          : new Time(
              inner.column,
              call.function().equals("+") ? inner.micros + micros : inner.micros - micros);
    }
    return null;
  }

  /**
   * Rows of equal windows have equal window_time: a window join is one with no difference of times.
   */
  void boundByWindows() {
    if (leftTime >= 0) {
      return;
    }
    WindowCall leftWindow = WindowBounds.named(left, leftKeys);
    WindowCall rightWindow = WindowBounds.named(right, rightKeys);
    if (leftWindow == null
        || rightWindow == null
        || !leftWindow.window().equals(rightWindow.window())) {
      return;
    }
    leftTime = left.columnOf(ColumnRole.Kind.WINDOW_TIME);
    rightTime = right.columnOf(ColumnRole.Kind.WINDOW_TIME);
    if (leftTime < 0 || rightTime < 0) {
      throw new UnsupportedException(
          "a JOIN by window_start and window_end needs window_time of both sides",
          "window_time as well in the select list and GROUP BY of both sides");
    }
    lower = 0;
    upper = 0;
  }
}
