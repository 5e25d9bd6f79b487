package io.sedge.engine.operator.internal;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * When a key of an OVER aggregate over a range of time is forgotten, which decides about rows
 * behind the watermark. The rules are those of Flink's RowTimeRangeBoundedPrecedingFunction
 * (2.3.0):
 *
 * <ul>
 *   <li>A row of time t asks for a timer at t + 1.5 ranges + 1 ms, unless the one asked for last is
 *       at t + 1 range + 1 ms or later. So there are at most as many as rows that wait, and four.
 *   <li>When the watermark passes the timer asked for last, the key is forgotten: its frame is
 *       empty, and no time is too late for it any more.
 *   <li>The timers before it are not taken back. When the watermark passes one, the key's last time
 *       rises to that of the timer, as if a row of that time had come out.
 * </ul>
 *
 * A timer that is asked for behind the watermark counts as passed by the next one: its mark is the
 * watermark by which it has passed. Times are microseconds; they rise, and so do marks.
 */
final class CleanupTimers {
  private static final long MICROS_PER_MILLI = 1_000;
  private static final long[] NONE = {};

  private long[] times = NONE;
  private long[] marks = NONE;
  private int count;

  /** The marks at which the key was forgotten though rows from before then have yet to come out. */
  private long[] resets = NONE;

  boolean isEmpty() {
    return count == 0 && resets.length == 0;
  }

  /** Whether the watermark has passed a timer. */
  boolean isDue(long watermark) {
    return count > 0 && marks[0] <= watermark;
  }

  /** The watermark from which the key is forgotten, if no row comes before. */
  long lastMark() {
    return marks[count - 1];
  }

  /**
   * Takes in that a row has come.
   *
   * @return whether it asked for a timer
   */
  boolean ask(long time, long watermark, long range) {
    if (count > 0 && times[count - 1] >= time + range + MICROS_PER_MILLI) {
      return false;
    }
    if (count == times.length) {
      times = Arrays.copyOf(times, Math.max(2, count * 2));
      marks = Arrays.copyOf(marks, times.length);
    }
    long rangeMillis = range / MICROS_PER_MILLI;
    long half = rangeMillis + rangeMillis / 2;
    times[count] = time + (half + 1) * MICROS_PER_MILLI;
    marks[count] = Math.max(times[count], watermark + 1);
    count++;
    return true;
  }

  /** How many timers the watermark has passed. */
  int passed(long watermark) {
    int passed = 0;
    while (passed < count && marks[passed] <= watermark) {
      passed++;
    }
    return passed;
  }

  int count() {
    return count;
  }

  long time(int index) {
    return times[index];
  }

  void removeFirst(int passed) {
    count -= passed;
    System.arraycopy(times, passed, times, 0, count);
    System.arraycopy(marks, passed, marks, 0, count);
  }

  /** Notes that rows with marks up to this one belong to what has been forgotten. */
  void addReset(long mark) {
    resets = Arrays.copyOf(resets, resets.length + 1);
    resets[resets.length - 1] = mark;
  }

  boolean hasResets() {
    return resets.length > 0;
  }

  /** Whether a row that waits is of a time before the key was forgotten last. */
  boolean isBeforeReset(long mark) {
    return resets.length > 0 && mark <= resets[resets.length - 1];
  }

  /** Drops the resets before a mark; whether there were any. */
  boolean dropResetsBefore(long mark) {
    int dropped = 0;
    while (dropped < resets.length && resets[dropped] < mark) {
      dropped++;
    }
    if (dropped > 0) {
      resets = Arrays.copyOfRange(resets, dropped, resets.length);
    }
    return dropped > 0;
  }

  void write(DataOutput output) throws IOException {
    output.writeInt(count);
    for (int i = 0; i < count; i++) {
      output.writeLong(times[i]);
      output.writeLong(marks[i]);
    }
    output.writeInt(resets.length);
    for (long reset : resets) {
      output.writeLong(reset);
    }
  }

  void read(DataInput input) throws IOException {
    count = input.readInt();
    times = new long[count];
    marks = new long[count];
    for (int i = 0; i < count; i++) {
      times[i] = input.readLong();
      marks[i] = input.readLong();
    }
    resets = new long[input.readInt()];
    for (int i = 0; i < resets.length; i++) {
      resets[i] = input.readLong();
    }
  }
}
