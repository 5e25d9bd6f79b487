package io.sedge.connector.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sedge.connector.ConnectorContext;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A context that keeps what a connector says, with a clock that is moved by hand. */
public final class TestContext implements ConnectorContext {
  /** A payload that could not be decoded. */
  public record Malformed(String table, String origin, String payload, String reason) {}

  private final Path directory;
  private final AtomicLong nowMs = new AtomicLong(1_767_225_600_000L); // 2026-01-01T00:00:00Z
  private final AtomicInteger wakeUps = new AtomicInteger();
  private final List<Malformed> malformed = new CopyOnWriteArrayList<>();
  private final List<String> reports = new CopyOnWriteArrayList<>();

  public TestContext(Path directory) {
    this.directory = directory;
  }

  @Override
  public InstantSource clock() {
    return () -> Instant.ofEpochMilli(nowMs.get());
  }

  /** Moves the clock on. */
  public void pass(long millis) {
    nowMs.addAndGet(millis);
  }

  @Override
  public Path directory() {
    return directory;
  }

  @Override
  public void wakeUp() {
    wakeUps.incrementAndGet();
  }

  public int wakeUps() {
    return wakeUps.get();
  }

  @Override
  public void malformed(String table, String origin, byte[] payload, String reason) {
    malformed.add(new Malformed(table, origin, new String(payload, UTF_8), reason));
  }

  public List<Malformed> malformed() {
    return malformed;
  }

  @Override
  public void report(Severity severity, String message) {
    reports.add(severity + " " + message);
  }

  /** What was reported: {@code WARNING table readings: …}. */
  public List<String> reports() {
    return reports;
  }
}
