package io.sedge.center.store.internal;

import io.sedge.center.store.StoreException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The thread that deletes old rows, once a minute. */
public final class Keeper implements AutoCloseable {
  private static final long PERIOD_SECONDS = 60;

  private final Retention retention;
  private final Consumer<String> log;
  private final ScheduledExecutorService executor;

  public Keeper(Retention retention, Consumer<String> log) {
    this.retention = retention;
    this.log = log;
    this.executor =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("sedge-center-retention").daemon().factory());
    var _ =
        executor.scheduleWithFixedDelay(
            this::pass, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
  }

  private void pass() {
    try {
      long deleted = retention.pass();
      if (deleted > 0) {
        log.accept(
            "%,d rows were deleted that are older than their tables keep".formatted(deleted));
      }
    } catch (StoreException | RuntimeException e) {
      log.accept("old rows were not deleted: " + e.getMessage());
    }
  }

  @Override
  public void close() {
    executor.close();
  }
}
