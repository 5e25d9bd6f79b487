package io.sedge.bench.outside;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;

/**
 * Counts what processes write to files, and how often they bring it to the disk: fsync, fdatasync
 * and the like. A library of some lines of C is loaded into each process before the C library and
 * counts into a file. Without a C compiler, or elsewhere than on Linux, nothing is counted. Any
 * thread.
 */
public final class WriteCounter {
  private static final String SOURCE = "writes.c";
  private static final String LIBRARY = "writes.so";

  private final Path directory;
  private final boolean works;

  /**
   * What a process has written.
   *
   * @param syncs how often it brought data to the disk
   * @param bytes to regular files
   * @param pageBytes the same in whole pages of 4 KiB, which is what a disk has to take at least
   */
  record Count(long syncs, long bytes, long pageBytes) {
    static final int BYTES = 3 * Long.BYTES;
  }

  private WriteCounter(Path directory, boolean works) {
    this.directory = directory;
    this.works = works;
  }

  /**
   * Compiles the library.
   *
   * @param directory for it and the counts; is made
   */
  public static WriteCounter in(Path directory) throws IOException {
    Files.createDirectories(directory);
    Path absolute = directory.toAbsolutePath();
    try (InputStream source = WriteCounter.class.getResourceAsStream(SOURCE)) {
      if (source == null || !Files.exists(Path.of("/proc/self/maps"))) {
        return new WriteCounter(absolute, false);
      }
      Files.copy(source, absolute.resolve(SOURCE), StandardCopyOption.REPLACE_EXISTING);
    }
    return new WriteCounter(absolute, compiles(absolute));
  }

  private static boolean compiles(Path directory) throws IOException {
    try {
      Process compiler =
          new ProcessBuilder("gcc", "-O2", "-shared", "-fPIC", "-pthread", "-o", LIBRARY, SOURCE)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("gcc.log").toFile())
              .start();
      return compiler.waitFor() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (IOException e) {
      return false; // there is no gcc
    }
  }

  /** Whether anything is counted; if not, why is in {@code gcc.log} of the directory. */
  public boolean works() {
    return works;
  }

  /** Environment variables of the processes that are to be counted. */
  public Map<String, String> environment() {
    return works
        ? Map.of(
            "LD_PRELOAD",
            directory.resolve(LIBRARY).toString(),
            "SEDGE_BENCH_WRITES",
            directory.toString())
        : Map.of();
  }

  /** What a process has written so far; nothing, if that is not counted. */
  Count count(long process) throws IOException {
    if (works) {
      try {
        byte[] bytes = Files.readAllBytes(directory.resolve(Long.toString(process)));
        if (bytes.length >= Count.BYTES) {
          ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
          return new Count(buffer.getLong(), buffer.getLong(), buffer.getLong());
        }
      } catch (NoSuchFileException e) {
        // It has written nothing yet.
      }
    }
    return new Count(0, 0, 0);
  }
}
