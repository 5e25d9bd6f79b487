package io.sedge.site.internal.device;

import com.sun.management.OperatingSystemMXBean;
import io.sedge.placement.SpeedEstimator;
import java.lang.management.ManagementFactory;
import java.util.function.DoubleSupplier;

/**
 * The processors that tasks may use now: what this process uses, and what nobody uses while it can
 * run ({@link StallDetector}). On a machine that is busy with other work a device at rest uses next
 * to nothing and nobody leaves it anything; so it counts as having the turn that one thread more
 * gets beside those that want to run.
 *
 * <p>At most it is what the device was given; while the process can run for a part of the time
 * only, that part of it. Tasks are held to it, so that what is left of the time is not theirs
 * alone: the ledger would starve, and the device be taken for dead.
 *
 * <p>Measured twice a second and filtered, so that a loss counts after a second and a half, and a
 * gain after five at least, later if gains do not last ({@link SpeedEstimator}). One thread; the
 * value may be asked by any.
 */
final class CpuShare implements DoubleSupplier {
  static final long MEASURE_NANOS = 500_000_000;

  /** A part; whoever wants to run gets something. */
  private static final double LEAST = 0.01;

  /**
   * Where the process can run for less than this part of the time, tasks are held to it at once,
   * not when that is measured: else they take what the ledger needs, and others miss its reports.
   */
  private static final double SLOW = 0.5;

  /** What the process uses is not known of less: it may have run all of that time. */
  private static final long SHORTEST_NANOS = 150_000_000;

  /**
   * Who uses no more than this part of a processor, or of what it was given, has time enough even
   * if it is halted for most of it, so a beat a second does, and a measurement with each.
   */
  private static final double RESTING = 0.1;

  private static final long RESTING_BEAT_NANOS = 2 * MEASURE_NANOS;

  private final double cpus;
  private final CpuBudget budget;
  private final Machine machine;
  private final StallDetector stalls = new StallDetector();
  private final SpeedEstimator share = new SpeedEstimator();
  private boolean begun;
  private long measuredNanos;
  private long lastProcessNanos;

  /** {@link StallDetector#spells} when the budget was last set. */
  private int spells;

  /** Whether the process used little when that was last measured. */
  private boolean resting;

  private volatile double value;

  /** What the operating system tells. */
  interface Machine {
    int processors();

    /** The part of all processors that was in use since this was last asked; negative: unknown. */
    double load();

    /**
     * How many threads of the machine run or want to, on the average of about a minute; negative:
     * unknown.
     */
    double demand();

    /** The processor time that this process has used. */
    long processNanos();

    /** The one that this process runs on. */
    static Machine own() {
      OperatingSystemMXBean system =
          ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
      return new Machine() {
        @Override
        public int processors() {
          return system.getAvailableProcessors();
        }

        @Override
        public double load() {
          return system.getCpuLoad();
        }

        @Override
        public double demand() {
          return system.getSystemLoadAverage();
        }

        @Override
        public long processNanos() {
          return system.getProcessCpuTime();
        }
      };
    }
  }

  /**
   * @param cpus what the device was given
   * @param budget of the tasks, which are held to it
   */
  CpuShare(double cpus, CpuBudget budget, Machine machine) {
    this.cpus = cpus;
    this.budget = budget;
    this.machine = machine;
    this.value = cpus;
  }

  /**
   * Does what is to be done now.
   *
   * @param nowNanos a monotonic clock
   * @return for how long to wait, nanoseconds; whoever comes later makes it believe that the
   *     process could not run
   */
  long doWork(long nowNanos) {
    long wait =
        stalls.beat(nowNanos, resting ? RESTING_BEAT_NANOS : StallDetector.LONGEST_BEAT_NANOS);
    long elapsed = nowNanos - measuredNanos;
    if (!begun || elapsed >= MEASURE_NANOS) {
      measure(nowNanos);
    } else if (stalls.spells() != spells && elapsed >= SHORTEST_NANOS) {
      spells = stalls.spells();
      if (stalls.recent() < SLOW) {
        double uses = (double) (machine.processNanos() - lastProcessNanos) / elapsed;
        budget.allow(given(uses, stalls.recent()));
      }
    }
    return wait;
  }

  private void measure(long nowNanos) {
    double elapsed = nowNanos - measuredNanos;
    long process = machine.processNanos();
    double uses = (process - lastProcessNanos) / elapsed;
    measuredNanos = nowNanos;
    lastProcessNanos = process;
    double beating = stalls.take(nowNanos);
    double load = machine.load();
    boolean first = !begun;
    resting = !first && uses < RESTING * Math.min(cpus, 1);
    begun = true;
    spells = stalls.spells();
    if (!first) {
      double given = given(uses, beating);
      budget.allow(given);
      if (load >= 0) { // Not known in the first moments.
        double free = uses + machine.processors() * Math.max(LEAST, 1 - load);
        double possible = resting ? Math.max(free, turn() * beating) : free;
        boolean _ = share.add(Math.min(given, possible), 1);
        value = share.value();
      }
    }
  }

  /** What a scheduler that is fair to threads gives to one more; 0 where the demand is unknown. */
  private double turn() {
    double demand = machine.demand();
    return demand < 0 ? 0 : Math.min(1, machine.processors() / (demand + 1));
  }

  /** Threads of its own make beats late too, but then the process runs. */
  private double given(double uses, double beating) {
    int processors = machine.processors();
    double running = Math.clamp(Math.max(beating, uses / processors), LEAST, 1);
    return Math.min(cpus, processors) * running;
  }

  /** Processors: 0.5 is half the time of one. */
  @Override
  public double getAsDouble() {
    return value;
  }
}
