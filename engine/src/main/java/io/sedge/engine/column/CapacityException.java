package io.sedge.engine.column;

/**
 * A column would have to hold, or an operator to keep, more than its bound. The message says what
 * to do.
 */
public final class CapacityException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public CapacityException(String message) {
    super(message);
  }
}
