package io.sedge.sql.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.expression.EvaluationException;
import io.sedge.engine.expression.Evaluator;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.expression.FunctionRegistry;
import io.sedge.sql.internal.user.UserFunctionException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Refuses calls that the engine has no function for, and evaluates those of constants. */
final class FunctionCheck {
  /** What the evaluator itself takes care of. */
  private static final Set<String> EVALUATED =
      Set.of("CASE", "COALESCE", "IF", "IFNULL", "NULLIF", "AND", "OR");

  /** What gives another value each time. */
  private static final Set<String> CHANGING =
      Set.of(
          "RAND",
          "RAND_INTEGER",
          "UUID",
          "NOW",
          "PROCTIME",
          "CURRENT_TIMESTAMP",
          "CURRENT_ROW_TIMESTAMP",
          "CURRENT_DATE",
          "CURRENT_TIME",
          "LOCALTIME",
          "LOCALTIMESTAMP",
          "UNIX_TIMESTAMP");

  private static final Set<String> CASTS = Set.of("CAST", "TRY_CAST");

  private static final Batch ONE_ROW = new Batch(1, List.of());

  private final FunctionRegistry registry;

  private final Set<String> users;

  /**
   * A check.
   *
   * @param users the names of users' functions, which are never evaluated beforehand
   */
  FunctionCheck(FunctionRegistry registry, Set<String> users) {
    this.registry = registry;
    this.users = Set.copyOf(users);
  }

  /** The call itself, or its value if it is constant; refused if the engine cannot evaluate it. */
  Expression checked(Expression.Call call) {
    if (!EVALUATED.contains(call.function()) && !known(call)) {
      throw new UnsupportedException(
          "%s(%s%s) is not supported"
              .formatted(
                  call.function(),
                  call.arguments().stream()
                      .map(argument -> argument.type().withNullable(true).toString())
                      .collect(Collectors.joining(", ")),
                  CASTS.contains(call.function()) ? " AS " + call.type().withNullable(true) : ""),
          null);
    }
    boolean constant =
        !CHANGING.contains(call.function())
            && !users.contains(call.function())
            && call.arguments().stream().allMatch(Expression.Literal.class::isInstance);
    return constant ? evaluated(call) : call;
  }

  /** Whether an expression gives the same for the same row, whenever it is asked. */
  static boolean isDeterministic(Expression expression) {
    return !(expression instanceof Expression.Call call)
        || (!CHANGING.contains(call.function())
            && call.arguments().stream().allMatch(FunctionCheck::isDeterministic));
  }

  private boolean known(Expression.Call call) {
    try {
      return registry.find(call.function(), call.arguments(), call.type()).isPresent();
    } catch (IllegalArgumentException | EvaluationException | UserFunctionException e) {
      throw new UnsupportedException(String.valueOf(e.getMessage()), null);
    }
  }

  /** The expression with its constant calls evaluated. */
  Expression folded(Expression expression) {
    if (!(expression instanceof Expression.Call call)) {
      return expression;
    }
    return checked(call.withArguments(call.arguments().stream().map(this::folded).toList()));
  }

  /**
   * A constant call's value; itself where it has none, which is for the row that meets it to say.
   */
  private Expression evaluated(Expression.Call call) {
    try {
      Object value = Evaluator.compile(call, registry).evaluate(ONE_ROW).value(0);
      return new Expression.Literal(value, call.type());
    } catch (EvaluationException e) {
      return call;
    }
  }
}
