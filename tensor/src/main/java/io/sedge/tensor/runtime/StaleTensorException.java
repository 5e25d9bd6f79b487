package io.sedge.tensor.runtime;

/**
 * A tensor of an earlier connection was used. Its memory is gone, or another's: TensorFlow itself
 * ends the process here. Make it anew; a variable that outlived the connection is found by its
 * shared name.
 */
public final class StaleTensorException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  StaleTensorException(String message) {
    super(message);
  }
}
