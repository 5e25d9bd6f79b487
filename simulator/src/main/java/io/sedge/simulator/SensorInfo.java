package io.sedge.simulator;

/**
 * A sensor of what is simulated.
 *
 * @param zone part of it: {@code process}
 * @param machine what it sits on: {@code pump-2}
 * @param quantity what it measures: {@code bearing_temperature}
 * @param unit by UCUM: {@code Cel}, {@code m3/h}, {@code bar}, {@code A}
 * @param rateHz readings per second of simulated time
 */
public record SensorInfo(String zone, String machine, String quantity, String unit, double rateHz) {
  /** {@code process/pump-2/bearing_temperature}. */
  public String name() {
    return zone + "/" + machine + "/" + quantity;
  }
}
