package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * The watermark of several inputs together, as Flink's StatusWatermarkValve has it: the least of
 * those that are neither idle nor ended. An input that comes back from idleness behind the common
 * watermark counts again once it has caught up. When the last active input falls idle, the greatest
 * watermark of the idle ones holds. When all have ended it is {@link Long#MAX_VALUE}. The common
 * watermark never falls.
 */
final class Valve {
  private final long[] marks;
  private final boolean[] idle;
  private long common = Long.MIN_VALUE;

  Valve(int inputs) {
    marks = new long[inputs];
    Arrays.fill(marks, Long.MIN_VALUE);
    idle = new boolean[inputs];
  }

  /** The watermark that has been announced to the operator. */
  long common() {
    return common;
  }

  void announce(long watermark) {
    common = watermark;
  }

  /** The watermark of an input. */
  long mark(int input) {
    return marks[input];
  }

  boolean isIdle(int input) {
    return idle[input];
  }

  boolean ended(int input) {
    return marks[input] == Long.MAX_VALUE;
  }

  void advance(int input, long watermark) {
    marks[input] = Math.max(marks[input], watermark);
  }

  void idle(int input, boolean isIdle) {
    idle[input] = isIdle;
  }

  /** Whether all inputs that have not ended are idle, and there is one. */
  boolean idle() {
    boolean any = false;
    for (int i = 0; i < marks.length; i++) {
      if (!ended(i)) {
        if (!idle[i]) {
          return false;
        }
        any = true;
      }
    }
    return any;
  }

  /** What the common watermark should be now; not less than {@link #common()}. */
  long due() {
    long least = leastExcept(-1);
    if (least != Long.MAX_VALUE) {
      return Math.max(common, least);
    }
    long greatest = Long.MIN_VALUE;
    boolean allEnded = true;
    boolean allIdle = true;
    for (int i = 0; i < marks.length; i++) {
      if (!ended(i)) {
        allEnded = false;
        allIdle &= idle[i];
        greatest = Math.max(greatest, marks[i]);
      }
    }
    if (allEnded) {
      return Long.MAX_VALUE;
    }
    return allIdle ? Math.max(common, greatest) : common;
  }

  /** The least watermark of the inputs that count, without one; MAX_VALUE if there is none. */
  private long leastExcept(int except) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < marks.length; i++) {
      if (i != except && !idle[i] && marks[i] >= common) {
        least = Math.min(least, marks[i]);
      }
    }
    return least;
  }

  /** The batch with the watermarks of its rows seen from behind the valve. */
  Batch behind(int input, Batch batch) {
    if (marks.length == 1) {
      return batch;
    }
    long[] rowMarks = batch.watermarks();
    if (rowMarks == null) {
      return batch;
    }
    long others = leastExcept(input);
    long[] seen = new long[batch.rows()];
    for (int i = 0; i < seen.length; i++) {
      seen[i] = Math.max(common, Math.min(rowMarks[i], others));
    }
    return batch.withWatermarks(seen);
  }

  void write(DataOutput output) throws IOException {
    output.writeLong(common);
    for (int i = 0; i < marks.length; i++) {
      output.writeLong(marks[i]);
      output.writeBoolean(idle[i]);
    }
  }

  void read(DataInput input) throws IOException {
    common = input.readLong();
    for (int i = 0; i < marks.length; i++) {
      marks[i] = input.readLong();
      idle[i] = input.readBoolean();
    }
  }
}
