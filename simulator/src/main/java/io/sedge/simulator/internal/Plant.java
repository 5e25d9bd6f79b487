package io.sedge.simulator.internal;

import java.util.random.RandomGenerator;

/**
 * The plant: well → pump-1 → filter-1 → tank-1 (heated) → pump-2 → valve-1 → tank-2 → valve-2 →
 * consumers.
 *
 * <p>Flows follow from the heads at once (water does not compress, pipes are short); levels,
 * temperatures, speeds and positions are integrated with explicit Euler steps of {@link #STEP}
 * seconds, far below the fastest of their time constants. Controllers see what the transmitters
 * say, not the truth: a transmitter that drifts misleads them.
 */
final class Plant {
  /** Seconds. */
  static final double STEP = 0.02;

  static final double TANK_HEIGHT = 2.5;
  static final double HEATER_WATT = 250_000;

  private static final double TANK_AREA = 0.5;
  private static final double TANK_WATT_PER_KELVIN = 40;
  private static final double ROOM = 22;
  private static final double WELL = 12;

  // Elevations, in metres above the pumps.
  private static final double WELL_SURFACE = 3;
  private static final double TANK_1_INLET = 11;
  private static final double TANK_1_FLOOR = 2;
  private static final double TANK_2_INLET = 8.5;
  private static final double TANK_2_FLOOR = 6;

  // Resistances of pipes, in metres of head per (m³/s)².
  private static final double PIPE_1 = 1.5e5;
  private static final double PIPE_2 = 1.6e5;
  private static final double PIPE_OUT = 8e4;
  private static final double CLEAN_FILTER = 4e4;
  private static final double SUCTION = 1.2e4;

  private static final double BLOCKED_TIMES = 60;
  private static final double BLOCKING_SECONDS = 60;
  private static final double STRAINER_TIMES = 100;

  private static final double HOLE_AREA = 5e-4;
  private static final double HOLE_COEFFICIENT = 0.62;

  private static final double DEMAND_SECONDS = 600;
  private static final double DEMAND_SWING = 0.25;
  private static final double DEMAND_NOISE = 0.02;
  private static final double DEMAND_NOISE_SECONDS = 30;

  private final RandomGenerator random;
  final Pump pump1;
  final Pump pump2;
  final ControlValve valve1 = new ControlValve(75, 0.8);
  final ControlValve valve2 = new ControlValve(60, 0.77);
  final Tank tank1 = new Tank(TANK_AREA, TANK_HEIGHT, TANK_WATT_PER_KELVIN, 1.5, 18);
  final Tank tank2 = new Tank(TANK_AREA, TANK_HEIGHT, TANK_WATT_PER_KELVIN, 1.2, 18);
  final Controller level1 = new Controller(0.6, 60, 0.3, Pump.MAX_SPEED, 1.5, 0.85);
  final Controller level2 = new Controller(0.8, 60, 0.05, 1, 1.2, 0.8);
  final Controller heat1 = new Controller(60_000, 120, 0, HEATER_WATT, 18, 125_000);

  private double time;
  private double filterBlocked;
  private boolean filterBlocking;
  private boolean strainerBlocked;
  private boolean leaking;
  private double demandNoise;
  private double heaterWatt;
  private double leak;
  private double out;

  Plant(RandomGenerator random) {
    this.random = random;
    pump1 = new Pump(new Pump.Curve(26, 2.4e5, 0.005, 4), 0.85, ROOM, random);
    pump2 = new Pump(new Pump.Curve(22, 2.0e5, 0.005, 4), 0.9, ROOM, random);
  }

  /** What the transmitters say that the controllers listen to. */
  record Measured(double level1, double level2, double temperature1) {}

  void step(Measured measured) {
    time += STEP;
    control(measured);
    double in = pump1.pump(TANK_1_INLET - WELL_SURFACE, PIPE_1 + filterResistance(), 1);
    double available = tank1.available(STEP);
    leak = leaking ? Math.min(hole(), available / 2) : 0;
    double between =
        pump2.pump(
            TANK_2_INLET - TANK_1_FLOOR - tank1.level(),
            PIPE_2 + valve1.resistance() + suctionResistance(),
            available - leak);
    out =
        Math.min(
            Math.sqrt((TANK_2_FLOOR + tank2.level()) / (PIPE_OUT + valve2.resistance() * demand())),
            tank2.available(STEP));
    tank1.step(STEP, in, WELL, between + leak, heaterWatt, ROOM);
    tank2.step(STEP, between, tank1.temperature(), out, 0, ROOM);
    pump1.step(STEP, Water.boilingMargin(WELL) + WELL_SURFACE, ROOM);
    pump2.step(STEP, suctionHead() + Water.boilingMargin(tank1.temperature()), ROOM);
    valve1.step(STEP);
    valve2.step(STEP);
    if (filterBlocking) {
      filterBlocked += (1 - filterBlocked) * STEP / BLOCKING_SECONDS;
    }
  }

  private void control(Measured measured) {
    pump1.want(level1.step(STEP, measured.level1()));
    valve1.want(level2.step(STEP, measured.level2()));
    double wanted = heat1.step(STEP, measured.temperature1());
    // It switches itself off before it runs dry.
    heaterWatt = tank1.level() < 0.2 ? 0 : wanted;
  }

  /** How hard it is for the consumers to take: a slow swing with a restlessness of its own. */
  private double demand() {
    demandNoise +=
        -demandNoise * STEP / DEMAND_NOISE_SECONDS
            + DEMAND_NOISE * Math.sqrt(2 * STEP / DEMAND_NOISE_SECONDS) * random.nextGaussian();
    return 1
        + DEMAND_SWING * Math.sin(2 * Math.PI * time / DEMAND_SECONDS)
        + Math.clamp(demandNoise, -DEMAND_SWING, DEMAND_SWING);
  }

  /** Torricelli's law with a discharge coefficient. */
  private double hole() {
    return HOLE_COEFFICIENT * HOLE_AREA * Math.sqrt(2 * Water.GRAVITY * tank1.level());
  }

  private double filterResistance() {
    return CLEAN_FILTER * (1 + BLOCKED_TIMES * filterBlocked);
  }

  private double suctionResistance() {
    return strainerBlocked ? SUCTION * STRAINER_TIMES : SUCTION;
  }

  void setFilterBlocking(boolean on) {
    filterBlocking = on;
    filterBlocked = on ? filterBlocked : 0;
  }

  void setStrainerBlocked(boolean on) {
    strainerBlocked = on;
  }

  void setLeaking(boolean on) {
    leaking = on;
  }

  /** Gauge, metres of head, before pump-2. */
  double suctionHead() {
    return TANK_1_FLOOR + tank1.level() - suctionResistance() * pump2.flow() * pump2.flow();
  }

  double filterHead() {
    return filterResistance() * pump1.flow() * pump1.flow();
  }

  double heaterWatt() {
    return heaterWatt;
  }

  /** m³/s. */
  double leak() {
    return leak;
  }

  /** To the consumers, m³/s. */
  double out() {
    return out;
  }

  /** Before the filter, gauge, metres of head. */
  double discharge1() {
    return WELL_SURFACE + pump1.head();
  }

  double discharge2() {
    return suctionHead() + pump2.head();
  }

  double time() {
    return time;
  }
}
