package io.sedge.tensor.runtime;

import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what other threads and processes do. */
final class Waiting {
  private Waiting() {}

  /** Returns once the condition holds; fails the test if it does not in time. */
  static void until(Duration limit, BooleanSupplier condition) {
    long end = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        fail("Not within %s", limit);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }
}
