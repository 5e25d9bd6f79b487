package io.sedge.simulator;

/**
 * What a sensor gave at one moment.
 *
 * @param sensor its name: {@code process/pump-2/bearing_temperature}
 * @param timeMillis milliseconds since 1970-01-01T00:00:00Z, simulated
 * @param value in the sensor's unit
 * @param sequence counts this sensor's readings from 1, without gaps
 */
public record SensorReading(String sensor, long timeMillis, double value, long sequence) {}
