package io.sedge.console.internal.run;

import io.sedge.task.JobCounters;
import io.sedge.task.ProcessMemory;
import io.sedge.task.TableCounters;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@link JobCounters} as the page reads them, and what the process takes. */
record Counters(
    long atMillis,
    long elapsedMillis,
    long readings,
    long rowsOut,
    long late,
    long malformed,
    long dropped,
    long commands,
    long bytesIn,
    long bytesOut,
    @Nullable Long watermarkMillis,
    long cpuMillis,
    long residentBytes,
    String waits,
    Map<String, Source> sources,
    Map<String, Long> rowsByTable) {
  /** {@link TableCounters}. */
  record Source(
      long readings,
      long bytes,
      long malformed,
      long dropped,
      long silenceMillis,
      boolean ended) {
    static Source of(TableCounters table) {
      return new Source(
          table.readings(),
          table.bytes(),
          table.malformed(),
          table.dropped(),
          table.silence().toMillis(),
          table.ended());
    }
  }

  static Counters of(JobCounters counters, long atMillis) {
    return new Counters(
        atMillis,
        counters.elapsed().toMillis(),
        counters.readings(),
        counters.rowsOut(),
        counters.late(),
        counters.malformed(),
        counters.dropped(),
        counters.commands(),
        counters.bytesIn(),
        counters.bytesOut(),
        watermarkMillis(counters.watermarkMicros()),
        ProcessHandle.current().info().totalCpuDuration().map(Duration::toMillis).orElse(0L),
        ProcessMemory.residentBytes(),
        counters.waits(),
        counters.sources().entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, entry -> Source.of(entry.getValue()))),
        counters.rowsByTable());
  }

  private static @Nullable Long watermarkMillis(long micros) {
    return micros == Long.MIN_VALUE || micros == Long.MAX_VALUE
        ? null
        : TimeUnit.MICROSECONDS.toMillis(micros);
  }
}
