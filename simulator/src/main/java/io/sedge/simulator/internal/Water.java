package io.sedge.simulator.internal;

/** Water, as far as the plant needs it. */
final class Water {
  /** Kilograms per cubic metre, at 20 °C. */
  static final double DENSITY = 998;

  /** Joules per kilogram and kelvin. */
  static final double HEAT_CAPACITY = 4186;

  /** Metres per second squared. */
  static final double GRAVITY = 9.81;

  private static final double ATMOSPHERE_PA = 101_325;
  private static final double PA_PER_BAR = 1e5;
  private static final double PA_PER_MMHG = 133.322;

  private Water() {}

  static double headOfBar(double bar) {
    return bar * PA_PER_BAR / (DENSITY * GRAVITY);
  }

  static double barOfHead(double head) {
    return head * DENSITY * GRAVITY / PA_PER_BAR;
  }

  /** The pressure at which it boils, in pascal; Antoine's equation for 1 to 100 °C. */
  static double vapourPressure(double celsius) {
    return Math.pow(10, 8.07131 - 1730.63 / (233.426 + celsius)) * PA_PER_MMHG;
  }

  /** How high the atmosphere could push it before it boils, in metres. */
  static double boilingMargin(double celsius) {
    return (ATMOSPHERE_PA - vapourPressure(celsius)) / (DENSITY * GRAVITY);
  }
}
