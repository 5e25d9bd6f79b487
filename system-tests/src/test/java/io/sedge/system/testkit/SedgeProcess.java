package io.sedge.system.testkit;

import io.sedge.connector.mqtt.testkit.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A running command. Closing it kills it if it is still there. */
public final class SedgeProcess implements AutoCloseable {
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);
  private static final int SHOWN_CHARACTERS = 4000;

  private final Process process;
  private final Path output;
  private final String command;

  SedgeProcess(Process process, Path output, String command) {
    this.process = process;
    this.output = output;
    this.command = command;
  }

  /** Standard output so far, of a command that was not started piped. */
  public List<String> out() {
    return lines(output.resolve("out"));
  }

  /** Standard output, of a command that was started piped. */
  public BufferedReader reader() {
    return process.inputReader(StandardCharsets.UTF_8);
  }

  /** Standard error so far. */
  public List<String> err() {
    return lines(output.resolve("err"));
  }

  private static List<String> lines(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until a line of standard error has the text; returns the line. */
  public String awaitMessage(String text) {
    until(() -> find(text) != null, () -> text);
    return String.valueOf(find(text));
  }

  private @Nullable String find(String text) {
    return err().stream().filter(line -> line.contains(text)).findFirst().orElse(null);
  }

  /** Waits for a condition, for as long as the command runs; fails with what it has said. */
  public void until(BooleanSupplier condition, Supplier<?> what) {
    Await.until(
        LONGEST_WAIT,
        () -> {
          if (condition.getAsBoolean()) {
            return true;
          }
          if (!process.isAlive() && !condition.getAsBoolean()) {
            throw new AssertionError(
                "waited for: %s; it has ended with %d\n%s"
                    .formatted(what.get(), exitValue(), this));
          }
          return false;
        },
        () -> "waited for: %s%n%s".formatted(what.get(), this));
  }

  private int exitValue() {
    return process.exitValue();
  }

  public boolean isRunning() {
    return process.isAlive();
  }

  /** Sends SIGINT, as Ctrl-C does. */
  public void interrupt() {
    signal("INT");
  }

  /** Sends SIGTERM. */
  public void terminate() {
    signal("TERM");
  }

  /** Sends SIGKILL and waits until it is gone. */
  public void kill() {
    signal("KILL");
    var _ = exitCode();
  }

  /** Sends SIGSTOP: it stands still. */
  public void stop() {
    signal("STOP");
  }

  /** Sends SIGCONT. */
  public void resume() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      Process kill =
          new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).inheritIO().start();
      if (kill.waitFor() != 0) {
        throw new AssertionError("kill -%s: %s".formatted(name, this));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until it has ended; its exit code. */
  public int exitCode() {
    try {
      if (!process.waitFor(LONGEST_WAIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("does not end: " + this);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return process.exitValue();
  }

  /** The memory that it has resident, in KiB; Linux only. */
  public long residentKiB() {
    return kibibytes("VmRSS");
  }

  /** The most that it ever had resident, in KiB; Linux only. */
  public long peakKiB() {
    return kibibytes("VmHWM");
  }

  private long kibibytes(String key) {
    return status(process.pid(), key)
        .map(value -> Long.parseLong(value.replace(" kB", "")))
        .orElse(0L);
  }

  /** What Linux says of a process. */
  static Optional<String> status(long pid, String key) {
    try (var lines = Files.lines(Path.of("/proc/%d/status".formatted(pid)))) {
      return lines
          .filter(line -> line.startsWith(key + ":"))
          .map(line -> line.substring(key.length() + 1).strip())
          .findFirst();
    } catch (IOException | UncheckedIOException e) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    if (process.isAlive()) {
      process.destroyForcibly();
      var _ = exitCode();
    }
  }

  @Override
  public String toString() {
    String said = String.join("\n", err());
    return "%s said:%n%s"
        .formatted(
            command,
            said.length() <= SHOWN_CHARACTERS
                ? said
                : "…" + said.substring(said.length() - SHOWN_CHARACTERS));
  }
}
