/**
 * The built-in scalar functions and the machinery that evaluates expressions. Read {@link
 * io.sedge.engine.expression.internal.FunctionTable} first, then {@link
 * io.sedge.engine.expression.internal.ArithmeticFunctions}, then {@link
 * io.sedge.engine.expression.internal.Node}. Bound functions and nodes keep caches and belong to
 * the thread of their task.
 */
@NullMarked
package io.sedge.engine.expression.internal;

import org.jspecify.annotations.NullMarked;
