package io.sedge.bench.outside;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.LockSupport;

/**
 * Stops a process and lets it go on, again and again, until it is closed. A shell sends the
 * signals; should this process end, the shell lets the other one go on.
 */
public final class Stutter implements AutoCloseable {
  private final long stoppedNanos;
  private final long runsNanos;
  private final Process shell;
  private final Writer signals;
  private final Thread thread;
  private volatile boolean closed;

  /**
   * @param runs the part of each period in which the process runs, in its end
   */
  public Stutter(long pid, long periodNanos, double runs) throws IOException {
    this.runsNanos = Math.round(periodNanos * runs);
    this.stoppedNanos = periodNanos - runsNanos;
    this.shell =
        new ProcessBuilder(
                "sh",
                "-c",
                "while read -r signal; do kill -\"$signal\" %1$d; done; kill -CONT %1$d"
                    .formatted(pid))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.INHERIT)
            .start();
    this.signals = shell.outputWriter(StandardCharsets.US_ASCII);
    this.thread = Thread.ofPlatform().name("bench-stutter").start(this::run);
  }

  private void run() {
    long next = System.nanoTime();
    while (!closed) {
      send("STOP");
      next += stoppedNanos;
      parkUntil(next);
      send("CONT");
      next += runsNanos;
      parkUntil(next);
    }
  }

  private void send(String signal) {
    try {
      signals.write(signal + "\n");
      signals.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void parkUntil(long nanos) {
    long left = nanos - System.nanoTime();
    while (left > 0) {
      LockSupport.parkNanos(left);
      left = nanos - System.nanoTime();
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    try {
      thread.join();
      signals.close();
      int exit = shell.waitFor();
      if (exit != 0) {
        throw new IOException("the process could not be stopped: exit code " + exit);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
