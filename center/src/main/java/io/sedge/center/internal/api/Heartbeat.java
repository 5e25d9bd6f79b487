package io.sedge.center.internal.api;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Does something now and then while the thread that made it is busy, and interrupts that thread
 * once it fails. After {@link #close} neither happens.
 */
final class Heartbeat implements AutoCloseable {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition closing = lock.newCondition();
  private final Thread busy = Thread.currentThread();
  private final Duration every;
  private final Runnable beat;
  private boolean closed;

  Heartbeat(Duration every, Runnable beat) {
    this.every = every;
    this.beat = beat;
    Thread.ofVirtual().name("sedge-api-heartbeat").start(this::run);
  }

  private void run() {
    lock.lock();
    try {
      while (!closed) {
        long left = every.toNanos();
        while (left > 0 && !closed) {
          left = closing.awaitNanos(left);
        }
        if (!closed) {
          beat.run();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      // Nobody waits for the answer.
      busy.interrupt();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      closing.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
