package io.sedge.center.store.internal;

import io.sedge.center.store.StoreException;
import io.sedge.center.store.StoreException.Reason;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Cancels a statement that takes too long, or whose thread is interrupted while the database works.
 * A thread of its own looks twenty times a second.
 */
final class Watch implements AutoCloseable {
  private static final long LOOK_MS = 50;

  private final Statement statement;
  private final Thread asker = Thread.currentThread();
  private final long endsAtNanos;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread thread;

  private Watch(Statement statement, Duration time) {
    this.statement = statement;
    this.endsAtNanos = System.nanoTime() + time.toNanos();
    this.thread = Thread.ofVirtual().name("sedge-center-query-watch").start(this::run);
  }

  static Watch over(Statement statement, Duration time) {
    return new Watch(statement, time);
  }

  private boolean isOver() {
    return System.nanoTime() - endsAtNanos >= 0;
  }

  private void run() {
    try {
      while (!ended.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
        if (isOver() || asker.isInterrupted()) {
          // Again and again: a statement that has not begun yet is not cancelled.
          statement.cancel();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (SQLException e) {
      // The statement has ended.
    }
  }

  /**
   * Ends the query if it has to.
   *
   * @throws StoreException QUERY_ENDED
   */
  void check(Duration time, @Nullable SQLException cause) throws StoreException {
    String why;
    if (asker.isInterrupted()) {
      why = "the query was cancelled";
    } else if (isOver()) {
      why =
          "the query took longer than %s: ask for less, such as fewer days, or a filter on an indexed column"
              .formatted(time);
    } else {
      return;
    }
    throw cause == null
        ? new StoreException(Reason.QUERY_ENDED, why)
        : new StoreException(Reason.QUERY_ENDED, why, cause);
  }

  @Override
  public void close() {
    ended.countDown();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      asker.interrupt();
    }
  }
}
