package io.sedge.connector.sparkplug.internal;

/** A metric that no row can be made of; the message says why. */
final class MalformedMetricException extends Exception {
  private static final long serialVersionUID = 1;

  MalformedMetricException(String message) {
    super(message);
  }
}
