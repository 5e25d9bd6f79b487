package io.sedge.engine.expression.internal;

import io.sedge.engine.expression.Expression;
import io.sedge.engine.expression.ScalarFunction;
import io.sedge.engine.type.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Binds a function of a table to arguments and result; null where it does not take such types. */
@FunctionalInterface
interface Binder {
  @Nullable ScalarFunction bind(List<Expression> arguments, Type result);
}
