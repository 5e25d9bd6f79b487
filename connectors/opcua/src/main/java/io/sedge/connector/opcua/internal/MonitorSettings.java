package io.sedge.connector.opcua.internal;

import java.time.Duration;
import java.util.Optional;

/**
 * How values are looked at.
 *
 * @param sampling how often the server looks at each
 * @param publishing how often it sends what has changed
 * @param queueSize how many values of a node the server keeps
 * @param history whether what was missed is read from history
 */
record MonitorSettings(
    Duration sampling,
    Duration publishing,
    int queueSize,
    Optional<Deadband> deadband,
    BadValues badValues,
    boolean history) {
  /** By how much a value must differ to be sent. */
  record Deadband(boolean percent, double value) {}

  /** What becomes of values with a bad status. */
  enum BadValues {
    NULL,
    DROP,
    KEEP
  }
}
