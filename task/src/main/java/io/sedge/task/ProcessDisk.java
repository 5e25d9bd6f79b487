package io.sedge.task;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What this process has written to disks, as the operating system counts it (Linux). Any thread.
 */
public final class ProcessDisk {
  private static final Path COUNTS = Path.of("/proc/self/io");
  private static final String WRITTEN = "write_bytes: ";

  private ProcessDisk() {}

  /**
   * Bytes that the process had written to storage since it began, in whole pages; what was written
   * to a file system in memory does not count (proc(5)). -1 if the system does not say.
   */
  public static long writtenBytes() {
    if (Files.isReadable(COUNTS)) {
      try {
        for (String line : Files.readAllLines(COUNTS, StandardCharsets.ISO_8859_1)) {
          if (line.startsWith(WRITTEN)) {
            return Long.parseLong(line.substring(WRITTEN.length()).strip());
          }
        }
      } catch (IOException e) {
        return -1; // As where there is no such file: some containers deny it.
      }
    }
    return -1;
  }
}
