package io.sedge.connector.opcua.internal;

/** A value that a column, or a node, cannot hold; the message is for people. */
final class MalformedValueException extends Exception {
  private static final long serialVersionUID = 1;

  MalformedValueException(String message) {
    super(message);
  }
}
