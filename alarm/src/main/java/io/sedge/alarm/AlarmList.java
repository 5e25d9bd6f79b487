package io.sedge.alarm;

import java.util.List;

/**
 * The alarms that are not normal.
 *
 * @param atMillis by the wall clock of whoever tells them
 * @param alarms by {@link Alarm#BY_URGENCY}
 */
public record AlarmList(long atMillis, AlarmCounts counts, List<Alarm> alarms) {
  public AlarmList {
    alarms = List.copyOf(alarms);
  }
}
