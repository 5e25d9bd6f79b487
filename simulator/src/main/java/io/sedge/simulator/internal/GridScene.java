package io.sedge.simulator.internal;

import io.sedge.simulator.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A transformer of 40 kW with six houses, three chargers for cars and a solar roof behind it. The
 * oil's temperature over the air's follows 45 K times the square of the load, as the losses in the
 * windings do, with a time constant of two minutes rather than the hours of a real one.
 */
public final class GridScene extends Scene {
  static final double STEP = 0.1;

  private static final double RATED_KW = 40;
  private static final double OIL_RISE = 45;
  private static final double OIL_SECONDS = 120;
  private static final double AIR = 25;
  private static final double HEAT_WAVE = 13;
  private static final double WEATHER_SECONDS = 60;
  private static final double CHARGER_KW = 11;
  private static final double CLOUDS_PERIOD = 240;

  private final SplittableRandom random;
  private final Worsening heatWave = new Worsening(WEATHER_SECONDS);
  private final Worsening peak = new Worsening(WEATHER_SECONDS);
  private final List<House> houses = new ArrayList<>();
  private final double[] limits = new double[3];
  private double time;
  private double oil;

  public GridScene(Start start) {
    super(start, STEP);
    random = new SplittableRandom(start.seed());
    for (int i = 1; i <= 6; i++) {
      House house = new House();
      houses.add(house);
      add("feeder-1/house-" + i + "/power", new Sensor.Kind("kW", 0.01, 0.001), house::power);
    }
    for (int i = 0; i < limits.length; i++) {
      int charger = i;
      limits[i] = CHARGER_KW;
      String name = "feeder-1/charger-" + (i + 1);
      add(name + "/power", new Sensor.Kind("kW", 0.01, 0.001), () -> limits[charger]);
      add(
          name + "/limit",
          new SetPoint(0, CHARGER_KW, () -> limits[charger], most -> limits[charger] = most));
    }
    add("feeder-1/solar-1/power", new Sensor.Kind("kW", 0.02, 0.001), () -> -solar());
    add("feeder-1/transformer-1/load", new Sensor.Kind("%", 0.2, 0.1), () -> 100 * load());
    add("feeder-1/transformer-1/oil_temperature", new Sensor.Kind("Cel", 0.1, 0.1), () -> oil);
    oil = AIR + OIL_RISE * load() * load();
  }

  private double solar() {
    return 4 + 3 * Math.sin(2 * Math.PI * time / CLOUDS_PERIOD);
  }

  private double load() {
    double used = -solar();
    for (House house : houses) {
      used += house.power();
    }
    for (double charger : limits) {
      used += charger;
    }
    return Math.abs(used) / RATED_KW;
  }

  @Override
  void advance() {
    time += STEP;
    heatWave.step(STEP);
    peak.step(STEP);
    houses.forEach(House::step);
    double becomes = AIR + HEAT_WAVE * heatWave.part() + OIL_RISE * load() * load();
    oil += (becomes - oil) * STEP / OIL_SECONDS;
  }

  @Override
  void apply(Fault fault, String target, boolean on) {
    switch (fault) {
      case HEAT_WAVE -> heatWave.set(on);
      case EVENING_PEAK -> peak.set(on);
      default -> throw new IllegalArgumentException(fault + " does not befall a grid");
    }
  }

  /** One household. */
  private final class House {
    private double kilowatts = 0.8;

    double power() {
      return kilowatts * (1 + 2.5 * peak.part());
    }

    void step() {
      double next = kilowatts + 0.05 * Math.sqrt(STEP) * random.nextGaussian();
      kilowatts = Math.clamp(next, 0.3, 1.6);
    }
  }
}
