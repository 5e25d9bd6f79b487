/**
 * Which device of a site runs which shard: a pure function of what was measured. Read {@link
 * io.sedge.placement.Placement} first, then {@link io.sedge.placement.Site} (what goes in) and
 * {@link io.sedge.placement.Plan} (what comes out); {@link io.sedge.placement.SpeedEstimator} makes
 * speeds of measurements. Runs on the caller's thread, holds no state between calls, reads no clock
 * and draws no random numbers: the same site and policy give the same plan. Needs the JDK alone.
 */
@NullMarked
package io.sedge.placement;

import org.jspecify.annotations.NullMarked;
