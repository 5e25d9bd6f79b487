/**
 * The physics of the plant, its sensors, and how it talks MQTT. Read {@code Plant} first, then
 * {@code Pump}, then {@code Sensor}. Inside, quantities are in metres, cubic metres per second,
 * watts, degrees Celsius and seconds; sensors give them in the units that plants use.
 */
@NullMarked
package io.sedge.simulator.internal;

import org.jspecify.annotations.NullMarked;
