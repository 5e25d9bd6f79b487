package io.sedge.connector.modbus.internal;

/** Registers hold what no value of their column is; the message is for people. */
final class MalformedValueException extends Exception {
  private static final long serialVersionUID = 1;

  MalformedValueException(String message) {
    super(message);
  }
}
