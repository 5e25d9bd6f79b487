package io.sedge.connector.host;

import org.jspecify.annotations.Nullable;

/**
 * Something that can be read on this machine.
 *
 * @param name unique: {@code disk.sda.read}
 * @param kind the name without the device: {@code disk.read}
 * @param device what it is about: {@code sda}; null where there is only one
 * @param unit by UCUM: {@code %}, {@code By}, {@code By/s}, {@code Cel}, {@code 1/s}, {@code V}
 * @param measure how its raw number becomes a reading
 * @param scale what the result is multiplied with
 * @param maxRateHz the highest sampling rate that makes sense, because reading it costs more or it
 *     does not change faster; {@link #ANY_RATE} if nothing speaks against any
 */
record Quantity(
    String name,
    String kind,
    @Nullable String device,
    String unit,
    Measure measure,
    double scale,
    double maxRateHz) {

  static final double ANY_RATE = Double.MAX_VALUE;

  static Quantity gauge(String name, String unit) {
    return new Quantity(name, name, null, unit, Measure.GAUGE, 1, ANY_RATE);
  }

  static Quantity rate(String name, String unit) {
    return new Quantity(name, name, null, unit, Measure.RATE, 1, ANY_RATE);
  }

  static Quantity share(String name) {
    return new Quantity(name, name, null, "%", Measure.SHARE, 100, ANY_RATE);
  }

  /** The same of a device, under another name. */
  Quantity of(String newDevice, String newName) {
    return new Quantity(newName, kind, newDevice, unit, measure, scale, maxRateHz);
  }

  Quantity scaled(double newScale) {
    return new Quantity(name, kind, device, unit, measure, newScale, maxRateHz);
  }

  Quantity atMost(double newMaxRateHz) {
    return new Quantity(name, kind, device, unit, measure, scale, newMaxRateHz);
  }
}
