package io.sedge.site.internal.device;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.DoubleSupplier;

/**
 * The processors that this process may use now: what it uses itself and what nobody uses, at most
 * what it was given.
 */
final class CpuShare implements DoubleSupplier {
  private final double cpus;
  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  /**
   * @param cpus what it was given
   */
  CpuShare(double cpus) {
    this.cpus = cpus;
  }

  @Override
  public double getAsDouble() {
    double all = system.getCpuLoad();
    double own = system.getProcessCpuLoad();
    if (!(all >= 0 && own >= 0)) {
      return cpus; // Not known, as in the first moments.
    }
    double free = system.getAvailableProcessors() * Math.clamp(1 - all + own, 0.01, 1);
    return Math.min(cpus, free);
  }
}
