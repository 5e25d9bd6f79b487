package io.sedge.broker;

/** The broker cannot start or stop; the message is for people and says what to do. */
public final class BrokerException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public BrokerException(String message) {
    super(message);
  }

  public BrokerException(String message, Throwable cause) {
    super(message, cause);
  }
}
