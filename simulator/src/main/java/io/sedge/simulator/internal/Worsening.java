package io.sedge.simulator.internal;

/** How far a fault has gone, from 0 to 1: it comes and goes evenly. */
final class Worsening {
  private final double seconds;
  private double part;
  private boolean on;

  /**
   * @param seconds from nothing to all
   */
  Worsening(double seconds) {
    this.seconds = seconds;
  }

  void set(boolean begins) {
    on = begins;
  }

  void step(double elapsed) {
    part = Math.clamp(part + (on ? elapsed : -elapsed) / seconds, 0, 1);
  }

  double part() {
    return part;
  }
}
