package io.sedge.task.internal;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Lets one thread wait and any other wake it. A wake-up while nobody waits makes the next wait
 * return at once, so none is lost. Cheap to call often: only a thread that waits is unparked.
 */
public final class Waiter {
  private volatile boolean signalled;
  private volatile @Nullable Thread waiting;

  /** Ends the wait, from any thread. */
  public void wakeUp() {
    if (signalled) {
      return;
    }
    signalled = true;
    Thread thread = waiting;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  /** Waits for a wake-up, at most so long; may return early. */
  public void await(long nanos) {
    waiting = Thread.currentThread();
    try {
      if (!signalled && nanos > 0) {
        LockSupport.parkNanos(this, nanos);
      }
    } finally {
      waiting = null;
      signalled = false;
    }
  }
}
