package io.sedge.simulator.internal;

import io.sedge.simulator.Fault;
import java.util.ArrayList;
import java.util.List;

/**
 * Two fields of vegetables with drip irrigation, and a tank that a pump fills from a well, in real
 * times: a day begins at midnight and has 24 hours. Fields lose water by evapotranspiration and
 * below their roots. A field that is short of water transpires less (FAO Irrigation and Drainage
 * Paper 56, equations 81 to 84). The hollow has loam and gathers cold air at night, the slope has
 * sandy loam. The pump follows a float switch.
 */
public final class FarmScene extends Scene {
  static final double STEP = 1;
  private static final double TANK_M3 = 150;

  /** Of a field. */
  private static final double AREA_M2 = 5_000;

  private static final double HOUR = 3600;
  private static final double VALVE_M3_PER_HOUR = 25;
  private static final double PUMP_M3_PER_HOUR = 20;

  /** Lifts that by 30 m with an efficiency of 60 %. */
  private static final double PUMP_KW = 2.7;

  private static final double FLOAT_LOW = 0.7;
  private static final double FLOAT_HIGH = 0.95;

  private final Weather weather = new Weather();
  private final List<Field> fields = new ArrayList<>();
  private double tank = 0.75 * TANK_M3;
  private boolean wanted;
  private boolean pumpFails;

  public FarmScene(Start start) {
    super(start, STEP);
    add("hollow", new Field(new Soil(27, 13), 2, 21.2));
    add("slope", new Field(new Soil(20, 8), 0, 15.6));
    add("yard/tank/level", Sensor.Kind.slow("%", 0.2, 0.1), () -> 100 * tank / TANK_M3);
    add("yard/pump/power", Sensor.Kind.slow("kW", 0.02, 0.01), () -> pumps() ? PUMP_KW : 0);
  }

  private void add(String name, Field field) {
    fields.add(field);
    add(name + "/soil/moisture", Sensor.Kind.slow("%", 0.1, 0.1), () -> field.moisture);
    add(name + "/air/temperature", Sensor.Kind.slow("Cel", 0.1, 0.1), field::temperature);
    add(
        name + "/air/humidity",
        Sensor.Kind.slow("%", 0.5, 0.1),
        () -> weather.humidity(field.temperature()));
    add(name + "/leaf/wetness", new Sensor.Kind("%", 0, 1), () -> 100 * field.dew.part());
    add(name + "/valve/open", new Sensor.Kind("1", 0, 1), () -> field.valve);
    add(name + "/valve/water", new Sensor.Kind("m3", 0, 0.01), () -> field.meter);
    add(
        name + "/valve/open",
        new SetPoint(0, 1, () -> field.valve, open -> field.valve = Math.rint(open)));
  }

  private boolean pumps() {
    return wanted && !pumpFails;
  }

  @Override
  void advance() {
    weather.step(STEP);
    wanted = tank < (wanted ? FLOAT_HIGH : FLOAT_LOW) * TANK_M3;
    tank += pumps() ? PUMP_M3_PER_HOUR * STEP / HOUR : 0;
    fields.forEach(Field::step);
  }

  /** Cold air lies on all of it; the hollow is only where it is seen first. */
  @Override
  void apply(Fault fault, String target, boolean on) {
    switch (fault) {
      case COLD_SNAP -> weather.setColdSnap(on);
      case PUMP_FAILURE -> pumpFails = on;
      default -> throw new IllegalArgumentException(fault + " does not befall a farm");
    }
  }

  /**
   * What a soil holds of water, percent of its volume.
   *
   * @param capacity what stays against gravity
   * @param wiltingPoint what roots cannot take
   */
  private record Soil(double capacity, double wiltingPoint) {}

  /** One field with its valve, water meter and station. */
  private final class Field {
    private static final double ROOTS_MM = 300;

    /** The crop's coefficient in mid-season (table 12). */
    private static final double CROP = 1.05;

    /** What share of the water the crop takes without stress (table 22). */
    private static final double EASY = 0.4;

    /** Of what is above the field capacity. */
    private static final double DRAIN_HOURS = 6;

    /** So much colder than the air are leaves at night, K. */
    private static final double LEAF_COOLER = 1.5;

    /** With so much sun nothing is left of the night's cold, MJ/(m² h). */
    private static final double SUNNY = 1;

    /** From dry to wet, and back. */
    private static final double DEW_SECONDS = 1800;

    private final Soil soil;
    private final double nightCooler;
    private final Worsening dew = new Worsening(DEW_SECONDS);
    private double moisture;

    /** 1: open. */
    private double valve;

    /** m³ since the beginning. */
    private double meter;

    /**
     * @param nightCooler than level ground, K
     * @param moisture of the soil at the beginning, percent of its volume
     */
    Field(Soil soil, double nightCooler, double moisture) {
      this.soil = soil;
      this.nightCooler = nightCooler;
      this.moisture = moisture;
    }

    /** From 0 by day to 1 at night. */
    private double night() {
      return Math.max(0, 1 - weather.solar() / SUNNY);
    }

    double temperature() {
      return weather.temperature() - nightCooler * night();
    }

    void step() {
      dew.set(temperature() - LEAF_COOLER * night() < weather.dewPoint());
      dew.step(STEP);
      double drawn = Math.min(tank, valve * VALVE_M3_PER_HOUR * STEP / HOUR);
      tank -= drawn;
      meter += drawn;
      double lost = CROP * stress() * weather.evapotranspiration() + drained();
      double gained = 1000 * drawn / AREA_M2 - lost * STEP / HOUR;
      moisture += 100 * gained / ROOTS_MM;
    }

    /** 1 without stress, 0 for a crop that wilts; equation 84. */
    private double stress() {
      double available = (moisture - soil.wiltingPoint) / (soil.capacity - soil.wiltingPoint);
      return Math.clamp(available / (1 - EASY), 0, 1);
    }

    /** mm/h. */
    private double drained() {
      double above = Math.max(0, moisture - soil.capacity);
      return above / 100 * ROOTS_MM / DRAIN_HOURS;
    }
  }
}
