package io.sedge.alarm;

import java.util.List;

/** The alarms of a site or of a run, for reading. */
public interface AlarmView {
  /** A table; one without anything if it is not known. */
  AlarmTable table(String job, String table);

  /** The names of a job's tables. */
  List<String> tables(String job);

  /** Those that are not normal, by {@link Alarm#BY_URGENCY}. */
  List<Alarm> list();

  /**
   * The same, with how many they are.
   *
   * @param nowMillis by the wall clock
   */
  default AlarmList list(long nowMillis) {
    return new AlarmList(nowMillis, counts(nowMillis), list());
  }

  /** How often anything has changed. */
  long changes();

  /** What the journals have of an alarm, in order, also when it is normal again. */
  List<AlarmChange> history(long id);

  /**
   * How many there are.
   *
   * @param nowMillis by the wall clock
   */
  AlarmCounts counts(long nowMillis);
}
