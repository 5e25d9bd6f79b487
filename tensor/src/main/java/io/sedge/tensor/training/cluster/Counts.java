package io.sedge.tensor.training.cluster;

import java.util.concurrent.atomic.LongAdder;

/** What a coordinator counts. */
final class Counts {
  private final LongAdder executed = new LongAdder();
  private final LongAdder executionNs = new LongAdder();
  private final LongAdder fetched = new LongAdder();
  private final LongAdder connections = new LongAdder();
  private final LongAdder workerFailures = new LongAdder();
  private final LongAdder repeats = new LongAdder();

  void executed(long tookNs) {
    executed.increment();
    executionNs.add(tookNs);
  }

  void fetched() {
    fetched.increment();
  }

  void connected() {
    connections.increment();
  }

  void workerFailure() {
    workerFailures.increment();
  }

  void runAgain() {
    repeats.increment();
  }

  long executions() {
    return executed.sum();
  }

  long executionNs() {
    return executionNs.sum();
  }

  long fetches() {
    return fetched.sum();
  }

  long connections() {
    return connections.sum();
  }

  long failures() {
    return workerFailures.sum();
  }

  long repetitions() {
    return repeats.sum();
  }
}
