package io.sedge.simulator;

import java.util.Map;

/**
 * What a {@link PlantPublisher} has done.
 *
 * @param sent readings handed to the client
 * @param acknowledged readings that the broker has acknowledged
 * @param failed readings that could not be delivered
 * @param commandsObeyed commands that changed something
 * @param commandsRefused commands that did not
 * @param simulatedSeconds how much time has passed in the plant
 * @param sensors what each sensor has sent, by name
 */
public record PlantReport(
    long sent,
    long acknowledged,
    long failed,
    long commandsObeyed,
    long commandsRefused,
    double simulatedSeconds,
    Map<String, SensorTotal> sensors) {

  /**
   * What one sensor has sent and the broker acknowledged.
   *
   * @param count readings
   * @param sum of their values, added in the order of sending
   */
  public record SensorTotal(long count, double sum) {}

  public PlantReport {
    sensors = Map.copyOf(sensors);
  }
}
