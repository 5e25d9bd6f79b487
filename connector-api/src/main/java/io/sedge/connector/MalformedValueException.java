package io.sedge.connector;

/** A value that a column, or the far end, cannot hold. The message is for people. */
public final class MalformedValueException extends Exception {
  private static final long serialVersionUID = 1;

  public MalformedValueException(String message) {
    super(message);
  }
}
