package io.sedge.site.internal.device;

import io.sedge.ledger.ProcessUse;
import io.sedge.placement.LoadEstimator;
import io.sedge.replication.LogCounts;
import io.sedge.task.ProcessMemory;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Measures what the process takes of the machine: memory now, and what it has written over the last
 * minute, weighted so that what is older counts less. One thread.
 */
final class UseMeter {
  private static final double MINUTE = 60;

  private final Supplier<LogCounts> log;
  private final LongSupplier writtenBytes;
  private final Disk disk;
  private final LoadEstimator entries = new LoadEstimator(MINUTE);
  private final LoadEstimator syncs = new LoadEstimator(MINUTE);
  private final LoadEstimator bytes = new LoadEstimator(MINUTE);
  private LogCounts seenLog;
  private long seenBytes;
  private long seenNanos;

  /**
   * A disk, in bytes; -1 where that is not known.
   *
   * @param free that may still be used
   */
  record Disk(LongSupplier free, LongSupplier size) {
    /** The one that a directory is on. */
    static Disk of(Path directory) {
      return new Disk(
          () -> bytes(directory, FileStore::getUsableSpace),
          () -> bytes(directory, FileStore::getTotalSpace));
    }

    private interface Asking {
      long of(FileStore disk) throws IOException;
    }

    private static long bytes(Path directory, Asking asking) {
      try {
        return asking.of(Files.getFileStore(directory));
      } catch (IOException _) {
        return -1; // The device's health says why.
      }
    }
  }

  /**
   * @param log what the ledger's log has taken so far
   * @param writtenBytes that the process has written to the disk so far; -1 if that is not known
   * @param disk that the device's data is on
   * @param nowNanos a monotonic clock
   */
  UseMeter(Supplier<LogCounts> log, LongSupplier writtenBytes, Disk disk, long nowNanos) {
    this.log = log;
    this.writtenBytes = writtenBytes;
    this.disk = disk;
    this.seenLog = log.get();
    this.seenBytes = writtenBytes.getAsLong();
    this.seenNanos = nowNanos;
  }

  /**
   * What it takes now.
   *
   * @param nowNanos a monotonic clock
   */
  ProcessUse take(long nowNanos) {
    LogCounts counts = log.get();
    long written = writtenBytes.getAsLong();
    double seconds = Math.max(0, nowNanos - seenNanos) / 1e9;
    entries.add(grown(seenLog.entries(), counts.entries()), seconds);
    syncs.add(grown(seenLog.syncs(), counts.syncs()), seconds);
    bytes.add(grown(seenBytes, written), seconds);
    seenLog = counts;
    seenBytes = written;
    seenNanos = nowNanos;
    Runtime runtime = Runtime.getRuntime();
    return new ProcessUse(
        runtime.totalMemory() - runtime.freeMemory(),
        ProcessMemory.residentBytes(),
        entries.value(),
        syncs.value(),
        written < 0 ? -1 : bytes.value(),
        disk.free().getAsLong(),
        disk.size().getAsLong());
  }

  /** A log that was opened anew counts from 0 again. */
  private static double grown(long before, long after) {
    return Math.max(0, after - before);
  }
}
