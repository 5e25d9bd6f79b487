package io.sedge.simulator.internal;

import java.util.random.RandomGenerator;

/**
 * A centrifugal pump with its motor, frequency converter and bearing.
 *
 * <ul>
 *   <li>Head: {@code H = a N² − b Q²}, the usual parabola moved with the relative speed N by the
 *       affinity laws (flow with N, head with N², power with N³).
 *   <li>Efficiency: {@code η = ηmax q (2 − q)} with q the flow over that of the best point at this
 *       speed; so the shaft takes {@code ρ g H Qbest N / (ηmax (2 − q))}, which is finite at no
 *       flow.
 *   <li>Motor current: active and magnetising current at right angles, three phases of 400 V.
 *   <li>Cavitation: where the net positive suction head available is less than the pump requires,
 *       the head falls and shakes.
 *   <li>Bearing: friction as a moment from load and, with n^(2/3), from the lubricant; wear
 *       multiplies the first; one thermal mass that cools to the room.
 *   <li>Vibration: unbalance (N²), wear, cavitation and running off the best point, added as
 *       squares.
 * </ul>
 *
 * <p>docs/plant.md gives sources.
 */
final class Pump {
  /**
   * What tells one pump from another.
   *
   * @param shutOffHead a, metres at nominal speed
   * @param headLoss b, metres per (m³/s)²
   * @param bestFlow m³/s at nominal speed
   * @param requiredSuctionHead metres at no flow
   */
  record Curve(double shutOffHead, double headLoss, double bestFlow, double requiredSuctionHead) {}

  static final double NOMINAL_RPM = 2900;

  /** What the converter allows, relative to nominal. */
  static final double MAX_SPEED = 1.15;

  private static final double RAMP_PER_SECOND = 0.1;
  private static final double BEST_EFFICIENCY = 0.62;
  private static final double MAX_FLOW_RATIO = 1.8;
  private static final double MOTOR_EFFICIENCY = 0.86;
  private static final double FIXED_LOSS_WATT = 60;
  private static final double VOLT = 400;
  private static final double MAGNETISING_AMPERE = 1.6;

  private static final double REQUIRED_SUCTION_RISE = 2e5;
  private static final double CAVITATION_HEAD_LOSS = 0.5;
  private static final double CAVITATION_SHAKE = 0.3;
  private static final double CAVITATION_SECONDS = 0.5;

  private static final double WEAR_SECONDS = 120;
  private static final double LOAD_MOMENT = 0.07;
  private static final double WEAR_MOMENT = 1.8;
  private static final double LUBRICANT_MOMENT = 0.035;
  private static final double BEARING_WATT_PER_KELVIN = 0.65;
  private static final double BEARING_JOULE_PER_KELVIN = 110;

  private final Curve curve;
  private final RandomGenerator random;
  private double wantedSpeed;
  private double speed;
  private double flow;
  private double head;
  private double cavitation;
  private double wear;
  private boolean wearing;
  private double bearing;

  Pump(Curve curve, double speed, double room, RandomGenerator random) {
    this.curve = curve;
    this.random = random;
    this.wantedSpeed = speed;
    this.speed = speed;
    this.bearing = room;
  }

  /** Sets the speed that the converter ramps to, relative to nominal. */
  void want(double newSpeed) {
    wantedSpeed = Math.clamp(newSpeed, 0, MAX_SPEED);
  }

  /** Whether the bearing wears now; a bearing that no longer does has been replaced. */
  void setWearing(boolean on) {
    wearing = on;
    wear = on ? wear : 0;
  }

  /**
   * The flow against a static head and a resistance, where pump curve and system curve meet. There
   * is a check valve: it never flows back.
   *
   * @param limit what the vessel before it can give, m³/s
   */
  double pump(double staticHead, double resistance, double limit) {
    double shake = 1 + CAVITATION_SHAKE * random.nextGaussian();
    double lost = Math.clamp(CAVITATION_HEAD_LOSS * cavitation * shake, 0, 1);
    double shutOff = curve.shutOffHead() * speed * speed * (1 - lost);
    double surplus = Math.max(0, shutOff - staticHead);
    flow = Math.min(Math.sqrt(surplus / (curve.headLoss() + resistance)), limit);
    head = Math.max(0, shutOff - curve.headLoss() * flow * flow);
    return flow;
  }

  /**
   * Lets time pass.
   *
   * @param suctionHead the net positive suction head available, metres
   * @param room the temperature around it
   */
  void step(double seconds, double suctionHead, double room) {
    double ramp = RAMP_PER_SECOND * seconds;
    speed += Math.clamp(wantedSpeed - speed, -ramp, ramp);
    double required = curve.requiredSuctionHead() + REQUIRED_SUCTION_RISE * flow * flow;
    double lacking = Math.clamp((required - suctionHead) / required, 0, 1);
    cavitation += (lacking - cavitation) * Math.min(1, seconds / CAVITATION_SECONDS);
    if (wearing) {
      wear += (1 - wear) * seconds / WEAR_SECONDS;
    }
    double loss = frictionWatt() - BEARING_WATT_PER_KELVIN * (bearing - room);
    bearing += loss * seconds / BEARING_JOULE_PER_KELVIN;
  }

  private double frictionWatt() {
    double moment =
        LOAD_MOMENT * (1 + WEAR_MOMENT * wear) + LUBRICANT_MOMENT * Math.pow(speed, 2.0 / 3);
    return moment * speed * NOMINAL_RPM * 2 * Math.PI / 60;
  }

  double flow() {
    return flow;
  }

  double head() {
    return head;
  }

  double speed() {
    return speed;
  }

  double wear() {
    return wear;
  }

  double cavitation() {
    return cavitation;
  }

  double bearingTemperature() {
    return bearing;
  }

  private double flowRatio() {
    return speed == 0 ? 0 : Math.min(flow / (curve.bestFlow() * speed), MAX_FLOW_RATIO);
  }

  double efficiency() {
    double q = flowRatio();
    return BEST_EFFICIENCY * q * (2 - q) * (1 - CAVITATION_HEAD_LOSS * cavitation);
  }

  private double shaftWatt() {
    return Water.DENSITY
            * Water.GRAVITY
            * curve.bestFlow()
            * speed
            * head
            / (BEST_EFFICIENCY * (1 - CAVITATION_HEAD_LOSS * cavitation) * (2 - flowRatio()))
        + frictionWatt();
  }

  /** What the motor takes from the mains, watts. */
  double electricWatt() {
    return shaftWatt() / MOTOR_EFFICIENCY + FIXED_LOSS_WATT * speed * speed * speed;
  }

  /** Per phase, ampere. */
  double current() {
    double active = electricWatt() / (Math.sqrt(3) * VOLT);
    return speed == 0 ? 0 : Math.hypot(active, MAGNETISING_AMPERE);
  }

  /** Millimetres per second, root mean square, as in ISO 20816. */
  double vibration() {
    double square = speed * speed;
    double unbalance = 1.2 * square;
    double worn = 6 * wear * speed;
    double bubbles = 12 * cavitation * speed;
    double offBest = 1.5 * Math.abs(flowRatio() - 1) * square;
    return Math.hypot(Math.hypot(unbalance, worn), Math.hypot(bubbles, offBest));
  }
}
