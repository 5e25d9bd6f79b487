/**
 * A small plant that does not exist: two tanks, two pumps, valves, a filter and a heater, computed
 * from physics, with sensors, faults and commands; and what publishes it over MQTT. Read {@link
 * io.sedge.simulator.PlantSimulation} first, then {@link io.sedge.simulator.PlantPublisher}, then
 * {@link io.sedge.simulator.Fault}. The simulation knows no clock and no network: one thread steps
 * it.
 */
@NullMarked
package io.sedge.simulator;

import org.jspecify.annotations.NullMarked;
