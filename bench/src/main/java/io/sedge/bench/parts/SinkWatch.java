package io.sedge.bench.parts;

import io.sedge.bench.outside.SinkTail;
import io.sedge.bench.parts.ReadingLog.Stage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/** Looks at the files of both sinks of {@link Failover} a hundred times a second, in a thread. */
final class SinkWatch implements AutoCloseable {
  /** Directories of the sinks. */
  static final String ROWS = "rows";

  static final String WINDOWS = "windows";
  private static final long POLL_NANOS = 10_000_000;

  private final SinkTail rows;
  private final SinkTail windows;
  private final ReadingLog log;
  private final MergedWindows merged;
  private final Thread thread;
  private volatile boolean closed;
  private volatile String failure = "";

  SinkWatch(Path directory, ReadingLog log, MergedWindows merged) {
    this.rows = new SinkTail(directory.resolve(ROWS));
    this.windows = new SinkTail(directory.resolve(WINDOWS));
    this.log = log;
    this.merged = merged;
    this.thread = Thread.ofPlatform().daemon().name("bench-rows").start(this::run);
  }

  private void run() {
    try {
      while (!closed) {
        long now = System.nanoTime();
        for (String row : rows.poll()) {
          log.reached(Stage.SHOWN, number(row), now);
        }
        for (String row : windows.poll()) {
          merged.add(row, now);
        }
        LockSupport.parkNanos(POLL_NANOS);
      }
    } catch (IOException | RuntimeException e) {
      failure = e.toString();
    }
  }

  /** The number of the reading of a row; it is the last cell. */
  static int number(String row) {
    return Integer.parseInt(row.substring(row.lastIndexOf(',') + 1));
  }

  @Override
  public void close() throws IOException {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!failure.isEmpty()) {
      throw new IOException("rows could not be read: " + failure);
    }
  }
}
