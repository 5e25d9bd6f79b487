package io.sedge.replication.testkit;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits until something is so, with a deadline. */
public final class Await {
  private static final Duration DEADLINE = Duration.ofSeconds(40);
  private static final long STEP_NANOS = 5_000_000;

  private Await() {}

  public static void until(String what, Callable<Boolean> condition) throws Exception {
    until(() -> what, condition);
  }

  /**
   * @param what is asked for when the deadline is over
   */
  public static void until(Supplier<String> what, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + DEADLINE.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("after %s it was not so that %s".formatted(DEADLINE, what.get()));
      }
      LockSupport.parkNanos(STEP_NANOS);
    }
  }
}
