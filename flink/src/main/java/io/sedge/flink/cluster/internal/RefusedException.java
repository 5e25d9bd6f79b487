package io.sedge.flink.cluster.internal;

/** Flink does not take a script: what the runner has said of it. */
public final class RefusedException extends Exception {
  private static final long serialVersionUID = 1;

  RefusedException(String message) {
    super(message);
  }

  /** {@code line 7: …} if it is of a statement. */
  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
