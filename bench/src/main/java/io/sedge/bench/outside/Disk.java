package io.sedge.bench.outside;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a disk has taken so far, of the whole machine. */
public final class Disk {
  private static final int SECTOR = 512;

  /** Of the numbers in {@code stat}: sectors written (Documentation/block/stat.rst). */
  private static final int SECTORS_WRITTEN = 6;

  private Disk() {}

  /**
   * The bytes that were written to the disk of a directory, what the file system writes for itself
   * too; 0 where Linux does not tell, as in a file system in memory.
   */
  public static long writtenBytes(Path directory) throws IOException {
    long device = ((Number) Files.getAttribute(directory, "unix:dev")).longValue();
    long major = (device >> 8) & 0xfff;
    long minor = (device & 0xff) | ((device >> 12) & 0xfff00);
    Path statistics = Path.of("/sys/dev/block/%d:%d/stat".formatted(major, minor));
    if (!Files.isReadable(statistics)) {
      return 0;
    }
    String[] numbers = Files.readString(statistics).strip().split("\\s+", -1);
    return Long.parseLong(numbers[SECTORS_WRITTEN]) * SECTOR;
  }
}
