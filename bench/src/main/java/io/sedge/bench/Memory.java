package io.sedge.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The memory of processes, from Linux's {@code /proc}. */
public final class Memory {
  private static final double KIB_PER_MB = 1e6 / 1024;

  private Memory() {}

  /** The most that a process has had in memory, in MB; NaN where the kernel does not tell. */
  public static double peakResidentMb(String process) {
    return statusMb(process, "VmHWM:");
  }

  private static double statusMb(String process, String field) {
    try {
      for (String line : Files.readAllLines(Path.of("/proc", process, "status"))) {
        if (line.startsWith(field)) {
          return Long.parseLong(line.replaceAll("[^0-9]", "")) / KIB_PER_MB;
        }
      }
    } catch (IOException e) {
      return Double.NaN; // not Linux, or the process is gone
    }
    return Double.NaN;
  }
}
