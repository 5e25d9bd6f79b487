package io.sedge.tensor.training.cluster;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * What a scheduled function will give, once a worker has run it. The value is the coordinator's own:
 * it outlives the worker.
 *
 * @param <T> what the function gives
 */
public final class RemoteValue<T> {
  /** How far it is. */
  public enum Status {
    /** Not run yet, or running. */
    NOT_READY,
    /** It was cancelled, since another function failed or the coordinator was closed. */
    ABORTED,
    /** Run: there is a value, or an error of its own. */
    READY
  }

  private final CompletableFuture<T> future = new CompletableFuture<>();

  RemoteValue() {}

  /** How far it is, now. */
  public Status status() {
    if (!future.isDone()) {
      return Status.NOT_READY;
    }
    return future.isCompletedExceptionally()
            && future.exceptionNow() instanceof CancellationException
        ? Status.ABORTED
        : Status.READY;
  }

  /**
   * Waits for the value.
   *
   * @throws CancellationException if the function was cancelled; it can be scheduled again
   * @throws RuntimeException the function's own error
   * @throws InterruptedException if the thread is interrupted
   */
  public T fetch() throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw rethrown(e.getCause());
    }
  }

  static RuntimeException rethrown(Throwable cause) {
    return switch (cause) {
      case RuntimeException e -> e;
      case Error e -> throw e;
      default -> new CompletionException(cause);
    };
  }

  void complete(T value) {
    future.complete(value);
  }

  void fail(Throwable error) {
    future.completeExceptionally(error);
  }

  void cancel() {
    fail(
        new CancellationException(
            "The corresponding function is cancelled. Please reschedule the function."));
  }
}
