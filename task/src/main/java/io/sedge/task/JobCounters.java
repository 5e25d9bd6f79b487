package io.sedge.task;

import java.time.Duration;
import java.util.Map;

/**
 * What a job has done since it started. An immutable snapshot; the job makes a new one every 100 ms
 * and when it ends.
 *
 * @param readings rows taken from the sources
 * @param rowsOut rows that the sinks took: neither malformed payloads nor what could not be written
 * @param late rows that came after their window had closed, and so are not in it
 * @param malformed payloads that could not be decoded, and rows that an expression failed for
 * @param dropped readings lost to a bound; 0 unless a table's options allow it, and rows without an
 *     event time
 * @param commands those of {@code rowsOut} that went back to where readings come from: rows for a
 *     table whose connector reaches sources ({@link
 *     io.sedge.connector.SinkFactory#reachesSources()}) and through which the job also reads
 * @param bytesIn payload bytes taken from the sources
 * @param bytesOut payload bytes given to the sinks
 * @param heldBack for how long sources were not read because a sink had no room
 * @param idle for how long there was nothing to read
 * @param elapsed since the job's connectors were open
 * @param cpu processor time that the task's thread has used; zero if it is not measured
 * @param watermarkMicros the least event time that any sink still waits for, {@link Long#MIN_VALUE}
 *     if none is known yet, {@link Long#MAX_VALUE} at the end of bounded input
 * @param sources each source table's part of it
 * @param sinks what was given to each sink table
 * @param waits what holds the sources back, once that has lasted for some seconds, or why nothing
 *     of a source is of use (malformed, failed, late); else empty
 */
public record JobCounters(
    long readings,
    long rowsOut,
    long late,
    long malformed,
    long dropped,
    long commands,
    long bytesIn,
    long bytesOut,
    Duration heldBack,
    Duration idle,
    Duration elapsed,
    Duration cpu,
    long watermarkMicros,
    Map<String, TableCounters> sources,
    Map<String, SinkCounters> sinks,
    String waits) {
  /** Before anything has happened. */
  public static final JobCounters NONE =
      new JobCounters(
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          Duration.ZERO,
          Duration.ZERO,
          Duration.ZERO,
          Duration.ZERO,
          Long.MIN_VALUE,
          Map.of(),
          Map.of(),
          "");

  public JobCounters {
    sources = Map.copyOf(sources);
    sinks = Map.copyOf(sinks);
  }
}
