package io.sedge.connector.kafka.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another thread or a broker does. */
public final class Await {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final long PAUSE_NANOS = 1_000_000;

  private Await() {}

  /** Returns once the condition holds, which is asked again and again. */
  public static void until(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("gave up waiting for: " + what);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
