package io.sedge.tensor.training.cluster;

import io.sedge.tensor.runtime.TensorFlowStatusException;

/**
 * Which errors may come from a server that was lost or started anew, whatever their words: what is
 * then the matter is found out by looking at the servers. (TensorFlow's own coordinator goes by the
 * words.)
 */
final class Suspicion {
  private Suspicion() {}

  static boolean isRaisedBy(Throwable error) {
    return error instanceof TensorFlowStatusException status
        && switch (status.code()) {
          case UNAVAILABLE, ABORTED, CANCELLED, DEADLINE_EXCEEDED, UNKNOWN, INTERNAL -> true;
          // What a parameter server that was started anew says of its variables.
          case NOT_FOUND, FAILED_PRECONDITION -> true;
          case OK,
              INVALID_ARGUMENT,
              ALREADY_EXISTS,
              PERMISSION_DENIED,
              RESOURCE_EXHAUSTED,
              OUT_OF_RANGE,
              UNIMPLEMENTED,
              DATA_LOSS,
              UNAUTHENTICATED ->
              false;
        };
  }
}
