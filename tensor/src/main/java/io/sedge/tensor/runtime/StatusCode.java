package io.sedge.tensor.runtime;

import org.jspecify.annotations.Nullable;

/** The codes with which TensorFlow's native library says how a call went; those of gRPC. */
public enum StatusCode {
  /** It went well. */
  OK(0),
  /** Given up, by whoever asked or because something else failed. */
  CANCELLED(1),
  /** TensorFlow does not say. A port that is taken is reported so. */
  UNKNOWN(2),
  /** What was asked is wrong, whatever the state of the cluster. */
  INVALID_ARGUMENT(3),
  /** No answer in time. What was asked may have happened. */
  DEADLINE_EXCEEDED(4),
  /** What was asked for is not there. */
  NOT_FOUND(5),
  /** What was to be made is there already. */
  ALREADY_EXISTS(6),
  /** Not allowed. */
  PERMISSION_DENIED(7),
  /** Something is used up, memory for example. */
  RESOURCE_EXHAUSTED(8),
  /** Not possible in this state; a variable without a value, for example. */
  FAILED_PRECONDITION(9),
  /** Given up by the server; a session of a server that was started anew, for example. */
  ABORTED(10),
  /** Past the end, of a data set for example. */
  OUT_OF_RANGE(11),
  /** TensorFlow does not do this. */
  UNIMPLEMENTED(12),
  /** TensorFlow finds itself in a state that should not be. */
  INTERNAL(13),
  /** A server cannot be reached, now. */
  UNAVAILABLE(14),
  /** Data is gone. */
  DATA_LOSS(15),
  /** Who asks is not known. */
  UNAUTHENTICATED(16);

  private final int number;

  StatusCode(int number) {
    this.number = number;
  }

  /** The number that TensorFlow uses. */
  public int number() {
    return number;
  }

  /** The code of a number; {@link #UNKNOWN} if there is none. */
  public static StatusCode of(int number) {
    @Nullable StatusCode found = null;
    for (StatusCode code : values()) {
      if (code.number == number) {
        found = code;
      }
    }
    return found == null ? UNKNOWN : found;
  }
}
