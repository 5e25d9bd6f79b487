package io.sedge.replication.testkit;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits until something is so, with a deadline. */
public final class Await {
  private static final Duration DEADLINE = Duration.ofSeconds(40);
  private static final long STEP_NANOS = 5_000_000;

  private Await() {}

  public static void until(String what, Callable<Boolean> condition) throws Exception {
    until(what, DEADLINE, condition);
  }

  public static void until(String what, Duration deadline, Callable<Boolean> condition)
      throws Exception {
    long end = System.nanoTime() + deadline.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("after %s it was not so that %s".formatted(deadline, what));
      }
      LockSupport.parkNanos(STEP_NANOS);
    }
  }
}
