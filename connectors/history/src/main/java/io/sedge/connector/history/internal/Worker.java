package io.sedge.connector.history.internal;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The thread on which all stores of a process make and delete segments, one at a time, so that
 * memory is taken once. It is there while there is work.
 */
public final class Worker {
  /** A store has few things to do at a time; this is for some hundred stores. */
  private static final int MAX_WAITING = 4096;

  private static final long SWEEP_NANOS = 600_000_000_000L;

  private final Executor executor;
  private boolean hasSwept;
  private long sweptNanos;

  /** A worker without a thread; that starts with the first work. */
  public Worker() {
    this(thread());
  }

  Worker(Executor executor) {
    this.executor = executor;
  }

  private static Executor thread() {
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            1,
            1,
            5,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MAX_WAITING),
            Thread.ofPlatform().name("sedge-history").daemon().factory());
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  /**
   * Does something soon.
   *
   * @throws java.util.concurrent.RejectedExecutionException if too much waits
   */
  void execute(Runnable work) {
    executor.execute(work);
  }

  /**
   * Whether what other jobs have kept is to be looked through now, every ten minutes; says so to
   * one of all stores. Any thread.
   */
  synchronized boolean isToSweep(long nowNanos) {
    if (hasSwept && nowNanos - sweptNanos < SWEEP_NANOS) {
      return false;
    }
    hasSwept = true;
    sweptNanos = nowNanos;
    return true;
  }
}
