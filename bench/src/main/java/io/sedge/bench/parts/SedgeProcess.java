package io.sedge.bench.parts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A command that runs in a process; what it says is in a file. One thread. */
public final class SedgeProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final long POLL_NANOS = 20_000_000;

  private final Process process;
  private final Path log;
  private Duration cpu = Duration.ZERO;

  /**
   * Starts it.
   *
   * @param sedge the command
   * @param environment more variables
   * @param directory in which it runs
   * @param log what it says goes here
   */
  public SedgeProcess(
      Path sedge, Map<String, String> environment, Path directory, Path log, String... arguments)
      throws IOException {
    this.log = log;
    List<String> command = new ArrayList<>(List.of(sedge.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().putAll(environment);
    this.process = builder.start();
  }

  public long pid() {
    return process.pid();
  }

  /**
   * Waits until it has said something.
   *
   * @return the line that has the text
   */
  public String awaitLine(String text) throws IOException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      for (String line : Files.readAllLines(log)) {
        if (line.contains(text)) {
          return line;
        }
      }
      if (!process.isAlive() || System.nanoTime() > deadline) {
        throw new IOException("waited for '%s'; %s says: %s".formatted(text, log, text()));
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private String text() throws IOException {
    return Files.readString(log);
  }

  /** The processor time that it has taken so far; of one whose end was awaited, shortly before. */
  public Duration cpu() {
    cpu = process.info().totalCpuDuration().orElse(cpu);
    return cpu;
  }

  /** Waits for its end, which is to be a good one. */
  public void awaitEnd() throws IOException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (process.isAlive() && System.nanoTime() < deadline) {
      cpu = cpu();
      LockSupport.parkNanos(POLL_NANOS);
    }
    if (process.isAlive() || process.exitValue() != 0) {
      throw new IOException("has not ended well: " + text());
    }
  }

  /** Kill -9; returns when it is gone. */
  public void kill() throws IOException {
    try {
      if (!process.destroyForcibly().waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new IOException("does not end: " + text());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }
}
