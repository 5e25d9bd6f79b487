/**
 * The operators and the graph that runs them. Read {@link io.sedge.engine.operator.internal.Graph}
 * first, then {@link io.sedge.engine.operator.internal.Node}, then {@link
 * io.sedge.engine.operator.internal.RowOperator}. One thread: the task's.
 */
@NullMarked
package io.sedge.engine.operator.internal;

import org.jspecify.annotations.NullMarked;
