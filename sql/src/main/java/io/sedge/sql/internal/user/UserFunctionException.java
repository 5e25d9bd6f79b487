package io.sedge.sql.internal.user;

/** A user's function cannot be used; the message is for people. */
public final class UserFunctionException extends RuntimeException {
  private static final long serialVersionUID = 1;

  UserFunctionException(String message) {
    super(message, null, false, false);
  }
}
