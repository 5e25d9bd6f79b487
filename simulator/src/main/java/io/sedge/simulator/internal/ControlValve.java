package io.sedge.simulator.internal;

/**
 * A control valve with an equal-percentage characteristic: {@code Kv = Kvs R^(x − 1)}, flow in m³/h
 * of water being Kv times the root of the pressure loss in bar (IEC 60534-2-1). Its drive moves at
 * a constant speed.
 */
final class ControlValve {
  private static final double RANGE = 50;
  private static final double STROKE_SECONDS = 10;
  private static final double SECONDS_PER_HOUR = 3600;

  private final double fullKv;
  private double command;
  private double position;
  private boolean stuck;

  /**
   * @param fullKv m³/h at 1 bar when open
   * @param position from 0, closed, to 1, open
   */
  ControlValve(double fullKv, double position) {
    this.fullKv = fullKv;
    this.command = position;
    this.position = position;
  }

  void want(double newPosition) {
    command = Math.clamp(newPosition, 0, 1);
  }

  void setStuck(boolean on) {
    stuck = on;
  }

  void step(double seconds) {
    if (!stuck) {
      double most = seconds / STROKE_SECONDS;
      position += Math.clamp(command - position, -most, most);
    }
  }

  /** Metres of head lost per (m³/s)². */
  double resistance() {
    double kv = fullKv * Math.pow(RANGE, position - 1);
    double flowPerRootBar = kv / SECONDS_PER_HOUR;
    return Water.headOfBar(1) / (flowPerRootBar * flowPerRootBar);
  }

  double command() {
    return command;
  }

  double position() {
    return position;
  }
}
