package io.sedge.ledger;

/** Bytes are of a {@link Format} that only later versions read: they are not damaged. */
public final class LaterFormatException extends MalformedException {
  private static final long serialVersionUID = 1;

  public LaterFormatException(String message) {
    super(message);
  }
}
