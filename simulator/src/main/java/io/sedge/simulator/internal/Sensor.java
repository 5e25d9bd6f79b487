package io.sedge.simulator.internal;

import io.sedge.simulator.Fault;
import io.sedge.simulator.SensorInfo;
import io.sedge.simulator.SensorReading;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * A sensor with its transmitter: truth, plus a bias that wanders a little and may drift, plus noise
 * for each reading, in steps of its resolution. It has a random generator of its own, so what it
 * gives does not depend on which others are read.
 */
final class Sensor {
  static final double MAX_RATE_HZ = 1000;
  static final double MIN_RATE_HZ = 0.01;

  private static final double DROPOUT_SHARE = 0.9;

  private final String zone;
  private final String machine;
  private final String quantity;
  private final String unit;
  private final double noise;
  private final double driftPerSecond;
  private final double resolution;
  private final DoubleSupplier truth;
  private final SplittableRandom random;
  private double rateHz;
  private long begun;
  private double epoch;
  private long sequence;
  private double bias;
  private boolean drifting;
  private boolean frozen;
  private boolean dropping;
  private double held;

  /**
   * @param noise standard deviation
   * @param resolution the step of what it shows
   * @param driftPerSecond how fast it drifts when it does
   */
  record Kind(String unit, double noise, double resolution, double driftPerSecond) {
    private static final double SLOW_SECONDS = 600;

    /** Drifts by its noise in a second. */
    Kind(String unit, double noise, double resolution) {
      this(unit, noise, resolution, noise);
    }

    /** Of what changes within hours: drifts by its noise in ten minutes. */
    static Kind slow(String unit, double noise, double resolution) {
      return new Kind(unit, noise, resolution, noise / SLOW_SECONDS);
    }
  }

  Sensor(String name, Kind kind, DoubleSupplier truth, long seed, double rateHz) {
    String[] parts = name.split("/", -1);
    this.zone = parts[0];
    this.machine = parts[1];
    this.quantity = parts[2];
    this.unit = kind.unit();
    this.noise = kind.noise();
    this.driftPerSecond = kind.driftPerSecond();
    this.resolution = kind.resolution();
    this.truth = truth;
    this.random = new SplittableRandom(seed ^ (name.hashCode() * 0x9E3779B97F4A7C15L));
    this.rateHz = rateHz;
  }

  String name() {
    return zone + "/" + machine + "/" + quantity;
  }

  SensorInfo info() {
    return new SensorInfo(zone, machine, quantity, unit, rateHz);
  }

  double truth() {
    return truth.getAsDouble();
  }

  /** What the transmitter says, without the noise of a reading. */
  double transmitted() {
    return frozen ? held : truth.getAsDouble() + bias;
  }

  double rateHz() {
    return rateHz;
  }

  /** From now on it is read so often, beginning one period from now. */
  void setRate(double hertz, double now) {
    rateHz = hertz;
    epoch = now;
    begun = 1;
  }

  /** Switches a fault of sensors on or off. */
  void apply(Fault fault, boolean on) {
    switch (fault) {
      case SENSOR_DRIFT -> {
        drifting = on;
        bias = on ? bias : 0;
      }
      case SENSOR_FROZEN -> {
        held = transmitted();
        frozen = on;
      }
      case SENSOR_DROPOUT -> dropping = on;
      default -> throw new IllegalArgumentException(fault + " befalls machines");
    }
  }

  void step(double seconds) {
    if (drifting) {
      bias += driftPerSecond * seconds;
    }
  }

  /**
   * Gives the readings that are due before a time.
   *
   * @param until seconds of simulated time
   * @param startMillis what the simulated clock showed at 0
   */
  void read(double until, long startMillis, Consumer<SensorReading> readings) {
    for (double due = due(); due < until; due = due()) {
      begun++;
      boolean missing = dropping && random.nextDouble() < DROPOUT_SHARE;
      double noisy = frozen ? held : transmitted() + noise * random.nextGaussian();
      if (!missing) {
        double shown = Math.round(noisy / resolution) * resolution;
        readings.accept(
            new SensorReading(
                name(), startMillis + Math.round(due * 1000), rounded(shown), ++sequence));
      }
    }
  }

  private double due() {
    return epoch + begun / rateHz;
  }

  /** Without the digits that only binary fractions have. */
  private static double rounded(double value) {
    return Math.round(value * 1e6) / 1e6;
  }
}
