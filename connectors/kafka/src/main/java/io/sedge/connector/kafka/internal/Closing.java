package io.sedge.connector.kafka.internal;

import java.time.Duration;

/** Ends threads that may wait for a broker that is away. */
final class Closing {
  private Closing() {}

  /** Waits for a thread to end, and interrupts it if it takes longer. */
  static void join(Thread thread, Duration patience) {
    try {
      if (!thread.join(patience)) {
        thread.interrupt();
        var _ = thread.join(patience);
      }
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    } catch (IllegalThreadStateException e) {
      // It was never started.
    }
  }
}
