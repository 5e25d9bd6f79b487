package io.sedge.alarm;

/**
 * How many alarms there are.
 *
 * @param changes how often anything has changed; who has seen that has seen all
 * @param attention unacknowledged, or returned to normal unacknowledged
 * @param active whose condition holds, shelved ones included
 * @param shelved put aside
 * @param raisedInTenMinutes how many were raised in the last ten minutes
 * @param flood whether that is a flood
 * @param floods how many floods there have been
 * @param raised how many were raised in all
 * @param refused how many were not taken in since there was no room
 */
public record AlarmCounts(
    long changes,
    int attention,
    int active,
    int shelved,
    int raisedInTenMinutes,
    boolean flood,
    long floods,
    long raised,
    long refused) {
  /** There are none, and have been none. */
  public static final AlarmCounts NONE = new AlarmCounts(0, 0, 0, 0, 0, false, 0, 0, 0);

  /** Those of two sites together. */
  public AlarmCounts plus(AlarmCounts other) {
    return new AlarmCounts(
        changes + other.changes,
        attention + other.attention,
        active + other.active,
        shelved + other.shelved,
        raisedInTenMinutes + other.raisedInTenMinutes,
        flood || other.flood,
        floods + other.floods,
        raised + other.raised,
        refused + other.refused);
  }
}
