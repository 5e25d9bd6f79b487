package io.sedge.replication;

/** The ledger could not do what was asked; the message says why and what to do. */
public sealed class LedgerException extends Exception permits ListenException {
  private static final long serialVersionUID = 1;

  public LedgerException(String message) {
    super(message);
  }

  public LedgerException(String message, Throwable cause) {
    super(message, cause);
  }
}
