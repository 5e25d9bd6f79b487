/**
 * How plans are made. {@link io.sedge.placement.internal.Planner} is the course of one plan, {@link
 * io.sedge.placement.internal.Instance} the site as arrays, {@link
 * io.sedge.placement.internal.FractionalBound} the lower bound. One thread, no state between plans.
 */
@NullMarked
package io.sedge.placement.internal;

import org.jspecify.annotations.NullMarked;
