package io.sedge.connector.format;

/** A payload is not what its format and schema say. Cheap: it has no stack trace. */
public final class MalformedPayloadException extends Exception {
  private static final long serialVersionUID = 1;

  public MalformedPayloadException(String message) {
    super(message, null, false, false);
  }
}
