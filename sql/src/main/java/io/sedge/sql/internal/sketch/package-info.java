/**
 * Approximate aggregates of fixed size on Apache DataSketches. Read {@link
 * io.sedge.sql.internal.sketch.Sketches} first, then {@code SketchAccumulators}. As all
 * accumulators they belong to the thread of their task.
 */
@NullMarked
package io.sedge.sql.internal.sketch;

import org.jspecify.annotations.NullMarked;
