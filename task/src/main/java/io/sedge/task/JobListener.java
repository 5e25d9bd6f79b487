package io.sedge.task;

import io.sedge.connector.ConnectorContext.Severity;

/** Hears what a job has to say to people. Called from any thread; must not wait. */
@FunctionalInterface
public interface JobListener {
  /**
   * A connection was lost or regained, a sink holds everything up, payloads are malformed.
   *
   * @param message one line, {@link Printable} whatever came from outside
   */
  void report(Severity severity, String message);

  /**
   * A text without what the one who hears takes for a secret; asked before the text is cut, since
   * nobody knows a secret again by its beginning.
   */
  default String withoutSecrets(String text) {
    return text;
  }
}
