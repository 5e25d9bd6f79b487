package io.sedge.connector.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.FileAccess;
import io.sedge.connector.format.Formats;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A context that keeps what a connector says; its clocks are moved by hand, or the machine's. */
public final class TestContext implements ConnectorContext {
  /** A payload that could not be decoded. */
  public record Malformed(String table, String origin, String payload, String reason) {}

  private final Path directory;
  private FileAccess files = FileAccess.EVERYTHING;
  private Optional<String> secret = Optional.empty();
  private Optional<String> job = Optional.empty();
  private List<ConnectorFactory> connectors = List.of();
  private Optional<List<?>> unfit = Optional.empty();
  private final boolean live;
  private final Optional<String> session;
  private final AtomicLong nowMs = new AtomicLong(1_767_225_600_000L); // 2026-01-01T00:00:00Z
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicBoolean takesMalformed = new AtomicBoolean(true);
  private final AtomicInteger wakeUps = new AtomicInteger();
  private final List<Malformed> malformed = new CopyOnWriteArrayList<>();
  private final List<String> reports = new CopyOnWriteArrayList<>();

  /** A context whose clocks stand until {@link #pass} moves them. */
  public TestContext(Path directory) {
    this(directory, false, Optional.empty());
  }

  private TestContext(Path directory, boolean live, Optional<String> session) {
    this.directory = directory;
    this.live = live;
    this.session = session;
  }

  /** A context with the machine's clocks. */
  public static TestContext live(Path directory) {
    return new TestContext(directory, true, Optional.empty());
  }

  /** A context with the machine's clocks for a task whose session passes on. */
  public static TestContext live(Path directory, String session) {
    return new TestContext(directory, true, Optional.of(session));
  }

  /** The same, where not all files may be used. */
  public TestContext withFiles(FileAccess access) {
    files = access;
    return this;
  }

  /** From now on formats cannot hold a row of these values. */
  public void refuse(List<?> row) {
    unfit = Optional.of(row);
  }

  @Override
  public Formats formats() {
    Formats installed = ConnectorContext.super.formats();
    return unfit
        .map(row -> installed.byName().values().stream().map(its -> new PickyFormat(its, row)))
        .map(all -> new Formats(all.toList()))
        .orElse(installed);
  }

  /** The same, where a value is secret. */
  public TestContext withSecret(String value) {
    secret = Optional.of(value);
    return this;
  }

  @Override
  public String withoutSecrets(String text) {
    return secret.map(value -> text.replace(value, "***")).orElse(text);
  }

  @Override
  public FileAccess files() {
    return files;
  }

  @Override
  public InstantSource clock() {
    return live ? InstantSource.system() : () -> Instant.ofEpochMilli(nowMs.get());
  }

  @Override
  public long nanoTime() {
    return live ? System.nanoTime() : nanos.get();
  }

  /** Moves both clocks on. */
  public void pass(long millis) {
    nowMs.addAndGet(millis);
    nanos.addAndGet(millis * 1_000_000);
  }

  /** Sets the wall clock back, as somebody may at any time. */
  public void setBack(long millis) {
    nowMs.addAndGet(-millis);
  }

  @Override
  public Path directory() {
    return directory;
  }

  @Override
  public Optional<String> session() {
    return session;
  }

  /** The same for a table of a job. */
  public TestContext ofJob(String name) {
    job = Optional.of(name);
    return this;
  }

  /** The same in a program that has connectors. */
  public TestContext withConnectors(ConnectorFactory... all) {
    connectors = List.of(all);
    return this;
  }

  @Override
  public Optional<ConnectorFactory> connector(String name) {
    return connectors.stream().filter(connector -> connector.name().equals(name)).findFirst();
  }

  @Override
  public Optional<String> job() {
    return job;
  }

  @Override
  public void wakeUp() {
    wakeUps.incrementAndGet();
  }

  public int wakeUps() {
    return wakeUps.get();
  }

  @Override
  public boolean takesMalformed() {
    return takesMalformed.get();
  }

  /** Whether there is room for more malformed payloads; there is at first. */
  public void takeMalformed(boolean room) {
    takesMalformed.set(room);
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
