package io.sedge.tensor.runtime;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Native calls that may never return, on platform threads of their own, so that whoever waits for
 * one can be interrupted and waits no longer than its limit. A call that is given up goes on, and
 * keeps its thread until the peer it waits for answers or goes; there are at most {@value
 * #MOST_THREADS} threads.
 */
final class NativeCalls {
  static final int MOST_THREADS = 64;

  /** How long a call that was cancelled may take to end. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  private final AtomicInteger number = new AtomicInteger();
  private final ThreadPoolExecutor threads;

  NativeCalls() {
    this.threads =
        new ThreadPoolExecutor(
            0,
            MOST_THREADS,
            10,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            work ->
                Thread.ofPlatform()
                    .daemon()
                    .name("tensorflow call " + number.incrementAndGet())
                    .unstarted(work));
  }

  /**
   * Calls, and waits for the result.
   *
   * @param what what the message says was done
   * @param cancel makes the call end soon, if it can; called when it is given up
   */
  <R> R call(String what, Duration limit, Callable<R> call, Runnable cancel) {
    FutureTask<R> task = new FutureTask<>(call);
    try {
      threads.execute(task);
    } catch (RejectedExecutionException e) {
      throw new TensorFlowStatusException(
          StatusCode.RESOURCE_EXHAUSTED,
          MOST_THREADS
              + " calls are under way, too many for "
              + what
              + ", or the context is closed",
          e);
    }
    try {
      return task.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return end(task, cancel, StatusCode.DEADLINE_EXCEEDED, what + " took longer than " + limit);
    } catch (InterruptedException e) {
      try {
        return end(task, cancel, StatusCode.CANCELLED, "Interrupted during " + what);
      } finally {
        Thread.currentThread().interrupt();
      }
    } catch (ExecutionException e) {
      throw unchecked(e);
    }
  }

  /** Gives a call up. One that has succeeded all the same, at the last moment, has. */
  private static <R> R end(FutureTask<R> task, Runnable cancel, StatusCode code, String message) {
    cancel.run();
    long end = System.nanoTime() + GRACE.toNanos();
    boolean interrupted = false;
    while (true) {
      try {
        return task.get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (ExecutionException | TimeoutException e) {
        throw new TensorFlowStatusException(code, message, e);
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  /** The exception with the stack of the thread that waited for it. */
  private static RuntimeException unchecked(ExecutionException e) {
    return switch (e.getCause()) {
      case TensorFlowStatusException status ->
          new TensorFlowStatusException(status.code(), status.description(), status);
      case RuntimeException runtime -> runtime;
      case Error error -> throw error;
      case null, default -> new IllegalStateException(e);
    };
  }

  void close() {
    threads.shutdown();
  }
}
