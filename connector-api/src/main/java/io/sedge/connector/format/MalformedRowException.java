package io.sedge.connector.format;

/**
 * A row that its table's format or schema cannot hold; the message says which column, and why.
 * Cheap: it has no stack trace.
 */
public final class MalformedRowException extends Exception {
  private static final long serialVersionUID = 1;

  public MalformedRowException(String message) {
    super(message, null, false, false);
  }
}
