package io.sedge.connector.modbus.internal;

import io.sedge.connector.Reports;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Tells of gaps that have begun and ended on a line, those of one sweep together. Belongs to its
 * loop's thread.
 */
final class Gaps {
  /** So many units are named in one report. */
  private static final int NAMED = 10;

  private final String line;
  private final Reports reports;
  private final Map<String, List<Device>> begun = new LinkedHashMap<>();
  private final List<String> ended = new ArrayList<>();

  Gaps(String line, Reports reports) {
    this.line = line;
    this.reports = reports;
  }

  void begun(Device device, String reason) {
    begun.computeIfAbsent(reason, key -> new ArrayList<>()).add(device);
  }

  /** Takes back what has begun and is not said: the whole line gives nothing, which is said. */
  void forgetBegun() {
    begun.values().forEach(devices -> devices.forEach(Device::forgetGap));
    begun.clear();
  }

  void ended(int unit, long fromMicros, long toMicros, long missed) {
    ended.add(
        "unit %d gave nothing from %s to %s, %d polls"
            .formatted(unit, Reports.time(fromMicros), Reports.time(toMicros), missed));
  }

  /** Says what there is to say. */
  void report() {
    begun.forEach(
        (reason, devices) ->
            reports.warn(
                "%s gives nothing, %s: %s"
                    .formatted(line, listed(devices.stream().map(Gaps::since).toList()), reason)));
    begun.clear();
    if (!ended.isEmpty()) {
      reports.warn("%s answers again, %s".formatted(line, listed(ended)));
      ended.clear();
    }
  }

  private static String since(Device device) {
    return "unit %d since %s".formatted(device.unit(), Reports.time(device.answeredMicros()));
  }

  private static String listed(List<String> items) {
    String named = items.stream().limit(NAMED).collect(Collectors.joining("; "));
    return items.size() <= NAMED ? named : "%s; and %d more".formatted(named, items.size() - NAMED);
  }
}
