package io.sedge.connector.mqtt.testkit;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.format.Formats;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Keeps what a connector says. */
public final class TestContext implements ConnectorContext {
  /** A payload that could not be read, or a row that could not be written. */
  public record Malformed(String table, String origin, int length, String reason) {}

  private final Path directory;
  private final Queue<Malformed> malformed = new ConcurrentLinkedQueue<>();
  private final Queue<String> reports = new ConcurrentLinkedQueue<>();
  private final AtomicInteger wakeUps = new AtomicInteger();
  private final Formats formats = new Formats(List.of(new PlainFormat()));

  public TestContext(Path directory) {
    this.directory = directory;
  }

  @Override
  public InstantSource clock() {
    return InstantSource.system();
  }

  @Override
  public Path directory() {
    return directory;
  }

  @Override
  public Formats formats() {
    return formats;
  }

  @Override
  public void wakeUp() {
    wakeUps.incrementAndGet();
  }

  @Override
  public void malformed(String table, String origin, byte[] payload, String reason) {
    malformed.add(new Malformed(table, origin, payload.length, reason));
  }

  @Override
  public void report(Severity severity, String message) {
    reports.add(severity + " " + message);
  }

  public List<Malformed> malformed() {
    return List.copyOf(malformed);
  }

  public List<String> reports() {
    return List.copyOf(reports);
  }

  public int wakeUps() {
    return wakeUps.get();
  }
}
