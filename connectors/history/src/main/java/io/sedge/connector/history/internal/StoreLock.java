package io.sedge.connector.history.internal;

import io.sedge.connector.ConnectorException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Says that somebody writes a store; ends with the process at the latest. */
final class StoreLock implements AutoCloseable {
  private static final String NAME = "lock";
  private static final long PAUSE_MS = 20;

  private final FileChannel channel;

  private StoreLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Takes the lock of a store, whose directory is made; null if somebody has it. */
  static @Nullable StoreLock tryTake(Path directory) throws IOException {
    Files.createDirectories(directory);
    FileChannel channel =
        FileChannel.open(
            directory.resolve(NAME), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() != null) {
        return new StoreLock(channel);
      }
    } catch (OverlappingFileLockException e) {
      // Somebody in this process has it.
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    channel.close();
    return null;
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
    channel.close();
  }
}
