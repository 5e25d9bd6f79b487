package io.sedge.simulator.internal;

import io.sedge.simulator.CommandOutcome;
import io.sedge.simulator.Fault;
import io.sedge.simulator.SensorInfo;
import io.sedge.simulator.SensorReading;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * What is simulated, with its sensors and what can be done to it. One thread; it knows no clock.
 */
public abstract class Scene {
  private final Start start;
  private final double stepSeconds;
  private final Map<String, Sensor> sensors = new LinkedHashMap<>();
  private final Map<String, SetPoint> setPoints = new LinkedHashMap<>();
  private final List<SensorReading> due = new ArrayList<>();
  private long steps;
  private double wanted;

  /**
   * How it begins.
   *
   * @param seed of everything that is random
   * @param millis what the simulated clock shows
   * @param rateHz readings per second and sensor
   */
  public record Start(long seed, long millis, double rateHz) {
    public Start {
      if (!(rateHz >= Sensor.MIN_RATE_HZ && rateHz <= Sensor.MAX_RATE_HZ)) {
        throw new IllegalArgumentException(
            "a rate of %s Hz is not between %s and %s"
                .formatted(rateHz, Sensor.MIN_RATE_HZ, Sensor.MAX_RATE_HZ));
      }
    }
  }

  Scene(Start start, double stepSeconds) {
    this.start = start;
    this.stepSeconds = stepSeconds;
  }

  /** Lets one step of time pass. */
  abstract void advance();

  /** Switches a fault of this scene's on or off, at one of the fault's targets. */
  abstract void apply(Fault fault, String target, boolean on);

  final void add(String name, Sensor.Kind kind, DoubleSupplier truth) {
    sensors.put(name, new Sensor(name, kind, truth, start.seed(), start.rateHz()));
  }

  final void add(String name, SetPoint setPoint) {
    setPoints.put(name, setPoint);
  }

  final Sensor sensor(String name) {
    Sensor found = sensors.get(name);
    if (found == null) {
      throw new IllegalArgumentException(name + " is no sensor");
    }
    return found;
  }

  public final void step(double seconds, Consumer<? super SensorReading> readings) {
    wanted += seconds;
    while ((steps + 1) * stepSeconds <= wanted + 1e-9) {
      steps++;
      advance();
      due.clear();
      for (Sensor sensor : sensors.values()) {
        sensor.step(stepSeconds);
        sensor.read(seconds(), start.millis(), due::add);
      }
      due.sort(Comparator.comparingLong(SensorReading::timeMillis));
      due.forEach(readings);
    }
  }

  public final double seconds() {
    return steps * stepSeconds;
  }

  public final List<SensorInfo> sensors() {
    return sensors.values().stream().map(Sensor::info).toList();
  }

  public final List<String> setPoints() {
    return List.copyOf(setPoints.keySet());
  }

  public final OptionalDouble setPoint(String name) {
    SetPoint found = setPoints.get(name);
    return found == null ? OptionalDouble.empty() : OptionalDouble.of(found.get().getAsDouble());
  }

  public final CommandOutcome setPoint(String name, double value) {
    SetPoint found = setPoints.get(name);
    if (found == null) {
      return new CommandOutcome.Refused(
          "%s has no set-point; there are %s".formatted(name, String.join(", ", setPoints())));
    }
    if (!Double.isFinite(value)) {
      return new CommandOutcome.Refused("%s = %s is not a number".formatted(name, value));
    }
    double before = found.get().getAsDouble();
    double allowed = Math.clamp(value, found.least(), found.most());
    found.set().accept(allowed);
    return new CommandOutcome.Obeyed(name, before, allowed, allowed != value);
  }

  public final CommandOutcome samplingRate(String name, double hertz) {
    Sensor found = sensors.get(name);
    if (found == null) {
      return unknownSensor(name);
    }
    if (!Double.isFinite(hertz)) {
      return new CommandOutcome.Refused("%s Hz is not a rate".formatted(hertz));
    }
    double before = found.rateHz();
    double allowed = Math.clamp(hertz, Sensor.MIN_RATE_HZ, Sensor.MAX_RATE_HZ);
    if (allowed != before) {
      found.setRate(allowed, seconds());
    }
    return new CommandOutcome.Obeyed(name + " sampling rate", before, allowed, allowed != hertz);
  }

  private CommandOutcome unknownSensor(String name) {
    return new CommandOutcome.Refused(
        "%s is no sensor; there are %s".formatted(name, String.join(", ", sensors.keySet())));
  }

  public final CommandOutcome fault(Fault fault, String target, boolean on) {
    if (fault.isOfSensor()) {
      Sensor found = sensors.get(target);
      if (found == null) {
        return unknownSensor(target);
      }
      found.apply(fault, on);
    } else if (fault.targets().contains(target)) {
      apply(fault, target, on);
    } else {
      return new CommandOutcome.Refused(
          "%s cannot befall %s, only %s"
              .formatted(fault.text(), target, String.join(", ", fault.targets())));
    }
    return new CommandOutcome.Obeyed(fault.text() + " of " + target, on ? 0 : 1, on ? 1 : 0, false);
  }

  public final double truth(String name) {
    return sensor(name).truth();
  }
}
