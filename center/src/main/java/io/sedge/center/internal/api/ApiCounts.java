package io.sedge.center.internal.api;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** What the API has answered. Any thread. */
final class ApiCounts {
  private static final int CLASSES = 6;
  private static final int CLASS = 100;

  private final AtomicLongArray answers = new AtomicLongArray(CLASSES);
  private final LongAdder refusedTokens = new LongAdder();

  void answered(int status) {
    answers.incrementAndGet(Math.clamp(status / CLASS, 0, CLASSES - 1));
  }

  /** Answers whose status begins with a digit. */
  long answers(int statusClass) {
    return answers.get(statusClass);
  }

  void refusedToken() {
    refusedTokens.increment();
  }

  long refusedTokens() {
    return refusedTokens.sum();
  }
}
