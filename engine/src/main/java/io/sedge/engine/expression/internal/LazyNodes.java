package io.sedge.engine.expression.internal;

import io.sedge.engine.column.BooleanColumn;
import io.sedge.engine.column.Column;
import io.sedge.engine.type.Type;
import java.util.List;

/** The calls that evaluate an argument only for the rows that need it. */
final class LazyNodes {
  private LazyNodes() {}

  /** AND and OR: a row goes on to the next argument while its result is open. */
  static final class Junction extends Node {
    private final boolean and;
    private final List<Node> arguments;
    private final boolean eager;

    Junction(boolean and, List<Node> arguments) {
      super(Type.BOOLEAN, areTotal(arguments));
      this.and = and;
      this.arguments = arguments;
      this.eager = areTotal(arguments.subList(1, arguments.size()));
    }

    boolean isAnd() {
      return and;
    }

    List<Node> arguments() {
      return arguments;
    }

    @Override
    Column compute(Frame frame) {
      BooleanColumn result = (BooleanColumn) arguments.getFirst().evaluate(frame);
      for (int i = 1; i < arguments.size(); i++) {
        result =
            eager ? join(result, arguments.get(i), frame) : next(result, arguments.get(i), frame);
      }
      return result;
    }

    private BooleanColumn join(BooleanColumn left, Node argument, Frame frame) {
      BooleanColumn right = (BooleanColumn) argument.evaluate(frame);
      return and
          ? LogicalFunctions.and(left, right, frame.rows())
          : LogicalFunctions.or(left, right, frame.rows());
    }

    private BooleanColumn next(BooleanColumn left, Node argument, Frame frame) {
      int rows = frame.rows();
      boolean[] values = left.values();
      int[] open = new int[rows];
      int count = 0;
      for (int i = 0; i < rows; i++) {
        open[count] = i;
        count += left.isNull(i) || values[i] == and ? 1 : 0;
      }
      if (count == rows) {
        return join(left, argument, frame);
      }
      if (count == 0) {
        return left;
      }
      BooleanColumn some = (BooleanColumn) argument.evaluate(frame.select(open, count));
      boolean[] rightValues = new boolean[rows];
      boolean[] rightNulls = new boolean[rows];
      java.util.Arrays.fill(rightValues, !and);
      for (int i = 0; i < count; i++) {
        rightValues[open[i]] = some.values()[i];
        rightNulls[open[i]] = some.isNull(i);
      }
      BooleanColumn right = new BooleanColumn(rightValues, Masks.trimmed(rightNulls, rows), rows);
      return and ? LogicalFunctions.and(left, right, rows) : LogicalFunctions.or(left, right, rows);
    }
  }

  /** CASE and IF: condition, value, condition, value, …, else. */
  static final class Case extends Node {
    private final List<Node> arguments;
    private final Assembler assembler;
    private final boolean blends;

    Case(List<Node> arguments, Type type) {
      super(type, areTotal(arguments));
      this.arguments = arguments;
      this.assembler = Assembler.of(type);
      this.blends =
          isTotal()
              && arguments.size() == 3
              && SelectByMask.takes(type, arguments.get(1).type(), arguments.get(2).type());
    }

    @Override
    Column compute(Frame frame) {
      int rows = frame.rows();
      if (blends) {
        BooleanColumn condition = (BooleanColumn) arguments.getFirst().evaluate(frame);
        Column first = arguments.get(1).evaluate(frame);
        Column second = arguments.get(2).evaluate(frame);
        return SelectByMask.of(SelectByMask.truth(condition), first, second, type(), rows);
      }
      Assembler.Result result = assembler.begin(rows);
      int[] remaining = all(rows);
      int left = rows;
      for (int i = 0; i + 1 < arguments.size() && left > 0; i += 2) {
        int[] matched = new int[left];
        int[] rest = new int[left];
        int count =
            split(
                condition(frame, arguments.get(i), remaining, left),
                remaining,
                left,
                matched,
                rest);
        take(frame, arguments.get(i + 1), matched, count, result);
        remaining = rest;
        left -= count;
      }
      take(frame, arguments.getLast(), remaining, left, result);
      return result.build();
    }

    private static BooleanColumn condition(Frame frame, Node node, int[] remaining, int left) {
      if (node.isTotal() && left < frame.rows()) {
        return (BooleanColumn) node.evaluate(frame).gather(remaining, left);
      }
      return (BooleanColumn) node.evaluate(frame.select(remaining, left));
    }

    private static int split(
        BooleanColumn condition, int[] remaining, int left, int[] matched, int[] rest) {
      int count = 0;
      for (int i = 0; i < left; i++) {
        int row = remaining[i];
        boolean isTrue = condition.values()[i] && !condition.isNull(i);
        matched[count] = row;
        rest[i - count] = row;
        count += isTrue ? 1 : 0;
      }
      return count;
    }
  }

  /** COALESCE and IFNULL: the first argument that is not null. */
  static final class Coalesce extends Node {
    private final List<Node> arguments;
    private final Assembler assembler;
    private final boolean blends;

    Coalesce(List<Node> arguments, Type type) {
      super(type, areTotal(arguments));
      this.arguments = arguments;
      this.assembler = Assembler.of(type);
      this.blends =
          isTotal()
              && arguments.size() == 2
              && SelectByMask.takes(type, arguments.get(0).type(), arguments.get(1).type());
    }

    @Override
    Column compute(Frame frame) {
      Column first = arguments.getFirst().evaluate(frame);
      if (first.nulls() == null && arguments.getFirst().type().storage() == type().storage()) {
        return first;
      }
      int rows = frame.rows();
      boolean[] absent = first.nulls();
      if (blends && absent != null) {
        boolean[] present = new boolean[rows];
        for (int i = 0; i < rows; i++) {
          present[i] = !absent[i];
        }
        return SelectByMask.of(present, first, arguments.get(1).evaluate(frame), type(), rows);
      }
      Assembler.Result result = assembler.begin(rows);
      int[] remaining = all(rows);
      int left = rows;
      for (int i = 0; i < arguments.size() && left > 0; i++) {
        Frame some = frame.select(remaining, left);
        Column column = i == 0 ? first : arguments.get(i).evaluate(some);
        int[] rest = new int[left];
        int[] found = new int[left];
        int[] from = new int[left];
        int count = 0;
        for (int j = 0; j < left; j++) {
          found[count] = remaining[j];
          from[count] = j;
          rest[j - count] = remaining[j];
          count += column.isNull(j) ? 0 : 1;
        }
        result.put(column, arguments.get(i).type(), from, found, count);
        remaining = rest;
        left -= count;
      }
      result.putNulls(remaining, left);
      return result.build();
    }
  }

  private static int[] all(int rows) {
    int[] result = new int[rows];
    for (int i = 0; i < rows; i++) {
      result[i] = i;
    }
    return result;
  }

  private static void take(Frame frame, Node node, int[] rows, int count, Assembler.Result result) {
    if (count == 0) {
      return;
    }
    if (node.isTotal()) {
      result.put(node.evaluate(frame), node.type(), rows, rows, count);
    } else {
      Column column = node.evaluate(frame.select(rows, count));
      result.put(column, node.type(), all(count), rows, count);
    }
  }
}
