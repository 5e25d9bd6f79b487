package io.sedge.simulator;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What can go wrong in the plant. docs/plant.md says what each does to which quantities. */
public enum Fault {
  /** A bearing wears within minutes: friction, temperature and vibration rise. */
  BEARING_WEAR("bearing-wear", "process/pump-2 intake/pump-1"),
  /** The strainer before the pump is blocked: the water boils in the pump. */
  CAVITATION("cavitation", "process/pump-2"),
  /** The filter clogs within a minute: its pressure loss rises until too little flows. */
  BLOCKED_FILTER("blocked-filter", "intake/filter-1"),
  /** The valve no longer moves, whatever its controller wants. */
  STUCK_VALVE("stuck-valve", "process/valve-1 storage/valve-2"),
  /** A hole near the floor of the tank. */
  LEAK("leak", "process/tank-1"),
  /** A sensor shows more and more too much. Any sensor. */
  SENSOR_DRIFT("sensor-drift", "storage/tank-2/level"),
  /** A sensor shows what it last showed. Any sensor. */
  SENSOR_FROZEN("sensor-frozen", "process/tank-1/level"),
  /** Nine of ten readings of a sensor are missing. Any sensor. */
  SENSOR_DROPOUT("sensor-dropout", "process/pump-2/flow");

  private final String text;
  private final String targets;

  /**
   * @param targets separated by blanks
   */
  Fault(String text, String targets) {
    this.text = text;
    this.targets = targets;
  }

  /** How people write it: {@code bearing-wear}. */
  public String text() {
    return text;
  }

  /** The machines it can befall, or, of a sensor's fault, only the sensor that it befalls first. */
  public List<String> targets() {
    return List.of(targets.split(" ", -1));
  }

  /** Whether it befalls a sensor, any one, rather than a machine. */
  public boolean isOfSensor() {
    return this == SENSOR_DRIFT || this == SENSOR_FROZEN || this == SENSOR_DROPOUT;
  }

  /** The fault that people write so. */
  public static Optional<Fault> named(String text) {
    return Arrays.stream(values()).filter(fault -> fault.text.equals(text)).findFirst();
  }

  /** All of them, as people write them, for messages. */
  public static String list() {
    return Arrays.stream(values()).map(Fault::text).collect(Collectors.joining(", "));
  }
}
