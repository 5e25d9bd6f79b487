package io.sedge.simulator.internal;

import io.sedge.simulator.Fault;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * Three districts with a station for air and noise each, and a car park with a sign that says FULL
 * or not, which most drivers believe. Traffic rises and falls every ten minutes, so that one need
 * not wait for a day. Fine dust follows traffic and what the air carries away, with a delay of a
 * minute.
 */
public final class CityScene extends Scene {
  static final double STEP = 0.1;

  private static final double TRAFFIC_PERIOD = 600;
  private static final double AIR_SECONDS = 60;
  private static final double INVERSION_SECONDS = 90;
  private static final double PLACES = 400;
  private static final double STAY_SECONDS = 600;

  /** Of the drivers, when the sign says FULL. */
  private static final double WHO_TRY_ANYWAY = 0.05;

  private final SplittableRandom random;
  private final Worsening inversion = new Worsening(INVERSION_SECONDS);
  private final Map<String, District> districts = new LinkedHashMap<>();
  private double time;

  public CityScene(Start start) {
    super(start, STEP);
    random = new SplittableRandom(start.seed());
    addDistrict("harbour", 1.3);
    addDistrict("centre", 1.0);
    addDistrict("park", 0.4);
  }

  private void addDistrict(String name, double traffic) {
    District district = new District(traffic);
    districts.put(name, district);
    add(name + "/air/pm2_5", new Sensor.Kind("ug/m3", 0.6, 0.1), () -> district.dust);
    add(name + "/air/no2", new Sensor.Kind("ug/m3", 1, 0.1), () -> 8 + 1.6 * district.dust);
    add(name + "/noise/level", new Sensor.Kind("dB", 0.8, 0.1), district::noise);
    add(name + "/parking/free", new Sensor.Kind("1", 0, 1), () -> PLACES - district.cars);
    add(name + "/sign/full", new Sensor.Kind("1", 0, 1), () -> district.full);
    add(name + "/sign/full", new SetPoint(0, 1, () -> district.full, on -> district.full = on));
  }

  @Override
  void advance() {
    time += STEP;
    inversion.step(STEP);
    districts.values().forEach(District::step);
  }

  /** Inversion lies on all of it; the district is only where it was seen first. */
  @Override
  void apply(Fault fault, String target, boolean on) {
    switch (fault) {
      case INVERSION -> inversion.set(on);
      case PUBLIC_EVENT -> Objects.requireNonNull(districts.get(target)).event = on;
      default -> throw new IllegalArgumentException(fault + " does not befall a city");
    }
  }

  /** One district. */
  private final class District {
    private final double usualTraffic;
    private double dust = 12;
    private double cars = 180;

    /** 1: the sign says FULL. */
    private double full;

    private boolean event;

    District(double usualTraffic) {
      this.usualTraffic = usualTraffic;
    }

    double traffic() {
      double tide = 1 + 0.4 * Math.sin(2 * Math.PI * time / TRAFFIC_PERIOD);
      return usualTraffic * tide + (event ? 1.5 : 0);
    }

    double noise() {
      return 55 + 10 * Math.log10(1 + 3 * traffic()) + (event ? 9 : 0);
    }

    void step() {
      double carried = 1 - 0.85 * inversion.part();
      double becomes = 5 + 7 * traffic() / carried;
      dust += (becomes - dust) * STEP / AIR_SECONDS;
      double arriving = 0.3 * usualTraffic + (event ? 4 : 0);
      double let = full >= 0.5 ? arriving * WHO_TRY_ANYWAY : arriving;
      cars += random.nextDouble() < let * STEP && cars < PLACES ? 1 : 0;
      cars -= random.nextDouble() < cars / STAY_SECONDS * STEP && cars > 0 ? 1 : 0;
    }
  }
}
