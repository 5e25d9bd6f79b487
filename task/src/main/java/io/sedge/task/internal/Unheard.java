package io.sedge.task.internal;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.task.JobListener;

/**
 * Hears what nobody wants to hear, and knows the same secrets as another.
 *
 * @param other the one who knows them
 */
record Unheard(JobListener other) implements JobListener {
  @Override
  public void report(Severity severity, String message) {
    // It is told otherwise.
  }

  @Override
  public String withoutSecrets(String text) {
    return other.withoutSecrets(text);
  }
}
