package io.sedge.site.internal.device;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The reports of a device that came late in the last minute. What is kept is bounded: gaps that are
 * still larger than all later ones, each of which took half of the silence or more.
 */
final class Lateness {
  /** For so long a late report is remembered. */
  private static final long LEARNED_NANOS = 60_000_000_000L;

  /** The largest gap first; each came later than those before it. */
  private final Deque<Late> reports = new ArrayDeque<>();

  /**
   * A report that came late.
   *
   * @param gap to the one before
   * @param at when it came
   */
  private record Late(long gap, long at) {}

  void learn(long gap, long at) {
    while (!reports.isEmpty() && reports.getLast().gap() <= gap) {
      reports.removeLast();
    }
    reports.addLast(new Late(gap, at));
  }

  void forgetOld(long now) {
    while (!reports.isEmpty() && reports.getFirst().at() < now - LEARNED_NANOS) {
      reports.removeFirst();
    }
  }

  void forgetAll() {
    reports.clear();
  }

  /** The longest gap between two reports; 0 if none came late. */
  long longest() {
    return reports.isEmpty() ? 0 : reports.getFirst().gap();
  }
}
