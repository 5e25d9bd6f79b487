package io.sedge.tensor.training.cluster;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * What a scheduled function will give, once a worker has run it. The value is the coordinator's
 * own: it outlives the worker.
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

  /** How it ended: a value, or an error. */
  private record Outcome<T>(@Nullable T value, @Nullable Throwable error) {}

  private final CompletableFuture<Outcome<T>> outcome = new CompletableFuture<>();

  private final Counts counts;

  RemoteValue(Counts counts) {
    this.counts = counts;
  }

  /** How far it is, now. */
  public Status status() {
    Outcome<T> now = outcome.getNow(null);
    if (now == null) {
      return Status.NOT_READY;
    }
    return now.error() instanceof CancellationException ? Status.ABORTED : Status.READY;
  }

  /**
   * Waits for the value.
   *
   * @throws CancellationException if the function was cancelled; it can be scheduled again
   * @throws RuntimeException the function's own error
   * @throws InterruptedException if the thread is interrupted
   */
  @SuppressWarnings("NullAway") // null only if the function gave null
  public T fetch() throws InterruptedException {
    try {
      Outcome<T> ended = outcome.get();
      counts.fetched();
      if (ended.error() != null) {
        throw rethrown(ended.error());
      }
      return ended.value();
    } catch (ExecutionException e) {
      throw rethrown(e.getCause());
    }
  }

  /**
   * Waits until it was run, failed or was cancelled; false if it was not in time.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  public boolean await(Duration limit) throws InterruptedException {
    try {
      outcome.get(limit.toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // The outcome of a function is a value of the future.
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
    outcome.complete(new Outcome<>(value, null));
  }

  void fail(Throwable error) {
    outcome.complete(new Outcome<>(null, error));
  }

  void cancel() {
    fail(
        new CancellationException(
            "The corresponding function is cancelled. Please reschedule the function."));
  }
}
