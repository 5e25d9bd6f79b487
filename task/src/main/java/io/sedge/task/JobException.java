package io.sedge.task;

import io.sedge.connector.ConnectorException;
import io.sedge.engine.column.CapacityException;
import io.sedge.engine.expression.EvaluationException;

/** A job could not start or go on. The message is for people and says what to do. */
public final class JobException extends Exception {
  private static final long serialVersionUID = 1;

  private final FailureCode code;

  public JobException(FailureCode code, String message) {
    super(message);
    this.code = code;
  }

  public JobException(FailureCode code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /** What it was, by a name that does not change between versions. */
  public FailureCode code() {
    return code;
  }

  /**
   * The failure that a job reports where something was thrown.
   *
   * @param doing what was being done, for the message of what nobody foresaw: {@code reading table
   *     pumps}
   */
  public static JobException of(String doing, Throwable thrown) {
    return switch (thrown) {
      case ConnectorException e -> new JobException(code(e.kind()), text(e), e);
      case EvaluationException e -> new JobException(FailureCode.EVALUATION_FAILED, text(e), e);
      case CapacityException e -> new JobException(FailureCode.STATE_TOO_LARGE, text(e), e);
      case OutOfMemoryError e ->
          new JobException(
              FailureCode.OUT_OF_MEMORY,
              "out of memory while %s: %s. The limit is %,d MiB; give more with SEDGE_HEAP (for example SEDGE_HEAP=512m), or keep less: shorter windows, fewer keys"
                  .formatted(doing, text(e), Runtime.getRuntime().maxMemory() >> 20),
              e);
      default ->
          new JobException(
              FailureCode.INTERNAL_ERROR,
              "a fault in Sedge while %s: %s. Please report it, with the script and the output of --debug"
                  .formatted(doing, thrown),
              thrown);
    };
  }

  private static FailureCode code(ConnectorException.Kind kind) {
    return switch (kind) {
      case USER -> FailureCode.TABLE_NOT_ACCEPTED;
      case EXTERNAL -> FailureCode.CONNECTION_FAILED;
      case FILE -> FailureCode.FILE_FAILED;
    };
  }

  private static String text(Throwable thrown) {
    String message = thrown.getMessage();
    return message == null ? thrown.toString() : message;
  }
}
