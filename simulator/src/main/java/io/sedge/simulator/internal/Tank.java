package io.sedge.simulator.internal;

/**
 * An upright tank, open at the top and well mixed: {@code dV/dt = in − out} and {@code M c dT/dt =
 * heat + m_in c (T_in − T) − U A (T − T_room)}. What does not fit runs over.
 */
final class Tank {
  private final double area;
  private final double height;
  private final double wattPerKelvin;
  private double level;
  private double temperature;
  private double overflow;

  /**
   * @param area of its floor, m²
   * @param height m
   * @param wattPerKelvin what it loses through its wall
   */
  Tank(double area, double height, double wattPerKelvin, double level, double temperature) {
    this.area = area;
    this.height = height;
    this.wattPerKelvin = wattPerKelvin;
    this.level = level;
    this.temperature = temperature;
  }

  /** What can flow out in a step at most, m³/s. */
  double available(double seconds) {
    return level * area / seconds;
  }

  void step(
      double seconds, double in, double inTemperature, double out, double heatWatt, double room) {
    double mass = Math.max(level * area, 1e-3) * Water.DENSITY;
    double gained =
        heatWatt
            + in * Water.DENSITY * Water.HEAT_CAPACITY * (inTemperature - temperature)
            - wattPerKelvin * (temperature - room);
    temperature += gained * seconds / (mass * Water.HEAT_CAPACITY);
    double volume = level * area + (in - out) * seconds;
    double fits = Math.clamp(volume, 0, height * area);
    overflow = Math.max(0, volume - fits) / seconds;
    level = fits / area;
  }

  double level() {
    return level;
  }

  double volume() {
    return level * area;
  }

  double temperature() {
    return temperature;
  }

  /** What ran over in the last step, m³/s. */
  double overflow() {
    return overflow;
  }
}
