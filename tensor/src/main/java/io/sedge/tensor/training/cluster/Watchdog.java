package io.sedge.tensor.training.cluster;

import java.time.Duration;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Tells what is under way when no function was finished for a time although there are some: the
 * dump is all that is left of a training that hangs. Tells again after as long again. For any
 * number of threads; has one of its own, a virtual one, until it is closed.
 */
final class Watchdog implements AutoCloseable {
  private static final String OURS = "sedge-";
  private static final int MOST_FRAMES = 30;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Duration limit;
  private final LongSupplier finished;
  private final Supplier<String> underWay;
  private final Consumer<String> listener;
  private final Thread thread;
  private boolean closed;

  /**
   * Starts to watch.
   *
   * @param limit how long nothing may be finished; zero for ever
   * @param finished how many functions were finished so far
   * @param underWay what waits and runs, for people; empty if nothing does
   * @param listener is told
   */
  Watchdog(
      Duration limit, LongSupplier finished, Supplier<String> underWay, Consumer<String> listener) {
    this.limit = limit;
    this.finished = finished;
    this.underWay = underWay;
    this.listener = listener;
    this.thread = Thread.ofVirtual().name("sedge-watchdog").unstarted(this::watch);
    if (!limit.isZero()) {
      thread.start();
    }
  }

  private void watch() {
    long seen = finished.getAsLong();
    while (pause()) {
      long now = finished.getAsLong();
      String what = now == seen ? underWay.get() : "";
      seen = now;
      if (!what.isEmpty()) {
        listener.accept(
            "nothing was finished for %d s: %s%s"
                .formatted(limit.toSeconds(), what, threads(Thread.getAllStackTraces())));
      }
    }
  }

  boolean isEnded() {
    return !thread.isAlive(); // One that was never started included.
  }

  /** False once it is closed. */
  private boolean pause() {
    lock.lock();
    try {
      long left = limit.toNanos();
      while (left > 0 && !closed) {
        left = changed.awaitNanos(left);
      }
      return !closed;
    } catch (InterruptedException e) {
      return false;
    } finally {
      lock.unlock();
    }
  }

  private static String threads(Map<Thread, StackTraceElement[]> all) {
    StringJoiner lines = new StringJoiner("");
    all.forEach(
        (thread, stack) -> {
          if (thread.getName().startsWith(OURS)) {
            lines.add("%n  thread %s, %s".formatted(thread.getName(), thread.getState()));
            for (int i = 0; i < Math.min(stack.length, MOST_FRAMES); i++) {
              lines.add("%n    at %s".formatted(stack[i]));
            }
          }
        });
    return lines.toString();
  }

  /** Watches no more, once what is being told now is told. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
