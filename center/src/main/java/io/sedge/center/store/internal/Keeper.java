package io.sedge.center.store.internal;

import io.sedge.center.store.StoreException;
import io.sedge.task.Printable;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The thread that deletes old rows and writes who was there, once a minute. */
public final class Keeper implements AutoCloseable {
  private static final long PERIOD_SECONDS = 60;

  private final Retention retention;
  private final Writing lastUse;
  private final Consumer<String> log;
  private final ScheduledExecutorService executor;

  public Keeper(Retention retention, Writing lastUse, Consumer<String> log) {
    this.retention = retention;
    this.lastUse = lastUse;
    this.log = log;
    this.executor =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("sedge-center-retention").daemon().factory());
    for (Runnable task : List.<Runnable>of(this::pass, this::writeLastUse)) {
      var _ =
          executor.scheduleWithFixedDelay(task, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** What is written once a minute. */
  @FunctionalInterface
  public interface Writing {
    void write() throws StoreException;
  }

  private void writeLastUse() {
    try {
      lastUse.write();
    } catch (StoreException | RuntimeException e) {
      log.accept("who was there is not stored yet: " + e.getMessage());
    }
  }

  private void pass() {
    try {
      long deleted = retention.pass();
      if (deleted > 0) {
        log.accept(
            "deleted, as older than the tables keep: %s"
                .formatted(Printable.count(deleted, "row")));
      }
    } catch (StoreException | RuntimeException e) {
      log.accept("old rows were not deleted: " + e.getMessage());
    }
  }

  @Override
  public void close() {
    executor.close();
    writeLastUse();
  }
}
