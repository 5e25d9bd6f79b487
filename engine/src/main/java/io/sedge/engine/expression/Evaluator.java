package io.sedge.engine.expression;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.Column;
import io.sedge.engine.expression.internal.Compiler;
import io.sedge.engine.expression.internal.Frame;
import io.sedge.engine.expression.internal.Node;
import io.sedge.engine.expression.internal.Selector;
import java.util.ArrayList;
import java.util.List;

/**
 * An expression ready to be evaluated over batches. Keeps caches between batches (what is known of
 * a dictionary's strings), so it belongs to one thread.
 *
 * <p>CASE, IF, COALESCE, IFNULL, NULLIF, AND and OR evaluate their later arguments only for the
 * rows that need them, so that {@code CASE WHEN b <> 0 THEN a / b END} never divides by zero.
 * Constant parts are evaluated when it is compiled; equal parts once per batch.
 */
public final class Evaluator {
  private final Node node;
  private final Selector selector;
  private final int sharedNodes;

  private Evaluator(Node node, Selector selector, int sharedNodes) {
    this.node = node;
    this.selector = selector;
    this.sharedNodes = sharedNodes;
  }

  /**
   * Makes an expression ready.
   *
   * @throws IllegalArgumentException if the registry has no such function for the types of a call's
   *     arguments
   */
  public static Evaluator compile(Expression expression, FunctionRegistry registry) {
    Compiler compiler = new Compiler(registry);
    Selector selector = compiler.compileCondition(expression);
    Node node = compiler.compile(expression);
    return new Evaluator(node, selector, compiler.sharedNodes());
  }

  /**
   * Makes several expressions over the same input ready; what they have in common is evaluated once
   * per batch.
   *
   * @throws IllegalArgumentException as {@link #compile}
   */
  public static Projection compileAll(List<Expression> expressions, FunctionRegistry registry) {
    Compiler compiler = new Compiler(registry);
    List<Node> nodes = expressions.stream().map(compiler::compile).toList();
    return new Projection(nodes, compiler.sharedNodes());
  }

  /**
   * The value for each row of a batch. A column of the batch may be returned as it is.
   *
   * @throws EvaluationException if a row has no value
   */
  public Column evaluate(Batch batch) {
    return node.evaluate(new Frame(batch, sharedNodes));
  }

  /**
   * The rows for which a BOOLEAN expression is true (neither false nor null), ascending.
   *
   * @param rows filled with them; at least as long as the batch has rows; entries beyond the result
   *     may be overwritten
   * @return how many there are
   * @throws EvaluationException if a row has no value
   */
  public int select(Batch batch, int[] rows) {
    return selector.select(new Frame(batch, sharedNodes), rows);
  }

  /** Several expressions over one input. As an {@link Evaluator}, of one thread. */
  public static final class Projection {
    private final List<Node> nodes;
    private final int sharedNodes;

    private Projection(List<Node> nodes, int sharedNodes) {
      this.nodes = nodes;
      this.sharedNodes = sharedNodes;
    }

    /**
     * One column per expression.
     *
     * @throws EvaluationException if a row has no value
     */
    public List<Column> evaluate(Batch batch) {
      Frame frame = new Frame(batch, sharedNodes);
      List<Column> columns = new ArrayList<>(nodes.size());
      for (Node node : nodes) {
        columns.add(node.evaluate(frame));
      }
      return columns;
    }
  }
}
