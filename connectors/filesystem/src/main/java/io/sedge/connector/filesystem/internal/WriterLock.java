package io.sedge.connector.filesystem.internal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A locked file, {@code .part-writer.lock} in the table's directory, that says that the writer of
 * the files {@code .part-writer-0.inprogress}, {@code -1} … lives. Where the file system has no
 * locks, nobody can know, and such files are left alone.
 */
final class WriterLock implements AutoCloseable {
  private static final String SUFFIX = ".lock";
  private static final int MAX_ATTEMPTS = 100;

  /**
   * Those that this process has or is taking. The one thing of the process, not of an object, for
   * the system's locks are so too: closing any channel of such a file gives its lock back.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;

  private WriterLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  static boolean isLock(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.startsWith(PartFile.PREFIX) && name.endsWith(SUFFIX);
  }

  /** The writer that a hidden file, a lock or one in progress, is named after. */
  static String writer(Path hidden) {
    String name = String.valueOf(hidden.getFileName());
    int end = isLock(hidden) ? name.length() - SUFFIX.length() : name.lastIndexOf('-');
    return name.substring(PartFile.PREFIX.length(), Math.max(end, PartFile.PREFIX.length()));
  }

  /** Takes the lock of a new writer. */
  static WriterLock begin(Path directory, String writer) throws IOException {
    Path file = file(directory, writer);
    for (int attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
      WriterLock lock = tryTake(file);
      if (lock != null) {
        return lock;
      }
      Thread.onSpinWait();
    }
    // Without locks: the others leave its files alone.
    HELD.add(file);
    return new WriterLock(file, open(file));
  }

  /** Takes the lock of a writer that may have died; null if it lives. */
  static @Nullable WriterLock takeOver(Path directory, String writer) throws IOException {
    return tryTake(file(directory, writer));
  }

  private static @Nullable WriterLock tryTake(Path file) throws IOException {
    if (!HELD.add(file)) {
      return null;
    }
    FileChannel channel = null;
    boolean taken = false;
    try {
      channel = open(file);
      // Another sink that starts now may have taken it for a dead one's, and deleted it.
      taken = isLocked(channel) && Files.exists(file);
      return taken ? new WriterLock(file, channel) : null;
    } finally {
      if (!taken) {
        HELD.remove(file);
        close(channel);
      }
    }
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  private static void close(@Nullable FileChannel channel) throws IOException {
    if (channel != null) {
      channel.close();
    }
  }

  private static Path file(Path directory, String writer) {
    return directory.resolve(PartFile.PREFIX + writer + SUFFIX).toAbsolutePath().normalize();
  }

  private static boolean isLocked(FileChannel channel) {
    try {
      return channel.tryLock() != null;
    } catch (IOException | OverlappingFileLockException e) {
      return false;
    }
  }

  /** There is nothing of this writer any more. */
  @Override
  public void close() throws IOException {
    try (channel) {
      Files.deleteIfExists(file);
    } finally {
      HELD.remove(file);
    }
  }
}
