package io.sedge.connector.filesystem.internal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A locked file, {@code .part-writer.lock} in the table's directory, that says that the writer of
 * the files {@code .part-writer-0.inprogress}, {@code -1} … lives. Where the file system has no
 * locks, nobody can know, and such files are left alone.
 */
final class WriterLock implements AutoCloseable {
  private static final String SUFFIX = ".lock";
  private static final int MAX_ATTEMPTS = 100;

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
    for (int attempt = 1; ; attempt++) {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      // Another sink that starts now may have taken it for a dead one's, and deleted it.
      boolean taken = isLocked(channel) && Files.exists(file);
      if (taken || attempt == MAX_ATTEMPTS) {
        return new WriterLock(file, channel);
      }
      channel.close();
      Thread.onSpinWait();
    }
  }

  /** Takes the lock of a writer that may have died; null if it lives. */
  static @Nullable WriterLock takeOver(Path directory, String writer) throws IOException {
    Path file = file(directory, writer);
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (isLocked(channel)) {
      return new WriterLock(file, channel);
    }
    channel.close();
    return null;
  }

  private static Path file(Path directory, String writer) {
    return directory.resolve(PartFile.PREFIX + writer + SUFFIX);
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
    Files.deleteIfExists(file);
    channel.close();
  }
}
