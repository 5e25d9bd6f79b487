package io.sedge.center.internal.server;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Keeps a second center out of a directory; the system gives it back when the process ends. */
public final class DirectoryLock implements AutoCloseable {
  private final FileChannel channel;

  private DirectoryLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Takes it.
   *
   * @throws IOException if another has it
   */
  public static DirectoryLock take(Path directory) throws IOException {
    FileChannel channel =
        FileChannel.open(
            directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
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
    return new DirectoryLock(channel);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
