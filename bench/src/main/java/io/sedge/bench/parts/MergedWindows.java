package io.sedge.bench.parts;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.TreeMap;

/** Rows of windows over all shards: when each came first. Any thread. */
final class MergedWindows {
  private static final DateTimeFormatter END = DateTimeFormatter.ofPattern("yyyyMMddHHmmss");

  private final ReadingLog log;
  private final long watermarkMillis;
  private final TreeMap<Long, Long> seen = new TreeMap<>();

  /**
   * @param watermarkMillis a window is complete with readings that are so much later than its end
   */
  MergedWindows(ReadingLog log, long watermarkMillis) {
    this.log = log;
    this.watermarkMillis = watermarkMillis;
  }

  /** The end of a row's window, in milliseconds since 1970; it is the row's first cell. */
  static long end(String row) {
    String text = row.substring(0, row.indexOf(','));
    return LocalDateTime.parse(text, END).toInstant(ZoneOffset.UTC).toEpochMilli();
  }

  /** A row has come. */
  synchronized void add(String row, long nanos) {
    seen.putIfAbsent(end(row), nanos);
  }

  /**
   * How long rows of windows that ended between two times came at most after their windows were
   * complete; -1 if none has come.
   */
  synchronized long longestDelay(long fromNanos, long toNanos) {
    return seen.subMap(log.millisAt(fromNanos), log.millisAt(toNanos)).entrySet().stream()
        .mapToLong(row -> row.getValue() - log.passed(row.getKey() + watermarkMillis))
        .max()
        .orElse(-1);
  }

  /** Whether the row of a window has come, by its end. */
  synchronized boolean has(long endMillis) {
    return seen.containsKey(endMillis);
  }

  /** Whether the row of a window has come that ended at a time or later. */
  synchronized boolean hasSince(long nanos) {
    return seen.ceilingKey(log.millisAt(nanos)) != null;
  }
}
