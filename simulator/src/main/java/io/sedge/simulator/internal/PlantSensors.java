package io.sedge.simulator.internal;

import java.util.function.DoubleSupplier;

/** Which sensors the plant has, and in which units they show what the plant computes in SI. */
final class PlantSensors {
  private static final Sensor.Kind SPEED = new Sensor.Kind("1/min", 2, 1);
  private static final Sensor.Kind FLOW = new Sensor.Kind("m3/h", 0.05, 0.01);
  private static final Sensor.Kind PRESSURE = new Sensor.Kind("bar", 0.005, 0.001);
  private static final Sensor.Kind CURRENT = new Sensor.Kind("A", 0.02, 0.01);
  private static final Sensor.Kind POWER = new Sensor.Kind("kW", 0.01, 0.001);
  private static final Sensor.Kind TEMPERATURE = new Sensor.Kind("Cel", 0.05, 0.01);
  private static final Sensor.Kind VIBRATION = new Sensor.Kind("mm/s", 0.05, 0.01);
  private static final Sensor.Kind LEVEL = new Sensor.Kind("m", 0.002, 0.001);
  private static final Sensor.Kind POSITION = new Sensor.Kind("%", 0.05, 0.1);

  private static final double SECONDS_PER_HOUR = 3600;

  private final Scene scene;

  private PlantSensors(Scene scene) {
    this.scene = scene;
  }

  /** Adds them to a scene, in the order of the water. */
  static void add(Plant plant, Scene scene) {
    new PlantSensors(scene).add(plant);
  }

  private void add(Plant plant) {
    addPump("intake/pump-1", plant.pump1, plant::discharge1);
    add(
        "intake/filter-1/differential_pressure",
        PRESSURE,
        () -> Water.barOfHead(plant.filterHead()));
    addTank("process/tank-1", plant.tank1);
    add("process/heater-1/power", new Sensor.Kind("kW", 0.2, 0.1), () -> plant.heaterWatt() / 1e3);
    addPump("process/pump-2", plant.pump2, plant::discharge2);
    add("process/pump-2/suction_pressure", PRESSURE, () -> Water.barOfHead(plant.suctionHead()));
    addValve("process/valve-1", plant.valve1);
    addTank("storage/tank-2", plant.tank2);
    addValve("storage/valve-2", plant.valve2);
    add("storage/valve-2/flow", FLOW, () -> plant.out() * SECONDS_PER_HOUR);
  }

  private void addPump(String machine, Pump pump, DoubleSupplier dischargeHead) {
    add(machine + "/speed", SPEED, () -> pump.speed() * Pump.NOMINAL_RPM);
    add(machine + "/flow", FLOW, () -> pump.flow() * SECONDS_PER_HOUR);
    add(
        machine + "/discharge_pressure",
        PRESSURE,
        () -> Water.barOfHead(dischargeHead.getAsDouble()));
    add(machine + "/current", CURRENT, pump::current);
    add(machine + "/power", POWER, () -> pump.electricWatt() / 1e3);
    add(machine + "/bearing_temperature", TEMPERATURE, pump::bearingTemperature);
    add(machine + "/vibration", VIBRATION, pump::vibration);
  }

  private void addTank(String machine, Tank tank) {
    add(machine + "/level", LEVEL, tank::level);
    add(machine + "/temperature", TEMPERATURE, tank::temperature);
  }

  private void addValve(String machine, ControlValve valve) {
    add(machine + "/position", POSITION, () -> valve.position() * 100);
    add(machine + "/command", new Sensor.Kind("%", 0, 0.1), () -> valve.command() * 100);
  }

  private void add(String name, Sensor.Kind kind, DoubleSupplier truth) {
    scene.add(name, kind, truth);
  }
}
