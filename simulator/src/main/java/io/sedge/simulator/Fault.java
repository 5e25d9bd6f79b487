package io.sedge.simulator;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What can go wrong. docs/plant.md and docs/fields.md say what each does to which quantities. */
public enum Fault {
  /** A bearing wears within minutes: friction, temperature and vibration rise. */
  BEARING_WEAR("bearing-wear", Subject.PLANT, "process/pump-2 intake/pump-1"),
  /** The strainer before the pump is blocked: the water boils in the pump. */
  CAVITATION("cavitation", Subject.PLANT, "process/pump-2"),
  /** The filter clogs within a minute: its pressure loss rises until too little flows. */
  BLOCKED_FILTER("blocked-filter", Subject.PLANT, "intake/filter-1"),
  /** The valve no longer moves, whatever its controller wants. */
  STUCK_VALVE("stuck-valve", Subject.PLANT, "process/valve-1 storage/valve-2"),
  /** A hole near the floor of the tank. */
  LEAK("leak", Subject.PLANT, "process/tank-1"),
  /** A machine of a production line stands still. */
  JAM("jam", Subject.LINE, "line-1/press line-2/mill"),
  /** A tool wears within two minutes: vibration and scrap rise. */
  TOOL_WEAR("tool-wear", Subject.LINE, "line-2/mill line-1/mill"),
  /** Warm air above holds the dirt down. */
  INVERSION("inversion", Subject.CITY, "centre"),
  /** Many people come by car, and are loud. */
  PUBLIC_EVENT("public-event", Subject.CITY, "harbour centre"),
  /** Twice as many cars come from the side. */
  RUSH("rush", Subject.TRAFFIC, "crossing-1/side crossing-2/side"),
  /** A patient becomes worse within three minutes. */
  SEPSIS("sepsis", Subject.WARD, "room-1/bed-2 room-2/bed-1"),
  /** The air gets 13 K warmer. */
  HEAT_WAVE("heat-wave", Subject.GRID, "feeder-1"),
  /** All cook at once. */
  EVENING_PEAK("evening-peak", Subject.GRID, "feeder-1"),
  /** The air gets 9 K colder within an hour, and drier. */
  COLD_SNAP("cold-snap", Subject.FARM, "hollow"),
  /** The pump no longer fills the tank. */
  PUMP_FAILURE("pump-failure", Subject.FARM, "yard/pump"),
  /** Twelve people come to a room at once, and stay. */
  FULL_HOUSE("full-house", Subject.BUILDING, "floor-1/room-101 floor-2/room-201"),
  /** The damper of a room no longer moves, whatever is commanded. */
  STUCK_DAMPER("stuck-damper", Subject.BUILDING, "floor-2/room-201 floor-1/room-102"),
  /** A sensor shows more and more too much. Any sensor. */
  SENSOR_DRIFT("sensor-drift", null, "storage/tank-2/level"),
  /** A sensor shows what it last showed. Any sensor. */
  SENSOR_FROZEN("sensor-frozen", null, "process/tank-1/level"),
  /** Nine of ten readings of a sensor are missing. Any sensor. */
  SENSOR_DROPOUT("sensor-dropout", null, "process/pump-2/flow");

  private final String text;
  private final @Nullable Subject subject;
  private final String targets;

  /**
   * @param subject what it befalls; null for sensors of any
   * @param targets separated by blanks
   */
  Fault(String text, @Nullable Subject subject, String targets) {
    this.text = text;
    this.subject = subject;
    this.targets = targets;
  }

  /** How people write it: {@code bearing-wear}. */
  public String text() {
    return text;
  }

  /**
   * The machines it can befall, or, of a sensor's fault, only the sensor of the plant that it
   * befalls first.
   */
  public List<String> targets() {
    return List.of(targets.split(" ", -1));
  }

  /** Whether it befalls a sensor, any one, rather than a machine. */
  public boolean isOfSensor() {
    return subject == null;
  }

  /** Whether it can go wrong there. */
  public boolean befalls(Subject what) {
    return subject == null || subject == what;
  }

  /** The fault that people write so. */
  public static Optional<Fault> named(String text) {
    return Arrays.stream(values()).filter(fault -> fault.text.equals(text)).findFirst();
  }

  /** Says to people that a subject has no such fault, and which it has. */
  String notOf(Subject what) {
    return "%s has no %s; there are %s".formatted(what.text(), text, list(what));
  }

  /** All that can go wrong there, as people write them, for messages. */
  public static String list(Subject what) {
    return Arrays.stream(values())
        .filter(fault -> fault.befalls(what))
        .map(Fault::text)
        .collect(Collectors.joining(", "));
  }
}
