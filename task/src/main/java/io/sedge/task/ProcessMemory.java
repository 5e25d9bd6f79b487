package io.sedge.task;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The memory of this process, as the operating system counts it where it says so (Linux), else the
 * heap in use.
 */
public final class ProcessMemory {
  private static final Path STATUS = Path.of("/proc/self/status");

  private ProcessMemory() {}

  /** Bytes resident at the highest point so far. */
  public static long peakBytes() {
    return field("VmHWM:");
  }

  /** Bytes resident now. */
  public static long residentBytes() {
    return field("VmRSS:");
  }

  private static long field(String name) {
    if (Files.isReadable(STATUS)) {
      try {
        for (String line : Files.readAllLines(STATUS, StandardCharsets.ISO_8859_1)) {
          if (line.startsWith(name)) {
            return Long.parseLong(line.replaceAll("\\D", "")) << 10;
          }
        }
      } catch (IOException e) {
        return heap();
      }
    }
    return heap();
  }

  private static long heap() {
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
