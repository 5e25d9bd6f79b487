package io.sedge.center.internal.server;

import io.sedge.identity.SecretFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A center's directory, which it has for itself: nobody else may enter it, no second center runs in
 * it, and it was empty when the first one began. The system gives it back when the process ends.
 */
public final class CenterDirectory implements AutoCloseable {
  private static final String LOCK = "lock";

  /** What a directory has in which a center has begun, or which was put back from a copy. */
  private static final List<String> MARKS = List.of(LOCK, "authority");

  /** What a file system has that begins in the directory. */
  private static final String LOST_AND_FOUND = "lost+found";

  private static final int MAX_NAMED = 3;

  private final FileChannel channel;

  /** What was not there before, the deepest first. */
  private final List<Path> made;

  private boolean forgotten;

  private CenterDirectory(FileChannel channel, List<Path> made) {
    this.channel = channel;
    this.made = made;
  }

  /**
   * Makes it if it is not there, and takes it.
   *
   * @throws IOException if another center has it, or it has files of others
   */
  public static CenterDirectory take(Path directory) throws IOException {
    refuseForeign(directory);
    List<Path> made = missing(directory);
    SecretFiles.makeDirectory(directory);
    FileChannel channel =
        FileChannel.open(
            directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    @Nullable FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException _) {
      // Another one of this process.
    }
    if (lock == null) {
      channel.close();
      throw new IOException("another center runs in it");
    }
    return new CenterDirectory(channel, made);
  }

  private static List<Path> missing(Path directory) {
    List<Path> missing = new ArrayList<>();
    for (Path path = directory.toAbsolutePath().resolve(LOCK);
        path != null && !Files.exists(path);
        path = path.getParent()) {
      missing.add(path);
    }
    return missing;
  }

  /** Has what was made of it go when it is closed, if nothing else is in it then. */
  public void forget() {
    forgotten = true;
  }

  /** Has it stay after all. */
  public void keep() {
    forgotten = false;
  }

  /** Whoever names the wrong directory is to find it as it was. */
  private static void refuseForeign(Path directory) throws IOException {
    if (!Files.isDirectory(directory)
        || MARKS.stream().anyMatch(mark -> Files.exists(directory.resolve(mark)))) {
      return;
    }
    try (Stream<Path> files = Files.list(directory)) {
      List<String> foreign =
          files
              .map(file -> String.valueOf(file.getFileName()))
              .filter(name -> !name.equals(LOST_AND_FOUND))
              .sorted()
              .limit(MAX_NAMED)
              .toList();
      if (!foreign.isEmpty()) {
        throw new IOException(
            "it has files of others (%s), and a center needs a directory of its own"
                .formatted(String.join(", ", foreign)));
      }
    }
  }

  @Override
  public void close() throws IOException {
    try (channel) {
      if (forgotten) {
        for (Path path : made) {
          Files.delete(path);
        }
      }
    } catch (DirectoryNotEmptyException _) {
      // Somebody else has put something there.
    }
  }
}
