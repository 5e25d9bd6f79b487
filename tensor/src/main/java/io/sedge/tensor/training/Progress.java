package io.sedge.tensor.training;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many steps were applied, which a restored checkpoint takes back, and how many are under way.
 * For any number of threads; the listener is called under the lock, so by one at a time.
 */
final class Progress {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final TrainingListener listener;
  private final long target;
  private long applied;
  private int underWay;

  Progress(TrainingListener listener, long target) {
    this.listener = listener;
    this.target = target;
  }

  /** The variables are those after so many steps. */
  void resume(long step) {
    lock.lock();
    try {
      applied = step;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until another step should begin, at most so many at once; false when there are enough.
   */
  boolean begin(int most, long limitNs) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = limitNs;
      while (left > 0 && (underWay >= most || applied + underWay >= target)) {
        if (applied >= target) {
          return false;
        }
        left = changed.awaitNanos(left);
      }
      if (left <= 0) {
        return false;
      }
      underWay++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** A step that began was applied. */
  void applied(double loss, int examples) {
    lock.lock();
    try {
      underWay--;
      count(loss, examples);
    } finally {
      lock.unlock();
    }
  }

  /** A step was applied. */
  void count(double loss, int examples) {
    lock.lock();
    try {
      applied++;
      listener.applied(applied, loss, examples);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void happened(String what) {
    lock.lock();
    try {
      listener.happened(what);
    } finally {
      lock.unlock();
    }
  }

  long applied() {
    lock.lock();
    try {
      return applied;
    } finally {
      lock.unlock();
    }
  }

  boolean isDone() {
    return applied() >= target;
  }
}
