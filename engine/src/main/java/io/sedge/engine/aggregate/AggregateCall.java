package io.sedge.engine.aggregate;

import io.sedge.engine.expression.Expression;
import io.sedge.engine.type.Type;
import java.util.List;

/**
 * One aggregate of a query, such as {@code SUM(DISTINCT x) FILTER (WHERE ok)}.
 *
 * @param function name in upper case: COUNT, SUM, AVG, MIN, MAX, STDDEV_POP …
 * @param arguments the input columns; empty for COUNT(*)
 * @param argumentTypes their types
 * @param parameters constants after the arguments, such as the fraction of PERCENTILE
 * @param filter a BOOLEAN input column that selects the rows counted, or -1
 * @param distinct whether equal arguments count once
 * @param type of the result
 * @param name the column it becomes
 */
public record AggregateCall(
    String function,
    List<Integer> arguments,
    List<Type> argumentTypes,
    List<Expression.Literal> parameters,
    int filter,
    boolean distinct,
    Type type,
    String name) {
  public AggregateCall {
    arguments = List.copyOf(arguments);
    argumentTypes = List.copyOf(argumentTypes);
    parameters = List.copyOf(parameters);
  }
}
