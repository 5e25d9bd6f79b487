package io.sedge.bench.parts;

import java.util.Arrays;

/**
 * When each reading was sent, when it was committed and when its row came, by its number; shards
 * take turns, so a reading's shard is its number modulo their count. Any thread.
 */
final class ReadingLog {
  private static final int FIRST_ROOM = 1 << 16;

  private final int shards;
  private final long beginNanos = System.nanoTime();
  private final long beginMillis;
  private long[] sent = new long[FIRST_ROOM];
  private long[] committed = new long[FIRST_ROOM];
  private long[] shown = new long[FIRST_ROOM];
  private int count;

  /** What may become of a reading. */
  enum Stage {
    COMMITTED,
    SHOWN
  }

  /**
   * @param beginMillis what event time begins with, since 1970
   */
  ReadingLog(int shards, long beginMillis) {
    this.shards = shards;
    this.beginMillis = beginMillis;
  }

  int shards() {
    return shards;
  }

  /** The event time of a reading: when it was sent, in milliseconds since 1970. */
  synchronized long millis(int number) {
    return millisAt(sent[number]);
  }

  /** The event time of what is sent at a time. */
  long millisAt(long nanos) {
    return beginMillis + Math.floorDiv(nanos - beginNanos, 1_000_000L);
  }

  /** A reading is sent now; returns its number. */
  synchronized int sent(long nanos) {
    if (count == sent.length) {
      sent = Arrays.copyOf(sent, 2 * count);
      committed = Arrays.copyOf(committed, 2 * count);
      shown = Arrays.copyOf(shown, 2 * count);
    }
    sent[count] = nanos;
    return count++;
  }

  /** A reading is there; it may be so again, which changes nothing. */
  synchronized void reached(Stage stage, long number, long nanos) {
    if (number >= 0 && number < count) {
      long[] times = times(stage);
      int at = Math.toIntExact(number);
      times[at] = times[at] == 0 ? nanos : times[at];
    }
  }

  private long[] times(Stage stage) {
    return switch (stage) {
      case COMMITTED -> committed;
      case SHOWN -> shown;
    };
  }

  synchronized int count() {
    return count;
  }

  /** Whether all readings that were sent between two times are there. */
  synchronized boolean isComplete(Stage stage, long fromNanos, long toNanos) {
    long[] times = times(stage);
    for (int i = firstSince(fromNanos); i < count && sent[i] <= toNanos; i++) {
      if (times[i] == 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * When the first of a shard's readings was there that were sent after a time: nanoseconds since
   * that time; -1 if none is.
   */
  synchronized long first(Stage stage, int shard, long sinceNanos) {
    long[] times = times(stage);
    long first = Long.MAX_VALUE;
    for (int i = firstSince(sinceNanos); i < count; i++) {
      if (i % shards == shard && times[i] != 0) {
        first = Math.min(first, times[i] - sinceNanos);
      }
    }
    return first == Long.MAX_VALUE ? -1 : first;
  }

  /**
   * How long a shard's readings waited at most that were sent between two times; of those that are
   * there.
   */
  synchronized long longestWait(Stage stage, int shard, long fromNanos, long toNanos) {
    long[] times = times(stage);
    long longest = 0;
    for (int i = firstSince(fromNanos); i < count && sent[i] <= toNanos; i++) {
      if (i % shards == shard && times[i] != 0) {
        longest = Math.max(longest, times[i] - sent[i]);
      }
    }
    return longest;
  }

  /**
   * When the first readings of all shards were sent that have an event time or a later one; -1 if
   * there are none yet.
   */
  synchronized long passed(long millis) {
    long nanos = beginNanos + (millis - beginMillis) * 1_000_000L;
    // Shards take turns.
    int last = firstSince(nanos) + shards - 1;
    return last < count ? sent[last] : -1;
  }

  /** The number of the first reading that was sent at a time or later. */
  synchronized int firstSince(long nanos) {
    int found = Arrays.binarySearch(sent, 0, count, nanos);
    return found < 0 ? -found - 1 : found;
  }
}
