package io.sedge.tensor.training.cluster;

import java.util.concurrent.atomic.AtomicLong;

/** What a coordinator counts. */
final class Counts {
  private final AtomicLong executed = new AtomicLong();
  private final AtomicLong workerFailures = new AtomicLong();
  private final AtomicLong repeats = new AtomicLong();

  void executed() {
    executed.incrementAndGet();
  }

  void workerFailure() {
    workerFailures.incrementAndGet();
    repeats.incrementAndGet();
  }

  void runAgain() {
    repeats.incrementAndGet();
  }

  long executions() {
    return executed.get();
  }

  long failures() {
    return workerFailures.get();
  }

  long repetitions() {
    return repeats.get();
  }
}
