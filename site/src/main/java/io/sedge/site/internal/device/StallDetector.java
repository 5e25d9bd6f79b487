package io.sedge.site.internal.device;

/**
 * For which part of the time this process can run. A container at its quota, a virtual machine
 * whose host has other work, a process that is stopped again and again: none of them can ask for
 * that, but whoever wants to run every few milliseconds sees how late it does.
 *
 * <p>What lies between two beats is not seen: a halt counts from when a beat was due. So after a
 * halt beats follow each other closely for a while. Other threads of the process make a beat late
 * too; whoever asks knows what they used. Not thread-safe.
 */
final class StallDetector {
  static final long LONGEST_BEAT_NANOS = 50_000_000;
  static final long CLOSE_BEAT_NANOS = 2_000_000;

  /** Beats are uneven, lest they keep step with what stops the process. */
  private static final long UNEVEN_NANOS = 1_000_000;

  private static final int UNEVEN_BEATS = 8;

  /** Longer than the period of quotas on Linux, 100 ms. */
  private static final int CLOSE_BEATS = 60;

  /** So many say that it is halted again and again; one may be a collection of the heap. */
  private static final int SPELL_HALTS = 3;

  /** Of the time, what is not worth telling: one beat that came late says nothing. */
  private static final double LEAST_HALTED = 0.05;

  /** For so long any thread may have to wait for its turn where others are busy too. */
  private static final long TOLERANCE_NANOS = 10_000_000;

  private boolean begun;
  private int beats;
  private int closeBeats;
  private long dueNanos;
  private long sinceNanos;
  private long haltedNanos;

  /** The same since halts began, or since the last few. */
  private long spellNanos;

  private long spellHaltedNanos;
  private int spellHalts;
  private double recent = 1;
  private int spells;

  /**
   * Beats, if that is due.
   *
   * @param nowNanos a monotonic clock
   * @param longestNanos between this beat and the next, unless there are halts
   * @return for how long to wait, nanoseconds
   */
  long beat(long nowNanos, long longestNanos) {
    if (!begun) {
      begun = true;
      dueNanos = nowNanos;
      sinceNanos = nowNanos;
    }
    long lateNanos = nowNanos - dueNanos;
    if (lateNanos < 0) {
      return -lateNanos;
    }
    if (lateNanos > TOLERANCE_NANOS) {
      if (closeBeats == 0) {
        recent = 1;
        beginSpell(dueNanos);
      }
      haltedNanos += lateNanos;
      addToSpell(lateNanos, nowNanos);
      closeBeats = CLOSE_BEATS;
    }
    closeBeats = Math.max(0, closeBeats - 1);
    beats = (beats + 1) % UNEVEN_BEATS;
    long wait = closeBeats > 0 ? CLOSE_BEAT_NANOS : longestNanos - beats * UNEVEN_NANOS;
    dueNanos = nowNanos + wait;
    return wait;
  }

  private void beginSpell(long atNanos) {
    spellNanos = atNanos;
    spellHaltedNanos = 0;
    spellHalts = 0;
  }

  private void addToSpell(long lateNanos, long nowNanos) {
    spellHaltedNanos += lateNanos;
    spellHalts++;
    if (spellHalts == SPELL_HALTS) {
      recent = part(spellHaltedNanos, nowNanos - spellNanos);
      spells++;
      beginSpell(nowNanos);
    }
  }

  /** The part of the time, 0 to 1, since this was last asked; right after a beat. */
  double take(long nowNanos) {
    double part = part(haltedNanos, nowNanos - sinceNanos);
    sinceNanos = nowNanos;
    haltedNanos = 0;
    return part;
  }

  /** The part of the time of the last few halts; 1 before there were, and if there are none now. */
  double recent() {
    return closeBeats > 0 ? recent : 1;
  }

  /** Grows when {@link #recent} is known anew. */
  int spells() {
    return spells;
  }

  private static double part(long haltedNanos, long elapsedNanos) {
    boolean running = haltedNanos <= LEAST_HALTED * elapsedNanos;
    return running ? 1 : Math.clamp(1 - (double) haltedNanos / elapsedNanos, 0, 1);
  }
}
