package io.sedge.engine.expression.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.Column;
import io.sedge.engine.expression.EvaluationException;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.expression.FunctionRegistry;
import io.sedge.engine.expression.ScalarFunction;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes expressions ready to be evaluated: folds what is constant, makes equal deterministic
 * subexpressions one node, and takes the lazy calls to nodes of their own.
 */
public final class Compiler {
  private static final Set<String> LAZY =
      Set.of("AND", "OR", "CASE", "IF", "COALESCE", "IFNULL", "NULLIF");

  /** Calls that have a result for every row of these arguments, whatever their values. */
  private static final Set<String> TOTAL =
      Set.of(
          "=",
          "<>",
          "<",
          "<=",
          ">",
          ">=",
          "+",
          "-",
          "*",
          "NOT",
          "IS NULL",
          "IS NOT NULL",
          "IS TRUE",
          "IS FALSE",
          "IS UNKNOWN",
          "IS NOT TRUE",
          "IS NOT FALSE",
          "IS NOT UNKNOWN",
          "IS DISTINCT FROM",
          "IS NOT DISTINCT FROM",
          "FIELD");

  private final FunctionRegistry registry;
  private final Map<Expression, Node> nodes = new HashMap<>();
  private int sharedNodes;

  public Compiler(FunctionRegistry registry) {
    this.registry = registry;
  }

  /** How many results a frame must be able to keep. Final once all expressions are compiled. */
  public int sharedNodes() {
    return sharedNodes;
  }

  public Node compile(Expression expression) {
    return node(fold(expression));
  }

  public Selector compileCondition(Expression condition) {
    return selector(fold(condition));
  }

  private Selector selector(Expression condition) {
    if (condition instanceof Expression.Call(var function, var arguments, var _, var _)
        && function.equals("AND")) {
      return Selector.all(arguments.stream().map(this::selector).toList());
    }
    Selector comparison = comparisonSelector(condition);
    return comparison != null ? comparison : Selector.of(node(condition));
  }

  private @Nullable Selector comparisonSelector(Expression condition) {
    if (!(condition instanceof Expression.Call(var function, var arguments, var _, var _))
        || arguments.size() != 2) {
      return null;
    }
    for (Comparison comparison : Comparison.values()) {
      if (comparison.sign().equals(function)) {
        Expression left = arguments.getFirst();
        Expression right = arguments.getLast();
        if (right instanceof Expression.Literal literal) {
          return Selector.comparison(comparison, node(left), literal);
        }
        if (left instanceof Expression.Literal literal) {
          return Selector.comparison(comparison.mirrored(), node(right), literal);
        }
      }
    }
    return null;
  }

  private Node node(Expression expression) {
    Node known = nodes.get(expression);
    if (known != null) {
      if (!known.isShared() && !(known instanceof Node.Input)) {
        known.keepIn(sharedNodes++);
      }
      return known;
    }
    Node node =
        switch (expression) {
          case Expression.Input(int column, Type type) -> new Node.Input(column, type);
          case Expression.Literal(Object value, Type type) -> new Node.Constant(value, type);
          case Expression.Call call -> callNode(call);
        };
    if (isDeterministic(expression)) {
      nodes.put(expression, node);
    }
    return node;
  }

  private Node callNode(Expression.Call call) {
    List<Node> arguments = new ArrayList<>();
    if (!call.function().equals("NULLIF")) {
      for (Expression argument : call.arguments()) {
        arguments.add(node(argument));
      }
    }
    return switch (call.function()) {
      case "AND" -> new LazyNodes.Junction(true, arguments);
      case "OR" -> new LazyNodes.Junction(false, arguments);
      case "CASE", "IF" -> new LazyNodes.Case(arguments, call.type());
      case "COALESCE", "IFNULL" -> new LazyNodes.Coalesce(arguments, call.type());
      case "NULLIF" -> node(nullIf(call));
      default -> new Node.Call(find(call), arguments, call, isTotal(call));
    };
  }

  private static Expression nullIf(Expression.Call call) {
    Expression first = call.arguments().getFirst();
    Expression equal = new Expression.Call("=", call.arguments(), Type.BOOLEAN);
    return new Expression.Call(
        "CASE", List.of(equal, new Expression.Literal(null, call.type()), first), call.type());
  }

  private static boolean isTotal(Expression.Call call) {
    if (TOTAL.contains(call.function())) {
      return true;
    }
    return call.function().equals("CAST")
        && isPrimitiveNumber(call.type())
        && isPrimitiveNumber(call.arguments().getFirst().type());
  }

  private static boolean isPrimitiveNumber(Type type) {
    return type.kind().isNumeric() && type.kind() != Kind.DECIMAL;
  }

  private ScalarFunction find(Expression.Call call) {
    return registry
        .find(call.function(), call.arguments(), call.type())
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no function %s(%s) that returns %s"
                        .formatted(
                            call.function(),
                            call.arguments().stream()
                                .map(argument -> argument.type().toString())
                                .collect(Collectors.joining(", ")),
                            call.type())));
  }

  private boolean isDeterministic(Expression expression) {
    if (!(expression instanceof Expression.Call call)) {
      return true;
    }
    for (Expression argument : call.arguments()) {
      if (!isDeterministic(argument)) {
        return false;
      }
    }
    return LAZY.contains(call.function()) || find(call).isDeterministic();
  }

  /**
   * The expression with its constant parts evaluated; parts that fail stay, to fail when needed.
   */
  private Expression fold(Expression expression) {
    if (!(expression instanceof Expression.Call call)) {
      return expression;
    }
    List<Expression> arguments = call.arguments().stream().map(this::fold).toList();
    Expression.Call folded = call.withArguments(arguments);
    if (!arguments.stream().allMatch(Expression.Literal.class::isInstance)
        || isNested(call.type())
        || !isDeterministic(folded)) {
      return folded;
    }
    try {
      Compiler compiler = new Compiler(registry);
      Node node = compiler.callNode(folded);
      Column column = node.evaluate(new Frame(new Batch(1, List.of()), compiler.sharedNodes));
      return new Expression.Literal(column.value(0), call.type());
    } catch (EvaluationException failure) {
      return folded;
    }
  }

  private static boolean isNested(Type type) {
    return type.kind() == Kind.ARRAY || type.kind() == Kind.ROW;
  }
}
