package io.sedge.tensor;

import org.jspecify.annotations.Nullable;

/**
 * A cluster could not be found out. The {@link Reason} is stable and says who must act; the message
 * says what was asked, what came back, and what to do.
 */
public final class ClusterResolutionException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Why, in kinds that a caller may treat differently. */
  public enum Reason {
    /** What the resolver reads is not there: the program does not run where the resolver thinks. */
    ABSENT,
    /** What the resolver reads is there and wrong. Someone has to change it. */
    INVALID,
    /** The cluster is forming: some of its tasks are not there yet. Asking again can help. */
    NOT_READY,
    /** A service that the resolver asks does not answer as it should. Asking again can help. */
    UNREACHABLE
  }

  private final Reason reason;

  /** An exception without a cause. */
  public ClusterResolutionException(Reason reason, String message) {
    this(reason, message, null);
  }

  /** An exception with what caused it. */
  public ClusterResolutionException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** Who must act. */
  public Reason reason() {
    return reason;
  }

  /** Whether asking again, without anybody changing anything, can help. */
  public boolean isRetryable() {
    return reason == Reason.NOT_READY || reason == Reason.UNREACHABLE;
  }
}
