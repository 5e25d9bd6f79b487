package io.sedge.learning.tensorflow.internal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.util.Comparator;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A temporary directory, for the user of this process alone, that is removed when it is closed. Any
 * thread.
 *
 * <p>A process that is killed leaves its directories. The next one removes those whose lock nobody
 * holds. Neither their age nor the number of their process would say that: gateways without a clock
 * chip begin in another year, and in a container each process has the same number.
 */
final class OwnDirectory implements AutoCloseable {
  private static final String NAME = "sedge-saved-model-";
  private static final String LOCK = "lock";
  private static final String CONTENT = "content";
  private static final int MOST_TRIES = 10;

  /**
   * In the names of this process's directories. It must not open their locks again: for Linux the
   * first to be closed would end both.
   */
  private static final String PROCESS = UUID.randomUUID().toString();

  private final Path directory;
  private final FileChannel lock;

  private OwnDirectory(Path directory, FileChannel lock) {
    this.directory = directory;
    this.lock = lock;
  }

  /** Makes one, and removes what processes of the same user have left. */
  static OwnDirectory make() throws IOException {
    return make(Path.of(System.getProperty("java.io.tmpdir")));
  }

  /**
   * The same.
   *
   * @param parent where it is made
   */
  static OwnDirectory make(Path parent) throws IOException {
    OwnDirectory made = lock(parent);
    removeLeftovers(parent, Files.getOwner(made.directory));
    return made;
  }

  /** Another process may take one for a leftover until it is locked. */
  private static OwnDirectory lock(Path parent) throws IOException {
    for (int i = 0; i < MOST_TRIES; i++) {
      Path directory = Files.createTempDirectory(parent, NAME + PROCESS).toRealPath();
      try {
        FileChannel channel =
            FileChannel.open(
                directory.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        if (channel.tryLock() != null && Files.exists(directory)) {
          return new OwnDirectory(directory, channel);
        }
        channel.close();
      } catch (NoSuchFileException _) {
        // It was taken for a leftover.
      }
    }
    throw new IOException("other processes remove what is made in " + parent);
  }

  /** Where files may be put, a directory that is not there yet; of use until this is closed. */
  Path content() {
    return directory.resolve(CONTENT);
  }

  @Override
  public void close() {
    remove(directory);
    try {
      lock.close();
    } catch (IOException _) {
      // The file is gone, and nobody waits for it.
    }
  }

  /**
   * Removes what processes have left.
   *
   * @param owner whose: in others' directories a name may lead elsewhere from one moment to the
   *     next
   */
  static void removeLeftovers(Path parent, UserPrincipal owner) {
    try (DirectoryStream<Path> found = Files.newDirectoryStream(parent, NAME + "*")) {
      for (Path each : found) {
        if (!String.valueOf(each.getFileName()).startsWith(NAME + PROCESS)) {
          removeIfLeft(each, owner);
        }
      }
    } catch (IOException _) {
      // The next process tries again.
    }
  }

  private static void removeIfLeft(Path directory, UserPrincipal owner) {
    try {
      if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
          && Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS).equals(owner)) {
        removeUnlessLocked(directory);
      }
    } catch (IOException _) {
      // The next process tries again.
    }
  }

  private static void removeUnlessLocked(Path directory) throws IOException {
    try (FileChannel channel =
            FileChannel.open(
                directory.resolve(LOCK), StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        FileLock lock = channel.tryLock()) {
      if (lock != null) {
        remove(directory);
      }
    } catch (NoSuchFileException _) {
      Files.deleteIfExists(directory); // Of a process that came no further, or is about to lock it.
    } catch (OverlappingFileLockException _) {
      // Another thread is removing it.
    }
  }

  /** The lock goes last: what has none is empty. */
  private static void remove(Path directory) {
    try {
      Path content = directory.resolve(CONTENT);
      if (Files.exists(content)) {
        try (Stream<Path> files = Files.walk(content)) {
          for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
            Files.deleteIfExists(file);
          }
        }
      }
      Files.deleteIfExists(directory.resolve(LOCK));
      Files.deleteIfExists(directory);
    } catch (IOException _) {
      // It costs some room among the temporary files.
    }
  }
}
