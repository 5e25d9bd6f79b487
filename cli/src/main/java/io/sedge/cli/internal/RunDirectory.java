package io.sedge.cli.internal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * A directory of one run in the data directory, which goes when the run ends. What a process has
 * left that was killed is removed by the next one: it holds no lock any more. Several runs may have
 * one data directory.
 */
final class RunDirectory implements AutoCloseable {
  private static final String LOCK = "lock";

  private final Path path;
  private final FileChannel lock;

  private RunDirectory(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /**
   * Makes one.
   *
   * @param parent has such directories, and nothing else
   */
  static RunDirectory make(Path parent) throws IOException {
    Files.createDirectories(parent);
    removeAbandoned(parent);
    Path path = Files.createTempDirectory(parent, "run-");
    FileChannel lock =
        FileChannel.open(
            path.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    FileLock _ = lock.lock();
    return new RunDirectory(path, lock);
  }

  private static void removeAbandoned(Path parent) throws IOException {
    for (Path left : list(parent)) {
      try (FileChannel lock = FileChannel.open(left.resolve(LOCK), StandardOpenOption.WRITE)) {
        if (lock.tryLock() != null) {
          remove(left);
        }
      } catch (IOException | OverlappingFileLockException _) {
        // It is being made or removed by another process, or is one of this process.
      }
    }
  }

  /** Its lock goes last: what has none is not looked at. */
  private static void remove(Path directory) throws IOException {
    for (Path file : list(directory)) {
      if (!file.endsWith(LOCK)) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(directory.resolve(LOCK));
    Files.deleteIfExists(directory);
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.toList();
    }
  }

  /** A file of this run. */
  Path resolve(String file) {
    return path.resolve(file);
  }

  @Override
  public void close() throws IOException {
    try (lock) {
      remove(path);
    }
  }
}
