package io.sedge.task.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.FileAccess;
import io.sedge.task.JobListener;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** What connectors get from a job. */
public record TableContext(
    InstantSource clock,
    Path directory,
    Path data,
    FileAccess files,
    Waiter waiter,
    MalformedLog malformedLog,
    JobListener listener,
    Redaction redaction,
    Map<String, ConnectorFactory> connectors,
    Optional<String> job,
    Optional<String> session)
    implements ConnectorContext {
  /** The same for a table, where sessions go on with the task. */
  TableContext of(String table, Optional<String> task) {
    return new TableContext(
        clock,
        directory,
        data,
        files,
        waiter,
        malformedLog,
        listener,
        redaction,
        connectors,
        job,
        task.map(name -> name + "/" + table));
  }

  /**
   * The same for readers whose reports nobody wants, and who have another log of malformed rows.
   */
  TableContext quiet(MalformedLog other) {
    return new TableContext(
        clock,
        directory,
        data,
        files,
        waiter,
        other,
        (_, _) -> {},
        redaction,
        connectors,
        job,
        session);
  }

  @Override
  public Optional<ConnectorFactory> connector(String name) {
    return Optional.ofNullable(connectors.get(name));
  }

  @Override
  public String withoutSecrets(String text) {
    return redaction.text(text);
  }

  @Override
  public void wakeUp() {
    waiter.wakeUp();
  }

  @Override
  public void malformed(String table, String origin, byte[] payload, String reason) {
    malformedLog.add(table, origin, payload, reason);
  }

  @Override
  public void unwritten(String table, String origin, byte[] payload, String reason) {
    malformedLog.addUnwritten(table, origin, payload, reason);
  }

  @Override
  public boolean takesMalformed() {
    return malformedLog.hasRoom();
  }

  @Override
  public void report(Severity severity, String message) {
    listener.report(severity, message);
  }
}
