package io.sedge.simulator;

import io.sedge.simulator.internal.Scene;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * A subject with its sensors, in simulated time: the same seed and the same commands at the same
 * times give the same readings. It begins in a steady state. One thread; it knows no clock.
 */
public final class Simulation {
  private final Subject subject;
  private final Scene scene;

  /**
   * @param subject what is simulated
   * @param seed of everything that is random
   * @param start what the simulated clock shows at the beginning
   * @param rateHz readings per second and sensor, from 0.01 to 1000
   */
  public Simulation(Subject subject, long seed, Instant start, double rateHz) {
    this.subject = subject;
    scene = subject.begin(new Scene.Start(seed, start.toEpochMilli(), rateHz));
  }

  /** What is simulated. */
  public Subject subject() {
    return subject;
  }

  /**
   * Lets time pass and hands over the readings of that time in their order.
   *
   * @param seconds of simulated time
   */
  public void step(double seconds, Consumer<? super SensorReading> readings) {
    scene.step(seconds, readings);
  }

  /** Seconds of simulated time since the beginning. */
  public double seconds() {
    return scene.seconds();
  }

  /** What there is to read: of the plant in the order of the water. */
  public List<SensorInfo> sensors() {
    return scene.sensors();
  }

  /** The names of the set-points that commands can change. */
  public List<String> setPoints() {
    return scene.setPoints();
  }

  /** What a set-point is now; empty if there is none of that name. */
  public OptionalDouble setPoint(String name) {
    return scene.setPoint(name);
  }

  /**
   * Changes a set-point: {@code process/pump-2/speed}, in the unit of the sensor of that name. A
   * value out of range becomes the nearest one in range.
   */
  public CommandOutcome setPoint(String name, double value) {
    return scene.setPoint(name, value);
  }

  /** Changes how often a sensor is read; a rate out of range becomes the nearest one in range. */
  public CommandOutcome samplingRate(String sensor, double hertz) {
    return scene.samplingRate(sensor, hertz);
  }

  /**
   * Switches a fault on or off; what is so already stays so.
   *
   * @param target one of the fault's targets, or for faults of sensors the name of any sensor;
   *     empty for the first
   */
  public CommandOutcome fault(Fault fault, Optional<String> target, boolean on) {
    return fault.befalls(subject)
        ? scene.fault(fault, target.orElseGet(() -> firstTarget(fault)), on)
        : new CommandOutcome.Refused(fault.notOf(subject));
  }

  private String firstTarget(Fault fault) {
    String first = fault.targets().getFirst();
    List<String> sensors = sensors().stream().map(SensorInfo::name).toList();
    return fault.isOfSensor() && !sensors.contains(first) ? sensors.getFirst() : first;
  }

  /**
   * What a sensor would show if it were perfect.
   *
   * @throws IllegalArgumentException if there is no such sensor
   */
  public double truth(String sensor) {
    return scene.truth(sensor);
  }
}
