package io.sedge.simulator;

import java.util.Map;

/**
 * What a {@link SimulationPublisher} has done.
 *
 * @param sent readings handed to the client
 * @param acknowledged readings that the broker has acknowledged
 * @param failed readings that could not be delivered
 * @param commandsObeyed commands that changed something
 * @param commandsRefused commands that did not
 * @param simulatedSeconds how much simulated time has passed
 * @param sensors what each sensor has sent, by name
 */
public record SimulationReport(
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

  public SimulationReport {
    sensors = Map.copyOf(sensors);
  }
}
