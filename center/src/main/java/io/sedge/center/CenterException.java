package io.sedge.center;

import io.sedge.task.FailureCode;

/** A center could not start or do what was asked; the message is for people and says what to do. */
public final class CenterException extends Exception {
  private static final long serialVersionUID = 1;

  private final FailureCode code;

  public CenterException(FailureCode code, String message) {
    super(message);
    this.code = code;
  }

  public CenterException(FailureCode code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /** What it was, by a name that does not change between versions. */
  public FailureCode code() {
    return code;
  }
}
