package io.sedge.sql.internal;

import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The condition of a join, taken apart: equal keys, bounds on the difference of times, the rest.
 * Keys that are not columns (a CAST to the type of the other side, an expression) and the event
 * time of windows are computed below the join, as further columns of its two sides, which are left
 * out above it.
 */
final class JoinCondition {
  private final Relation left;
  private final Relation right;
  private final BiFunction<Expression, Type, Expression> cast;
  private final List<Expression> leftComputed = new ArrayList<>();
  private final List<Expression> rightComputed = new ArrayList<>();
  private final List<Integer> leftKeys = new ArrayList<>();
  private final List<Integer> rightKeys = new ArrayList<>();
  private final List<Expression> rest = new ArrayList<>();
  private int leftTime = -1;
  private int rightTime = -1;
  private long lower = Long.MIN_VALUE;
  private long upper = Long.MAX_VALUE;
  private boolean ofWindows;

  JoinCondition(Relation left, Relation right, BiFunction<Expression, Type, Expression> cast) {
    this.left = left;
    this.right = right;
    this.cast = cast;
  }

  /** The left side, with the keys that are computed. */
  PlanNode leftNode() {
    return computed(left.node(), leftComputed);
  }

  PlanNode rightNode() {
    return computed(right.node(), rightComputed);
  }

  private static PlanNode computed(PlanNode side, List<Expression> keys) {
    List<Expression> columns = new ArrayList<>(Expressions.identity(side.schema()));
    columns.addAll(keys);
    return Nodes.project(side, columns, with(side.schema().fields(), keys));
  }

  private static Schema with(List<Schema.Field> fields, List<Expression> keys) {
    List<String> names = new ArrayList<>(fields.stream().map(Schema.Field::name).toList());
    List<Type> types = new ArrayList<>(fields.stream().map(Schema.Field::type).toList());
    for (Expression key : keys) {
      names.add("key");
      types.add(key.type());
    }
    return Nodes.schema(names, types);
  }

  /**
   * The schema of the join itself.
   *
   * @param joined that of its result
   */
  Schema widened(Schema joined) {
    List<Schema.Field> fields = joined.fields();
    Schema leftPart = with(fields.subList(0, width()), leftComputed);
    Schema rightPart = with(fields.subList(width(), fields.size()), rightComputed);
    List<String> names = new ArrayList<>(leftPart.names());
    names.addAll(rightPart.names());
    List<Type> types = new ArrayList<>(leftPart.types());
    types.addAll(rightPart.types());
    return Nodes.schema(names, types);
  }

  /** The join without the computed keys. */
  PlanNode narrowed(PlanNode join, Schema joined) {
    List<Expression> columns = new ArrayList<>();
    for (int i = 0; i < joined.size(); i++) {
      columns.add(new Expression.Input(widened(i), joined.type(i)));
    }
    return Nodes.project(join, columns, joined);
  }

  private int widened(int column) {
    return column < width() ? column : column + leftComputed.size();
  }

  List<Integer> leftKeys() {
    return leftKeys;
  }

  List<Integer> rightKeys() {
    return rightKeys;
  }

  /** The other conditions, over the columns of the join itself. */
  List<Expression> rest() {
    int[] columns =
        IntStream.range(0, width() + right.node().schema().size()).map(this::widened).toArray();
    return rest.stream().map(part -> Expressions.move(part, columns)).toList();
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

  /** Whether the bounds are those of equal windows. */
  boolean isOfWindows() {
    return ofWindows;
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
        || !FunctionCheck.isDeterministic(part)) {
      return false;
    }
    Expression a = call.arguments().getFirst();
    Expression b = call.arguments().get(1);
    if (isOf(b, 0, width()) && isOf(a, width(), Integer.MAX_VALUE)) {
      Expression swap = a;
      a = b;
      b = swap;
    }
    if (!isOf(a, 0, width()) || !isOf(b, width(), Integer.MAX_VALUE)) {
      return false;
    }
    int[] own = IntStream.range(-width(), right.node().schema().size()).toArray();
    Expression fromRight = Expressions.move(b, own);
    if (a.type().kind() == Kind.DECIMAL && a.type().scale() != b.type().scale()) {
      Type common = commonDecimal(a.type(), b.type());
      if (common == null) {
        return false;
      }
      a = cast.apply(a, common.withNullable(a.type().nullable()));
      fromRight = cast.apply(fromRight, common.withNullable(b.type().nullable()));
    }
    leftKeys.add(column(a, left, leftComputed));
    rightKeys.add(column(fromRight, right, rightComputed));
    return true;
  }

  /** Whether it reads columns, and only some from a position to another. */
  private static boolean isOf(Expression expression, int from, int to) {
    BitSet columns = new BitSet();
    Expressions.collectInputs(expression, columns);
    return !columns.isEmpty() && columns.nextSetBit(0) >= from && columns.length() <= to;
  }

  /** A decimal that holds the values of both; null if there is none. */
  private static @Nullable Type commonDecimal(Type a, Type b) {
    int scale = Math.max(a.scale(), b.scale());
    int whole = Math.max(a.precision() - a.scale(), b.precision() - b.scale());
    return whole + scale > TypeRules.MAX_DECIMAL_PRECISION
        ? null
        : Type.decimal(whole + scale, scale);
  }

  private static int column(Expression key, Relation side, List<Expression> computed) {
    if (key instanceof Expression.Input input) {
      return input.column();
    }
    int known = computed.indexOf(key);
    if (known < 0) {
      known = computed.size();
      computed.add(key);
    }
    return side.node().schema().size() + known;
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
    WindowCall leftWindow = WindowBounds.named(left, columnsOf(left, leftKeys));
    WindowCall rightWindow = WindowBounds.named(right, columnsOf(right, rightKeys));
    if (leftWindow == null
        || rightWindow == null
        || !leftWindow.window().equals(rightWindow.window())) {
      return;
    }
    leftTime = windowTime(left, leftWindow, leftComputed);
    rightTime = windowTime(right, rightWindow, rightComputed);
    lower = 0;
    upper = 0;
    ofWindows = true;
  }

  private static int windowTime(Relation side, WindowCall window, List<Expression> computed) {
    int column = side.columnOf(ColumnRole.Kind.WINDOW_TIME);
    return column >= 0 ? column : column(WindowOverWindow.windowTime(side, window), side, computed);
  }

  private static List<Integer> columnsOf(Relation side, List<Integer> keys) {
    return keys.stream().filter(key -> key < side.node().schema().size()).toList();
  }
}
