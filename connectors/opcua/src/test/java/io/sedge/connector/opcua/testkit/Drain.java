package io.sedge.connector.opcua.testkit;

import io.sedge.connector.SourceReader;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Polls a reader as a task does, only after it was woken, until something is so. */
public final class Drain {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final long PAUSE_NANOS = 1_000_000;

  private final SourceReader reader;
  private final TestContext context;
  private final List<List<@Nullable Object>> rows = new ArrayList<>();
  private int woken;

  /**
   * @param context the reader's, by which it wakes the task
   */
  public Drain(SourceReader reader, TestContext context) {
    this.reader = reader;
    this.context = context;
  }

  /** Waits until a condition holds; fails at a deadline. */
  public static void until(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not within " + LIMIT + ": " + what);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** Polls until a condition holds. */
  public void pollUntil(String what, BooleanSupplier condition) {
    until(
        what,
        () -> {
          pollIfWoken();
          return condition.getAsBoolean();
        });
  }

  // A task polls on while there are batches, and then sleeps until it is woken.
  private void pollIfWoken() {
    int now = context.wakeUps();
    if (now == woken) {
      return;
    }
    woken = now;
    for (Batch batch = poll(); batch != null; batch = poll()) {
      for (int row = 0; row < batch.rows(); row++) {
        rows.add(batch.row(row));
      }
    }
  }

  private @Nullable Batch poll() {
    return reader.poll(System.nanoTime());
  }

  /** So many more rows, the first of them. */
  public List<List<@Nullable Object>> next(int count) {
    rows.clear();
    pollUntil(count + " rows", () -> rows.size() >= count);
    return List.copyOf(rows.subList(0, count));
  }

  /** Polls until another row fits. */
  public List<@Nullable Object> nextWhere(
      String what, java.util.function.Predicate<List<@Nullable Object>> predicate) {
    rows.clear();
    pollUntil(what, () -> rows.stream().anyMatch(predicate));
    return rows.stream().filter(predicate).findFirst().orElseThrow();
  }
}
