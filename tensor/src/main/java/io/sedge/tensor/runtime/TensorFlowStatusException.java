package io.sedge.tensor.runtime;

import org.jspecify.annotations.Nullable;
import org.tensorflow.exceptions.TensorFlowException;

/**
 * A call of TensorFlow's native library failed. Unlike the exceptions of TensorFlow's own Java
 * classes, it keeps the code, so that a server that cannot be reached can be told from a mistake in
 * the graph.
 */
public final class TensorFlowStatusException extends TensorFlowException {
  private static final long serialVersionUID = 1;

  private final StatusCode code;
  private final String description;

  /** An exception with TensorFlow's code; the message should be TensorFlow's, at its beginning. */
  public TensorFlowStatusException(StatusCode code, String message) {
    this(code, message, null);
  }

  /** An exception with what caused it. */
  public TensorFlowStatusException(StatusCode code, String message, @Nullable Throwable cause) {
    super(code + ": " + message, cause);
    this.code = code;
    this.description = message;
  }

  /** What TensorFlow says went wrong. */
  public StatusCode code() {
    return code;
  }

  /** The message without the code. */
  public String description() {
    return description;
  }

  /**
   * Whether a server was lost or does not answer, so that the same call can succeed later or
   * elsewhere. The call may have had its effect.
   */
  public boolean isServerLost() {
    return code == StatusCode.UNAVAILABLE
        || code == StatusCode.ABORTED
        || code == StatusCode.DEADLINE_EXCEEDED;
  }
}
