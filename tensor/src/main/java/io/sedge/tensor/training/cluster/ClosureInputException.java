package io.sedge.tensor.training.cluster;

/** The value that a function needs on its worker could not be made. */
public final class ClosureInputException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ClosureInputException(String message, Throwable cause) {
    super(message, cause);
  }
}
