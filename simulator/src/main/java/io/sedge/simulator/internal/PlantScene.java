package io.sedge.simulator.internal;

import io.sedge.simulator.CommandOutcome;
import io.sedge.simulator.Fault;
import io.sedge.simulator.SensorInfo;
import io.sedge.simulator.SensorReading;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** The plant, its sensors and what can be done to it. */
public final class SimulatedPlant {
  /** So long it runs before its beginning, until bearings and tanks are at their temperatures. */
  private static final double WARM_UP_SECONDS = 1_800;

  private final Plant plant;
  private final Map<String, Sensor> sensors;
  private final Map<String, SetPoint> setPoints;
  private final Sensor level1;
  private final Sensor level2;
  private final Sensor temperature1;
  private final long startMillis;
  private final List<SensorReading> due = new ArrayList<>();
  private long steps;
  private double wanted;

  public SimulatedPlant(long seed, long startMillis, double rateHz) {
    if (!(rateHz >= Sensor.MIN_RATE_HZ && rateHz <= Sensor.MAX_RATE_HZ)) {
      throw new IllegalArgumentException(
          "a rate of %s Hz is not between %s and %s"
              .formatted(rateHz, Sensor.MIN_RATE_HZ, Sensor.MAX_RATE_HZ));
    }
    this.startMillis = startMillis;
    this.plant = new Plant(new SplittableRandom(seed));
    this.sensors = new PlantSensors(plant, seed, rateHz).byName();
    this.setPoints = SetPoint.of(plant);
    this.level1 = sensor("process/tank-1/level");
    this.level2 = sensor("storage/tank-2/level");
    this.temperature1 = sensor("process/tank-1/temperature");
    for (int i = 0; i < Math.round(WARM_UP_SECONDS / Plant.STEP); i++) {
      plant.step(measured());
    }
  }

  /** For tests: the plant itself. */
  Plant plant() {
    return plant;
  }

  public void step(double seconds, Consumer<? super SensorReading> readings) {
    wanted += seconds;
    while ((steps + 1) * Plant.STEP <= wanted + 1e-9) {
      steps++;
      plant.step(measured());
      due.clear();
      for (Sensor sensor : sensors.values()) {
        sensor.step(Plant.STEP);
        sensor.read(seconds(), startMillis, due::add);
      }
      due.sort(Comparator.comparingLong(SensorReading::timeMillis));
      due.forEach(readings);
    }
  }

  private Plant.Measured measured() {
    return new Plant.Measured(
        level1.transmitted(), level2.transmitted(), temperature1.transmitted());
  }

  public double seconds() {
    return steps * Plant.STEP;
  }

  public List<SensorInfo> sensors() {
    return sensors.values().stream().map(Sensor::info).toList();
  }

  public List<String> setPoints() {
    return List.copyOf(setPoints.keySet());
  }

  public OptionalDouble setPoint(String name) {
    SetPoint found = setPoints.get(name);
    return found == null ? OptionalDouble.empty() : OptionalDouble.of(found.get().getAsDouble());
  }

  public CommandOutcome setPoint(String name, double value) {
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

  public CommandOutcome samplingRate(String name, double hertz) {
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

  public CommandOutcome fault(Fault fault, String target, boolean on) {
    if (fault.isOfSensor()) {
      Sensor found = sensors.get(target);
      if (found == null) {
        return unknownSensor(target);
      }
      applySensorFault(fault, found, on);
    } else if (fault.targets().contains(target)) {
      applyFault(fault, target, on);
    } else {
      return new CommandOutcome.Refused(
          "%s cannot befall %s, only %s"
              .formatted(fault.text(), target, String.join(", ", fault.targets())));
    }
    return new CommandOutcome.Obeyed(fault.text() + " of " + target, on ? 0 : 1, on ? 1 : 0, false);
  }

  private static void applySensorFault(Fault fault, Sensor sensor, boolean on) {
    switch (fault) {
      case SENSOR_DRIFT -> sensor.setDrifting(on);
      case SENSOR_FROZEN -> sensor.setFrozen(on);
      case SENSOR_DROPOUT -> sensor.setDropping(on);
      case BEARING_WEAR, CAVITATION, BLOCKED_FILTER, STUCK_VALVE, LEAK ->
          throw new IllegalArgumentException(fault + " befalls machines");
    }
  }

  private void applyFault(Fault fault, String target, boolean on) {
    switch (fault) {
      case BEARING_WEAR ->
          (target.equals("intake/pump-1") ? plant.pump1 : plant.pump2).setWearing(on);
      case CAVITATION -> plant.setStrainerBlocked(on);
      case BLOCKED_FILTER -> plant.setFilterBlocking(on);
      case STUCK_VALVE ->
          (target.equals("process/valve-1") ? plant.valve1 : plant.valve2).setStuck(on);
      case LEAK -> plant.setLeaking(on);
      case SENSOR_DRIFT, SENSOR_FROZEN, SENSOR_DROPOUT ->
          throw new IllegalArgumentException(fault + " befalls sensors");
    }
  }

  public double truth(String name) {
    return sensor(name).truth();
  }

  private Sensor sensor(String name) {
    Sensor found = sensors.get(name);
    if (found == null) {
      throw new IllegalArgumentException(name + " is no sensor");
    }
    return found;
  }
}
