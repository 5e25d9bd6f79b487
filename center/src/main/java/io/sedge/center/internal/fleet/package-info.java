/**
 * Jobs that the center gives to many sites: read {@link
 * io.sedge.center.internal.fleet.FleetRunner}, which sees to all versions that are under way, in a
 * thread of its own, then {@link io.sedge.center.internal.fleet.SiteStep} for one site, and {@link
 * io.sedge.center.internal.fleet.HealthGate}.
 */
@NullMarked
package io.sedge.center.internal.fleet;

import org.jspecify.annotations.NullMarked;
