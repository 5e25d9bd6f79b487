/**
 * A small plant that does not exist, computed from physics, and simpler scenes of other fields (a
 * production line, a city, crossings, a ward, a power grid, a farm, a building), with sensors,
 * faults and commands; and what publishes them over MQTT. Read {@link
 * io.sedge.simulator.Simulation} first, then {@link io.sedge.simulator.Subject}, {@link
 * io.sedge.simulator.SimulationPublisher} and {@link io.sedge.simulator.Fault}. The simulation
 * knows no clock and no network: one thread steps it.
 */
@NullMarked
package io.sedge.simulator;

import org.jspecify.annotations.NullMarked;
