package io.sedge.connector.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The probes that read Linux's {@code /proc} and {@code /sys}. */
final class LinuxProbes {
  private LinuxProbes() {}

  /**
   * Opens those whose files are there; containers hide some.
   *
   * @param proc where the file system of that name is
   * @param sys where the file system of that name is
   */
  static List<Probe> open(Path proc, Path sys) throws IOException {
    List<Probe> probes = new ArrayList<>();
    if (Files.isReadable(proc.resolve("stat"))) {
      probes.add(new ProcessorProbe(proc));
    }
    if (Files.isReadable(proc.resolve("meminfo"))) {
      probes.add(new MemoryProbe(proc));
    }
    if (Files.isReadable(proc.resolve("loadavg"))) {
      probes.add(new LoadProbe(proc));
    }
    if (Files.isReadable(proc.resolve("diskstats"))) {
      probes.add(
          new CounterTableProbe(
              proc, CounterTableProbe.DISKS, (disk, counters) -> isDisk(sys, disk)));
    }
    if (Files.isReadable(proc.resolve("net/dev"))) {
      probes.add(
          new CounterTableProbe(
              proc, CounterTableProbe.NETWORK, (name, fields) -> isInUse(name, fields)));
    }
    probes.add(new HardwareMonitorProbe(sys));
    return probes;
  }

  /** Whole disks: partitions, loop devices, RAM disks and volumes made of disks have no device. */
  private static boolean isDisk(Path sys, String name) {
    return Files.exists(sys.resolve("block").resolve(name.replace('/', '!')).resolve("device"));
  }

  /** Interfaces that have carried something, the machine's talk to itself aside. */
  private static boolean isInUse(String name, double[] counters) {
    return !name.equals("lo") && counters[0] + counters[8] > 0;
  }
}
