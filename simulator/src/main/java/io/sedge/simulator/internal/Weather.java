package io.sedge.simulator.internal;

/**
 * A cloudless day in the middle of April at 45° north, with a light wind, and what water a field
 * loses in it. It begins at midnight, whatever the clock shows. Equations are those of FAO
 * Irrigation and Drainage Paper 56 (Allen et al., 1998), at sea level.
 */
final class Weather {
  private static final double HOUR = 3600;
  private static final double MEAN = 13;
  private static final double SWING = 8;
  private static final double WARMEST_HOUR = 15;
  private static final double DEW_POINT = 4;
  private static final double WIND = 2;
  private static final double SNAP = 9;
  private static final double SNAP_DEW_POINT = 8;

  private static final double LATITUDE = Math.toRadians(45);

  /** Of the sun, radians; equation 24 for day 105 of the year. */
  private static final double DECLINATION = 0.166;

  /** The solar constant at that day's distance, MJ/(m² h); equation 23. */
  private static final double SOLAR_CONSTANT = 60 * 0.0820 * 0.992;

  /** MJ/(m² h K⁴). */
  private static final double STEFAN_BOLTZMANN = 2.043e-10;

  /** kPa/K; equation 8. */
  private static final double PSYCHROMETRIC = 0.0674;

  private final Worsening coldSnap = new Worsening(HOUR);
  private double hour;

  /** Cold and dry air comes within an hour, or goes. */
  void setColdSnap(boolean on) {
    coldSnap.set(on);
  }

  void step(double seconds) {
    hour = (hour + seconds / HOUR) % 24;
    coldSnap.step(seconds);
  }

  /** °C, two metres above level ground. */
  double temperature() {
    double daily = Math.cos(2 * Math.PI * (hour - WARMEST_HOUR) / 24);
    return MEAN + SWING * daily - SNAP * coldSnap.part();
  }

  /** °C. */
  double dewPoint() {
    return DEW_POINT - SNAP_DEW_POINT * coldSnap.part();
  }

  /** Above the air, MJ/(m² h); equation 28, of an instant. */
  private double extraterrestrial() {
    double angle = Math.PI / 12 * (hour - 12);
    double height =
        Math.sin(LATITUDE) * Math.sin(DECLINATION)
            + Math.cos(LATITUDE) * Math.cos(DECLINATION) * Math.cos(angle);
    return SOLAR_CONSTANT * Math.max(0, height);
  }

  /** At the ground, MJ/(m² h); equation 37. */
  double solar() {
    return 0.75 * extraterrestrial();
  }

  /** Relative, percent. */
  double humidity(double celsius) {
    return Math.min(100, 100 * saturation(dewPoint()) / saturation(celsius));
  }

  /** The pressure of vapour in saturated air, kPa; equation 11. */
  static double saturation(double celsius) {
    return 0.6108 * Math.exp(17.27 * celsius / (celsius + 237.3));
  }

  /** Of well-watered grass, mm/h: Penman-Monteith by the hour, equation 53. */
  double evapotranspiration() {
    double celsius = temperature();
    double saturated = saturation(celsius);
    double vapour = Math.min(saturated, saturation(dewPoint()));
    double slope = 4098 * saturated / Math.pow(celsius + 237.3, 2);
    double longwave =
        STEFAN_BOLTZMANN * Math.pow(celsius + 273.16, 4) * (0.34 - 0.14 * Math.sqrt(vapour));
    double net = 0.77 * solar() - longwave;
    double intoTheGround = (solar() > 0 ? 0.1 : 0.5) * net;
    double byRadiation = 0.408 * slope * (net - intoTheGround);
    double byWind = PSYCHROMETRIC * 37 / (celsius + 273) * WIND * (saturated - vapour);
    return Math.max(0, (byRadiation + byWind) / (slope + PSYCHROMETRIC * (1 + 0.34 * WIND)));
  }
}
