package io.sedge.alarm;

import java.util.Arrays;

/**
 * Counts how fast alarms come. After EEMUA 191 and ISA-18.2 (clause 16.5) a flood begins with more
 * than {@value #BEGINS_ABOVE} alarms in ten minutes and ends below {@value #ENDS_BELOW}. Counted by
 * the minute of the wall clock; a clock that is set back counts on in the latest minute, and begins
 * anew if that is more than ten minutes ahead.
 */
final class AlarmFlood {
  static final int MINUTES = 10;
  static final int BEGINS_ABOVE = 10;
  static final int ENDS_BELOW = 5;
  private static final long MINUTE_MILLIS = 60_000;

  final int[] raised = new int[MINUTES];
  long minute;
  long total;
  long floods;
  boolean flooding;

  void raise(long atMillis) {
    int before = raisedWithin(atMillis);
    pass(atMillis);
    flooding = flooding && before >= ENDS_BELOW;
    raised[(int) (minute % MINUTES)]++;
    total++;
    if (!flooding && before + 1 > BEGINS_ABOVE) {
      flooding = true;
      floods++;
    }
  }

  private void pass(long atMillis) {
    if (isFarAhead(atMillis)) {
      Arrays.fill(raised, 0);
      minute = Math.max(0, atMillis) / MINUTE_MILLIS;
    }
    long now = Math.max(minute, Math.max(0, atMillis) / MINUTE_MILLIS);
    for (long empty = Math.max(minute + 1, now - MINUTES + 1); empty <= now; empty++) {
      raised[(int) (empty % MINUTES)] = 0;
    }
    minute = now;
  }

  private boolean isFarAhead(long atMillis) {
    return minute - Math.max(0, atMillis) / MINUTE_MILLIS > MINUTES;
  }

  /** In the ten minutes before. */
  int raisedWithin(long atMillis) {
    if (isFarAhead(atMillis)) {
      return 0;
    }
    long now = Math.max(minute, Math.max(0, atMillis) / MINUTE_MILLIS);
    int sum = 0;
    for (long one = Math.max(0, now - MINUTES + 1); one <= minute; one++) {
      sum += raised[(int) (one % MINUTES)];
    }
    return sum;
  }

  boolean isFlood(long atMillis) {
    return flooding && raisedWithin(atMillis) >= ENDS_BELOW;
  }
}
