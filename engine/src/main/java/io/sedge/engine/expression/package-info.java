/**
 * Scalar expressions as data, and the vectorized functions that evaluate them. Read {@link
 * io.sedge.engine.expression.Expression} first, then {@link
 * io.sedge.engine.expression.ScalarFunction}, then {@link
 * io.sedge.engine.expression.FunctionRegistry}. Expressions are immutable values; evaluators belong
 * to the thread of their task.
 */
@NullMarked
package io.sedge.engine.expression;

import org.jspecify.annotations.NullMarked;
