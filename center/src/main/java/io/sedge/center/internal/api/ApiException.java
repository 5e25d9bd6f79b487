package io.sedge.center.internal.api;

import io.sedge.center.api.Failure;
import io.sedge.center.store.StoreException;

/** A request is not done; the message is for people and says what to do. */
final class ApiException extends Exception {
  private static final long serialVersionUID = 1;

  private final int status;
  private final String code;

  private ApiException(int status, String code, String message, Throwable cause) {
    super(message, cause);
    this.status = status;
    this.code = code;
  }

  ApiException(Reason reason, String message) {
    super(message);
    this.status = reason.status;
    this.code = reason.name();
  }

  ApiException(Reason reason, String message, Throwable cause) {
    this(reason.status, reason.name(), message, cause);
  }

  /** What the store says. */
  static ApiException of(StoreException e) {
    return new ApiException(
        status(e.reason()), e.reason().name(), String.valueOf(e.getMessage()), e);
  }

  private static int status(StoreException.Reason reason) {
    return switch (reason) {
      case UNKNOWN_SITE, UNKNOWN_TABLE, UNKNOWN_JOB -> 404;
      case NOT_PERMITTED -> 403;
      case UNDER_WAY -> 409;
      case QUERY_REFUSED -> 422;
      case QUERY_ENDED -> 504;
      case MALFORMED,
          TOKEN_REFUSED,
          REVOKED,
          NAME_TAKEN,
          SCHEMA_REFUSED,
          SEQUENCE_WENT_BACK,
          TOO_LARGE,
          BUSY,
          STORE_UNAVAILABLE,
          INTERNAL ->
          reason.uplink().status();
    };
  }

  int status() {
    return status;
  }

  Failure failure() {
    return new Failure(code, String.valueOf(getMessage()));
  }

  /** What the store knows nothing of, each with its HTTP status. */
  enum Reason {
    /** The request cannot be read, or a value in it is not allowed. */
    MALFORMED(400),
    /** There is no token, or not one that the center knows. */
    TOKEN_REFUSED(401),
    /** The name is not known, or the password is another one. */
    LOGIN_REFUSED(401),
    /** The session of the cookie is over. */
    SESSION_ENDED(401),
    /** The request came from a page that is not the console. */
    CSRF_REFUSED(403),
    /** The caller's role may not. */
    NOT_PERMITTED(403),
    /** The API has no such path. */
    UNKNOWN_PATH(404),
    /** Nothing has the name. */
    UNKNOWN_NAME(404),
    /** The path is there, and does not do that. */
    METHOD_NOT_ALLOWED(405),
    /** The name is another's. */
    NAME_TAKEN(409),
    /** The body is larger than the center takes. */
    TOO_LARGE(413),
    /** The password may not be one. */
    PASSWORD_REFUSED(422),
    /** The site does not do what is asked; the message has its reason. */
    SITE_REFUSED(422),
    /** The script is not accepted. */
    SCRIPT_REFUSED(422),
    /** As many are answered as can be. */
    BUSY(429),
    /** Too many wrong tokens or passwords came. */
    TOO_MANY_ATTEMPTS(429),
    /** The center has a fault. */
    INTERNAL(500),
    /** A file cannot be written. */
    STORE_UNAVAILABLE(503),
    /** The site is away, or does not answer in time. */
    SITE_SILENT(503),
    /** The login provider does not answer as one does. */
    PROVIDER_UNAVAILABLE(503);

    private final int status;

    Reason(int status) {
      this.status = status;
    }
  }
}
