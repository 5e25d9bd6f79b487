package io.sedge.simulator.internal;

/**
 * A PI controller with a bounded output; it does not integrate further into a bound (conditional
 * integration, Åström and Hägglund, Advanced PID Control, 3.5).
 */
final class Controller {
  private final double gain;
  private final double integralSeconds;
  private final double least;
  private final double most;
  private double setPoint;
  private double integral;

  Controller(
      double gain,
      double integralSeconds,
      double least,
      double most,
      double setPoint,
      double output) {
    this.gain = gain;
    this.integralSeconds = integralSeconds;
    this.least = least;
    this.most = most;
    this.setPoint = setPoint;
    this.integral = output;
  }

  void setSetPoint(double newSetPoint) {
    setPoint = newSetPoint;
  }

  double setPoint() {
    return setPoint;
  }

  double step(double seconds, double measured) {
    double error = setPoint - measured;
    double output = integral + gain * error;
    boolean outwards = (output > most && error * gain > 0) || (output < least && error * gain < 0);
    if (!outwards) {
      integral += gain * error * seconds / integralSeconds;
    }
    return Math.clamp(output, least, most);
  }
}
