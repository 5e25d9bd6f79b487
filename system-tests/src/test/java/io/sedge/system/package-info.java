/**
 * Real processes: the {@code sedge} command started by its launcher, a real Mosquitto, kills,
 * signals and outages. Tests tagged {@code long} run with the profile of that name.
 */
@NullMarked
package io.sedge.system;

import org.jspecify.annotations.NullMarked;
