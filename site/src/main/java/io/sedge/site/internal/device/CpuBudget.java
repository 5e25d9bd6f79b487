package io.sedge.site.internal.device;

import io.sedge.task.ProcessorQuota;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.LongSupplier;

/**
 * The processor time that all tasks of a device may use together: a token bucket that time fills
 * and tasks empty. Tasks share it as they come. Any thread.
 *
 * <p>What other threads use (the network's, the ledger's) is not counted; a hard limit for all is
 * the operating system's matter (systemd's CPUQuota).
 */
final class CpuBudget {
  /**
   * Of time that was not used, so much can be made up for: longer than it takes from the end of a
   * part of a bounded job until the next is begun.
   */
  private static final long BURST_NANOS = 500_000_000;

  /**
   * One turn or opening may take more than the budget of so much time; the rest of it is forgiven,
   * so that a device of a hundredth of a processor is not silent for half a minute after its start.
   */
  private static final long LONGEST_REST_NANOS = 2_000_000_000;

  private double cpus;
  private final LongSupplier nanoClock;
  private final LongSupplier threadCpu;
  private double credit;
  private long filledNanos;

  /**
   * @param cpus processors, 0.5 for half the time of one
   * @param nanoClock monotonic
   */
  CpuBudget(double cpus, LongSupplier nanoClock) {
    this(cpus, nanoClock, threadCpuClock());
  }

  CpuBudget(double cpus, LongSupplier nanoClock, LongSupplier threadCpu) {
    this.cpus = cpus;
    this.nanoClock = nanoClock;
    this.threadCpu = threadCpu;
    this.filledNanos = nanoClock.getAsLong();
  }

  private static LongSupplier threadCpuClock() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return threads.isCurrentThreadCpuTimeSupported() ? threads::getCurrentThreadCpuTime : () -> 0;
  }

  /**
   * For one task, whose thread makes all calls. What the thread has used before the first of them,
   * to open the task, is taken from the budget; the task's own time begins there.
   */
  ProcessorQuota pace() {
    return new TaskPace();
  }

  /**
   * Changes what they may use.
   *
   * @param now processors, more than 0
   */
  synchronized void allow(double now) {
    cpus = now;
  }

  private synchronized long take(long usedNanos) {
    long now = nanoClock.getAsLong();
    double filled = Math.min(credit + (now - filledNanos) * cpus, BURST_NANOS * cpus);
    credit = Math.max(filled - usedNanos, -LONGEST_REST_NANOS * cpus);
    filledNanos = now;
    return credit >= 0 ? 0 : (long) Math.ceil(-credit / cpus);
  }

  private final class TaskPace implements ProcessorQuota {
    private boolean started;
    private long last;
    private volatile long used;

    @Override
    public long restNanos() {
      long now = threadCpu.getAsLong();
      long since = now - last;
      last = now;
      if (started) {
        long total = used + since; // Written by this thread alone.
        used = total;
      }
      started = true;
      return take(since);
    }

    @Override
    public long cpuNanos() {
      return used;
    }
  }
}
