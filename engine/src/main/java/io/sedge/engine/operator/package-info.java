/**
 * Operators take batches and give batches. Read {@link io.sedge.engine.operator.Operator} first,
 * then {@link io.sedge.engine.operator.Output}, then {@link io.sedge.engine.operator.Pipeline}. All
 * operators of a task run in its one thread.
 */
@NullMarked
package io.sedge.engine.operator;

import org.jspecify.annotations.NullMarked;
