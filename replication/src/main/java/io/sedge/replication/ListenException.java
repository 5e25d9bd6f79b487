package io.sedge.replication;

/** A member cannot listen at its address: another process does, or the address is not there. */
public final class ListenException extends LedgerException {
  private static final long serialVersionUID = 1;

  public ListenException(String message, Throwable cause) {
    super(message, cause);
  }
}
