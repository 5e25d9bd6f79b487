package io.sedge.connector;

/** A table cannot be opened, read or written; the message is for people and says what to do. */
public final class ConnectorException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Whose fault it is. */
  public enum Kind {
    /** The script or its options. */
    USER,
    /** A far end: a broker, a server. */
    EXTERNAL,
    /** A file or directory of this machine: missing, not permitted, or on a full disk. */
    FILE
  }

  private final Kind kind;

  public ConnectorException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public ConnectorException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
