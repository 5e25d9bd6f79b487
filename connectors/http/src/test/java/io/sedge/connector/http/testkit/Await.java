package io.sedge.connector.http.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for something that happens elsewhere. */
public final class Await {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long STEP_NANOS = 5_000_000;

  private Await() {}

  /** Until a condition holds; fails if it never does. */
  public static void until(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      LockSupport.parkNanos(STEP_NANOS);
    }
  }
}
