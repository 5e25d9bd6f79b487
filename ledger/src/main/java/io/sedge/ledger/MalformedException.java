package io.sedge.ledger;

/** Bytes that are not of the form that they should have; the message says where and why. */
public class MalformedException extends Exception {
  private static final long serialVersionUID = 1;

  public MalformedException(String message) {
    super(message);
  }

  public MalformedException(String message, Throwable cause) {
    super(message, cause);
  }
}
