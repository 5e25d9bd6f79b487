/**
 * Scenes, their sensors, and how they talk MQTT. Read {@code Scene} first, then {@code Sensor},
 * then {@code LineScene} for a small one and {@code Plant} for the physics of the water plant.
 * Inside, the plant's quantities are in metres, cubic metres per second, watts, degrees Celsius and
 * seconds; sensors give them in the units that plants use.
 */
@NullMarked
package io.sedge.simulator.internal;

import org.jspecify.annotations.NullMarked;
