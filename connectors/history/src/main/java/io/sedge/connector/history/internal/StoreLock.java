package io.sedge.connector.history.internal;

import io.sedge.connector.ConnectorException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Says that somebody writes a store; ends with the process at the latest.
 *
 * <p>A lock file may be deleted with its store by who has the lock, so who gets the lock of a file
 * looks whether that is still the one of its name.
 */
final class StoreLock implements AutoCloseable {
  private static final String NAME = "lock";
  private static final long PAUSE_MS = 20;

  /** Files come and go while they are looked at; never so often. */
  private static final int MAX_ATTEMPTS = 10;

  /**
   * The lock files that this process has locked. The one thing of the process, not of an object,
   * for the system's locks are so too: closing any channel of such a file gives its lock back.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;

  private StoreLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** Takes the lock of a store, whose directory is made; null if somebody has it. */
  static @Nullable StoreLock tryTake(Path directory) throws IOException {
    Path file = directory.resolve(NAME).toAbsolutePath().normalize();
    if (!HELD.add(file)) {
      return null;
    }
    FileChannel channel = null;
    try {
      channel = locked(file);
      return channel == null ? null : new StoreLock(file, channel);
    } finally {
      if (channel == null) {
        HELD.remove(file);
      }
    }
  }

  private static @Nullable FileChannel locked(Path file) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return lockedOnce(file);
      } catch (NoSuchFileException | FileAlreadyExistsException e) {
        if (attempt == MAX_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /**
   * @throws NoSuchFileException if the file or its directory was deleted meanwhile
   * @throws FileAlreadyExistsException the same, where the directory was to be made
   */
  private static @Nullable FileChannel lockedOnce(Path file) throws IOException {
    Files.createDirectories(file.resolveSibling(".").normalize());
    try {
      Files.createFile(file);
    } catch (FileAlreadyExistsException e) {
      // As a rule.
    }
    Object key = key(file);
    FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
    boolean taken = false;
    try {
      if (channel.tryLock() == null) {
        return null;
      }
      if (!Objects.equals(key, key(file))) {
        throw new NoSuchFileException(file.toString());
      }
      taken = true;
      return channel;
    } catch (OverlappingFileLockException e) {
      return null; // Somebody in this process has it under another name.
    } finally {
      if (!taken) {
        channel.close();
      }
    }
  }

  /** Which file has the name now; null where the system does not tell. */
  private static @Nullable Object key(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  /**
   * Deletes the store's directory if there is nothing else in it; the lock is still to be closed.
   */
  void deleteEmptyStore() throws IOException {
    Path directory = file.resolveSibling(".").normalize();
    try (Stream<Path> others = Files.list(directory)) {
      if (key(file) == null || others.anyMatch(other -> !other.endsWith(NAME))) {
        return;
      }
    }
    Files.deleteIfExists(file);
    try {
      Files.deleteIfExists(directory);
    } catch (DirectoryNotEmptyException e) {
      return; // Somebody has begun to write it.
    }
  }

  /** Takes it when whoever has it is done. */
  static StoreLock take(Path directory, String table, Duration patience)
      throws IOException, InterruptedException {
    for (long left = patience.toMillis(); ; left -= PAUSE_MS) {
      StoreLock lock = tryTake(directory);
      if (lock != null) {
        return lock;
      }
      if (left <= 0) {
        throw new ConnectorException(
            ConnectorException.Kind.EXTERNAL,
            "table %s: another task keeps its readings in %s; end that, or give the job another name (SET 'pipeline.name')"
                .formatted(table, directory));
      }
      Thread.sleep(PAUSE_MS);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      HELD.remove(file);
    }
  }
}
