package io.sedge.engine.expression.internal;

import io.sedge.engine.column.Column;
import io.sedge.engine.expression.EvaluationException;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.expression.ScalarFunction;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An expression made ready to be evaluated. Equal subexpressions are one node, which keeps its
 * result in the frame if it has more than one user.
 */
public abstract class Node {
  private static final int NOT_SHARED = -1;

  private final Type type;
  private final boolean total;
  private int slot = NOT_SHARED;

  /**
   * @param total whether it has a result for every row and is cheap, so that it may be evaluated
   *     for rows that do not need it
   */
  Node(Type type, boolean total) {
    this.type = type;
    this.total = total;
  }

  final Type type() {
    return type;
  }

  final boolean isTotal() {
    return total;
  }

  final boolean isShared() {
    return slot != NOT_SHARED;
  }

  final void keepIn(int newSlot) {
    slot = newSlot;
  }

  public final Column evaluate(Frame frame) {
    if (slot == NOT_SHARED) {
      return compute(frame);
    }
    Column column = frame.shared(slot);
    if (column == null) {
      column = compute(frame);
      frame.share(slot, column);
    }
    return column;
  }

  abstract Column compute(Frame frame);

  static List<Column> evaluateAll(List<Node> nodes, Frame frame) {
    List<Column> columns = new ArrayList<>(nodes.size());
    for (Node node : nodes) {
      columns.add(node.evaluate(frame));
    }
    return columns;
  }

  static boolean areTotal(List<Node> nodes) {
    return nodes.stream().allMatch(Node::isTotal);
  }

  /** A column of the input. */
  static final class Input extends Node {
    private final int column;

    Input(int column, Type type) {
      super(type, true);
      this.column = column;
    }

    @Override
    Column compute(Frame frame) {
      return frame.input(column);
    }
  }

  /** A value; keeps a column of it for as many rows as it was asked for last. */
  static final class Constant extends Node {
    private final @Nullable Object value;
    private @Nullable Column column;
    private @Nullable Column longest;

    Constant(@Nullable Object value, Type type) {
      super(type, true);
      this.value = value;
    }

    @Nullable Object value() {
      return value;
    }

    @Override
    Column compute(Frame frame) {
      int rows = frame.rows();
      Column current = column;
      if (current == null || current.size() != rows) {
        Column source = longest;
        if (source == null || source.size() < rows) {
          source = Constants.of(value, type(), rows);
          longest = source;
        }
        current = source.slice(0, rows);
        column = current;
      }
      return current;
    }
  }

  /** A call whose arguments are all evaluated. */
  static final class Call extends Node {
    private final ScalarFunction function;
    private final List<Node> arguments;
    private final Expression.Call call;

    Call(ScalarFunction function, List<Node> arguments, Expression.Call call, boolean total) {
      super(call.type(), total && areTotal(arguments));
      this.function = function;
      this.arguments = arguments;
      this.call = call;
    }

    /** A fault of the function is the row's failure too: it would end the job at every attempt. */
    @Override
    Column compute(Frame frame) {
      List<Column> columns = evaluateAll(arguments, frame);
      try {
        return function.apply(columns, frame.rows());
      } catch (EvaluationException failure) {
        throw failure.at(call.place());
      } catch (RuntimeException fault) {
        throw new EvaluationException("a fault in %s: %s".formatted(call.function(), fault), fault)
            .at(call.place());
      }
    }
  }
}
