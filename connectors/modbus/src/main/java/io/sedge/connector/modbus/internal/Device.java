package io.sedge.connector.modbus.internal;

import io.sedge.connector.Backoff;
import org.jspecify.annotations.Nullable;

/** A unit on a line, and how it has answered so far. Belongs to its loop's thread. */
final class Device {
  private final int index;
  private final int unit;
  private final ReadPlan narrow;
  private ReadPlan plan;
  private long answeredMicros;
  private long answeredTick;
  private int silences;
  private long pausedUntilNanos;
  private @Nullable String gap;

  /**
   * @param index its number among all of the table
   * @param plan how it is read at first
   * @param narrow how, if it does not let gaps be read over
   * @param openedMicros when reading began
   */
  Device(int index, int unit, ReadPlan plan, ReadPlan narrow, long openedMicros) {
    this.index = index;
    this.unit = unit;
    this.plan = plan;
    this.narrow = narrow;
    this.answeredMicros = openedMicros;
  }

  int index() {
    return index;
  }

  int unit() {
    return unit;
  }

  ReadPlan plan() {
    return plan;
  }

  /** From now on gaps are not read over; false if they were not before. */
  boolean stopReadingOverGaps() {
    boolean changed = !plan.equals(narrow);
    plan = narrow;
    return changed;
  }

  /** When it has answered last; at first when reading began. */
  long answeredMicros() {
    return answeredMicros;
  }

  /** Why it gives nothing; null if it does. */
  @Nullable String gap() {
    return gap;
  }

  /** It gives nothing, for a reason; whether that is new. */
  boolean beginGap(String reason) {
    boolean begins = gap == null;
    gap = reason;
    return begins;
  }

  /** Its gap is part of the line's. */
  void forgetGap() {
    gap = null;
  }

  /** It has not answered, so it is asked more seldom; returns for how long it is left alone. */
  long pause(Backoff pauses, long nowNanos) {
    long pause = pauses.delay(++silences).toNanos();
    pausedUntilNanos = nowNanos + pause;
    return pause;
  }

  boolean isPaused() {
    return silences > 0;
  }

  boolean isDue(long nowNanos) {
    return nowNanos - pausedUntilNanos >= 0;
  }

  /**
   * It has answered.
   *
   * @return how many polls have given nothing since it did so last
   */
  long answered(long micros, long tick) {
    long missed = Math.max(0, tick - answeredTick - 1);
    answeredMicros = micros;
    answeredTick = tick;
    silences = 0;
    gap = null;
    return missed;
  }
}
