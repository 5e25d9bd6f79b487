package io.sedge.replication.internal;

import io.sedge.replication.LedgerListener.Severity;
import java.io.File;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * Whether there is room on the disk. Room is gone when less than the reserve is free, and is back
 * when a quarter more than that is, so that it does not come and go with each entry.
 */
final class DiskWatch {
  private static final int BACK_NUMERATOR = 5;
  private static final int BACK_DENOMINATOR = 4;
  private static final int MEGA = 1 << 20;

  private final Path directory;
  private final long reserveBytes;
  private final LongSupplier freeBytes;
  private final Reports reports;
  private volatile boolean room = true;

  DiskWatch(Path directory, long reserveBytes, LongSupplier freeBytes, Reports reports) {
    this.directory = directory;
    this.reserveBytes = reserveBytes;
    this.freeBytes = freeBytes;
    this.reports = reports;
  }

  /**
   * What this process may still write in a directory.
   *
   * @throws UncheckedIOException if it cannot be told
   */
  static LongSupplier usableBytesOf(Path directory) {
    File there = directory.toFile();
    return () -> {
      // Files.getFileStore would read the table of all mounts each time.
      long usable = there.getUsableSpace();
      if (usable == 0 && !there.exists()) {
        throw new UncheckedIOException(new NoSuchFileException(directory.toString()));
      }
      return usable;
    };
  }

  boolean hasRoom() {
    return room;
  }

  /** Looks; to be called some times a second. */
  void check() {
    long free;
    try {
      free = freeBytes.getAsLong();
    } catch (UncheckedIOException e) {
      free = 0;
    }
    if (room && free < reserveBytes) {
      room = false;
      reports.always(
          Severity.ERROR,
          "%d MB are free in %s, %d MB must be: commits wait until there is room, nothing is lost"
              .formatted(free / MEGA, directory, reserveBytes / MEGA));
    } else if (!room && free >= reserveBytes / BACK_DENOMINATOR * BACK_NUMERATOR) {
      room = true;
      reports.always(
          Severity.INFO,
          "%d MB are free again in %s: commits go on".formatted(free / MEGA, directory));
    }
  }
}
