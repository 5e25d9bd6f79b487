package io.sedge.engine.expression;

import io.sedge.engine.type.Type;
import java.util.List;
import java.util.Optional;

/**
 * Finds scalar functions by name. The built-in ones come from {@code BuiltinFunctions}; a job adds
 * the user's own.
 */
@FunctionalInterface
public interface FunctionRegistry {
  /**
   * Binds a function to its arguments.
   *
   * @param name the function's name as in {@link Expression.Call}
   * @param arguments what it is called with: the types count, and a function may prepare itself
   *     where one is an {@link Expression.Literal} (a compiled pattern, a parsed JSON path)
   * @param result the type of the result
   * @return the bound function, or empty if there is none of that name for these types
   */
  Optional<ScalarFunction> find(String name, List<Expression> arguments, Type result);

  /** Looks here first, then in {@code other}. */
  default FunctionRegistry or(FunctionRegistry other) {
    return (name, arguments, result) ->
        find(name, arguments, result).or(() -> other.find(name, arguments, result));
  }
}
