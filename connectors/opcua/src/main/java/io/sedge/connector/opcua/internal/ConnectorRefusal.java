package io.sedge.connector.opcua.internal;

/** The connector itself refuses to go on; the message is for people and says what to do. */
final class ConnectorRefusal extends Exception {
  private static final long serialVersionUID = 1;

  ConnectorRefusal(String message) {
    super(message);
  }

  ConnectorRefusal(String message, Throwable cause) {
    super(message, cause);
  }
}
