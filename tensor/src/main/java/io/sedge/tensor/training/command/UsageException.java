package io.sedge.tensor.training.command;

/** What was asked cannot be done as asked. The message is for whoever typed it. */
final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  UsageException(String message) {
    super(message);
  }
}
