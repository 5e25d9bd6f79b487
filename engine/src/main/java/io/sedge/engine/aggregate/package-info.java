/**
 * Aggregate functions over many groups at once. Read {@link io.sedge.engine.aggregate.Accumulators}
 * first, then {@link io.sedge.engine.aggregate.AggregateRegistry}, then {@link
 * io.sedge.engine.aggregate.AggregateCall}. One thread.
 */
@NullMarked
package io.sedge.engine.aggregate;

import org.jspecify.annotations.NullMarked;
