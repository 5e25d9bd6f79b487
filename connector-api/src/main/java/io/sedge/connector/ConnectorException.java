package io.sedge.connector;

import org.jspecify.annotations.Nullable;

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

  /**
   * Throws what a thread of a connector has failed with, if it has, in the thread of the task.
   *
   * @param doing what the thread does, for people: {@code reading}
   */
  public static void throwIfFailed(String table, String doing, @Nullable Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    if (cause instanceof ConnectorException known) {
      throw new ConnectorException(known.kind(), String.valueOf(known.getMessage()), known);
    }
    if (cause != null) {
      throw new ConnectorException(
          Kind.EXTERNAL, "table %s: %s has failed: %s".formatted(table, doing, cause), cause);
    }
  }

  public Kind kind() {
    return kind;
  }
}
