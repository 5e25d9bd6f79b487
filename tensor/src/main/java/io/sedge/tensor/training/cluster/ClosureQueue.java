package io.sedge.tensor.training.cluster;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The functions that wait for a worker, and how many are with one. What is put waits while the
 * queue is full. TensorFlow's error model: the first error of a function cancels all that wait and
 * all that run; once none runs any more it is thrown, once, by whoever puts, waits or asks next;
 * after that, work goes on.
 *
 * <p>What is put for one worker has a queue of its own, comes first, and counts neither as waiting
 * nor as running nor for {@link #done}: it is never marked finished or failed.
 *
 * <p>Invariants: as many {@link #markFinished}, {@link #markFailed} and {@link
 * #putBack(Cancellable)} as {@link #get} of what is for any worker; no error is pending while a
 * function is added. For any number of threads.
 *
 * @param <C> what is queued
 */
final class ClosureQueue<C extends ClosureQueue.Cancellable> {
  /** What can be told that nobody will run it. */
  interface Cancellable {
    void cancelled();
  }

  private final ReentrantLock lock = new ReentrantLock();

  /** For workers: there is something to take, or nothing will ever be. */
  private final Condition available = lock.newCondition();

  /**
   * For who puts: the queue is half empty. At every place that is free would cost a switch each.
   */
  private final Condition space = lock.newCondition();

  /** For who waits until nothing runs, or waits, any more. */
  private final Condition quiet = lock.newCondition();

  private final Deque<C> waiting = new ArrayDeque<>();
  private final Map<Integer, Deque<C>> tagged = new HashMap<>();
  private final int capacity;
  private final Runnable cancelRunning;
  private int running;
  private boolean closed;
  private @Nullable Throwable error;

  /**
   * An empty queue.
   *
   * @param capacity how many may wait, 1 and more
   * @param cancelRunning makes the functions that run end soon; called with the queue's lock held
   */
  ClosureQueue(int capacity, Runnable cancelRunning) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity is " + capacity + "; it is 1 or more");
    }
    this.capacity = capacity;
    this.cancelRunning = cancelRunning;
  }

  /** Adds a function at the end; waits while the queue is full. Throws a pending error instead. */
  void put(C closure) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (waiting.size() >= capacity && error == null && !closed) {
        space.await();
      }
      throwPending();
      checkOpen();
      waiting.addLast(closure);
      available.signal();
    } finally {
      lock.unlock();
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the coordinator was closed");
    }
  }

  /** Adds a function for one worker. Never waits. */
  void put(C closure, int tag) {
    lock.lock();
    try {
      checkOpen();
      tagged.computeIfAbsent(tag, ignored -> new ArrayDeque<>()).addLast(closure);
      available.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for the next function for a worker; null if it should look again, or the queue closed.
   */
  @Nullable C get(int tag, long limitNs) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = limitNs;
      while (true) {
        C taken = closed ? null : take(tag);
        if (taken != null || left <= 0 || closed) {
          return taken;
        }
        left = available.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  private @Nullable C take(int tag) {
    Deque<C> own = tagged.get(tag);
    if (own != null && !own.isEmpty()) {
      return own.removeFirst();
    }
    if (waiting.isEmpty() || error != null) {
      return null;
    }
    running++;
    C taken = waiting.removeFirst();
    if (waiting.size() <= capacity / 2) {
      space.signalAll();
    }
    return taken;
  }

  /** A function whose worker was lost: it is the next to be run, unless all is being cancelled. */
  void putBack(C closure) {
    lock.lock();
    try {
      running--;
      if (error == null && !closed) {
        waiting.addFirst(closure);
        available.signal();
      } else {
        closure.cancelled();
      }
      signalIfQuiet();
    } finally {
      lock.unlock();
    }
  }

  /** A function for one worker, which was lost: it waits for the worker's return. */
  void putBack(C closure, int tag) {
    lock.lock();
    try {
      if (closed) {
        closure.cancelled();
      } else {
        tagged.computeIfAbsent(tag, ignored -> new ArrayDeque<>()).addFirst(closure);
        available.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** A worker is gone for good: cancels what is for it alone. */
  void cancelAll(int tag) {
    lock.lock();
    try {
      Deque<C> own = tagged.remove(tag);
      if (own != null) {
        own.forEach(Cancellable::cancelled);
      }
    } finally {
      lock.unlock();
    }
  }

  /** A function was run. */
  void markFinished() {
    lock.lock();
    try {
      running--;
      signalIfQuiet();
    } finally {
      lock.unlock();
    }
  }

  /** A function was run and failed: cancels all others. Only the first error is kept. */
  void markFailed(Throwable failure) {
    lock.lock();
    try {
      running--;
      if (error == null) {
        error = failure;
        cancelWaiting();
        cancelRunning.run();
        space.signalAll();
        quiet.signalAll();
      }
      signalIfQuiet();
    } finally {
      lock.unlock();
    }
  }

  /** Nobody can run anything: cancels all, as a function that failed does. */
  void fail(Throwable failure) {
    lock.lock();
    try {
      running++;
      markFailed(failure);
    } finally {
      lock.unlock();
    }
  }

  /** Whether an error has cancelled what runs. */
  boolean isCancelling() {
    lock.lock();
    try {
      return error != null || closed;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until nothing waits or runs; throws a pending error. */
  void await() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!isIdle() && error == null && !closed) {
        quiet.await();
      }
      throwPending();
    } finally {
      lock.unlock();
    }
  }

  /** Whether nothing waits or runs; throws a pending error. */
  boolean done() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      throwPending();
      return isIdle();
    } finally {
      lock.unlock();
    }
  }

  private boolean isIdle() {
    return waiting.isEmpty() && running == 0;
  }

  private void signalIfQuiet() {
    if (running == 0) {
      quiet.signalAll();
    }
  }

  /** How many wait. */
  int waiting() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  /** How many run. */
  int running() {
    lock.lock();
    try {
      return running;
    } finally {
      lock.unlock();
    }
  }

  /** Cancels what waits; nobody gets anything any more. */
  void close() {
    lock.lock();
    try {
      closed = true;
      cancelWaiting();
      tagged.values().forEach(own -> own.forEach(Cancellable::cancelled));
      tagged.clear();
      available.signalAll();
      space.signalAll();
      quiet.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void cancelWaiting() {
    waiting.forEach(Cancellable::cancelled);
    waiting.clear();
  }

  private void throwPending() throws InterruptedException {
    if (error == null) {
      return;
    }
    while (running > 0 && !closed) {
      quiet.await();
    }
    Throwable thrown = error;
    error = null;
    quiet.signalAll();
    if (thrown != null) {
      throw RemoteValue.rethrown(thrown);
    }
  }
}
