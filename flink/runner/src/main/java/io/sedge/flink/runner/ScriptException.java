package io.sedge.flink.runner;

import org.jspecify.annotations.Nullable;

/**
 * Flink does not take a statement. Whoever submitted the script finds its message in the answer of
 * the JobManager, behind this class's name.
 */
public final class ScriptException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ScriptException(String message, @Nullable Throwable cause) {
    super(message, cause, false, false);
  }
}
