package io.sedge.connector.alarm.internal;

import io.sedge.alarm.AlarmChange;
import io.sedge.alarm.AlarmPriority;
import java.util.List;

/**
 * What people are told at once.
 *
 * @param id the same however often it is sent, and by whomever
 * @param changes the first of them, {@value #MAX_CHANGES} at most; at least one
 * @param more how many others there are
 * @param forgotten how many entries of the journal are not kept any more
 */
record Notice(
    String id,
    String table,
    AlarmPriority priority,
    List<AlarmChange> changes,
    int more,
    long forgotten) {
  /** A flood is one notice of bounded size. */
  static final int MAX_CHANGES = 50;

  Notice {
    changes = List.copyOf(changes);
  }
}
