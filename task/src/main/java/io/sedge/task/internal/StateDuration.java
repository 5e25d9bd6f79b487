package io.sedge.task.internal;

/** For how long a state lasts that comes and goes. Not thread-safe. */
final class StateDuration {
  private boolean lasting;
  private long sinceNanos;
  private long endedNanos;

  /** Whether it lasts from now on. */
  void set(boolean lasts, long nowNanos) {
    if (lasting && !lasts) {
      endedNanos += nowNanos - sinceNanos;
    } else if (lasts && !lasting) {
      sinceNanos = nowNanos;
    }
    lasting = lasts;
  }

  /** Since it came; 0 if it does not last. */
  long nanos(long nowNanos) {
    return lasting ? nowNanos - sinceNanos : 0;
  }

  /** All the times that it has lasted. */
  long totalNanos(long nowNanos) {
    return endedNanos + nanos(nowNanos);
  }
}
