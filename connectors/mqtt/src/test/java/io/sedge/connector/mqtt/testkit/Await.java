package io.sedge.connector.mqtt.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for something to become true. */
public final class Await {
  private static final long PAUSE_NANOS = 1_000_000;

  private Await() {}

  /** Waits until the condition holds; fails with the state at a deadline. */
  public static void until(Duration limit, BooleanSupplier condition, Supplier<?> state) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not within " + limit + ": " + state.get());
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
