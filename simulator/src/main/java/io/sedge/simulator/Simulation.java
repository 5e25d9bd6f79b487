package io.sedge.simulator;

import io.sedge.simulator.internal.SimulatedPlant;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * The plant with its sensors, in simulated time: the same seed and the same commands at the same
 * times give the same readings. It begins in a steady state. One thread; it knows no clock.
 */
public final class PlantSimulation {
  private final SimulatedPlant plant;

  /**
   * @param seed of everything that is random
   * @param start what the simulated clock shows at the beginning
   * @param rateHz readings per second and sensor, from 0.01 to 1000
   */
  public PlantSimulation(long seed, Instant start, double rateHz) {
    plant = new SimulatedPlant(seed, start.toEpochMilli(), rateHz);
  }

  /**
   * Lets time pass and hands over the readings of that time in their order.
   *
   * @param seconds of simulated time
   */
  public void step(double seconds, Consumer<? super SensorReading> readings) {
    plant.step(seconds, readings);
  }

  /** Seconds of simulated time since the beginning. */
  public double seconds() {
    return plant.seconds();
  }

  /** What there is to read, in the order of the water. */
  public List<SensorInfo> sensors() {
    return plant.sensors();
  }

  /** The names of the set-points that commands can change. */
  public List<String> setPoints() {
    return plant.setPoints();
  }

  /** What a set-point is now; empty if there is none of that name. */
  public OptionalDouble setPoint(String name) {
    return plant.setPoint(name);
  }

  /**
   * Changes a set-point: {@code process/pump-2/speed}, in the unit of the sensor of that name. A
   * value out of range becomes the nearest one in range.
   */
  public CommandOutcome setPoint(String name, double value) {
    return plant.setPoint(name, value);
  }

  /** Changes how often a sensor is read; a rate out of range becomes the nearest one in range. */
  public CommandOutcome samplingRate(String sensor, double hertz) {
    return plant.samplingRate(sensor, hertz);
  }

  /**
   * Switches a fault on or off; what is so already stays so.
   *
   * @param target one of the fault's targets, or for faults of sensors the name of any sensor
   */
  public CommandOutcome fault(Fault fault, String target, boolean on) {
    return plant.fault(fault, target, on);
  }

  /**
   * What a sensor would show if it were perfect.
   *
   * @throws IllegalArgumentException if there is no such sensor
   */
  public double truth(String sensor) {
    return plant.truth(sensor);
  }
}
