package io.sedge.connector.filesystem.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A file that a sink writes: hidden and locked while it is in progress, {@code .part-x.inprogress},
 * and under its own name, {@code part-x}, once it is complete and on disk. Readers so never see
 * half of one. One thread.
 */
final class PartFile {
  private static final String PREFIX = ".part-";
  private static final String SUFFIX = ".inprogress";
  private static final int TAIL_BYTES = 1 << 16;

  private final Path hidden;
  private final FileChannel channel;
  private long sizeBytes;
  private boolean dirty;
  private final long openedMs;
  private long writtenMs;

  private PartFile(Path hidden, FileChannel channel, long nowMs) {
    this.hidden = hidden;
    this.channel = channel;
    this.openedMs = nowMs;
    this.writtenMs = nowMs;
  }

  /** Begins the file {@code part-name} in a directory that exists. */
  static PartFile begin(Path directory, String name, long nowMs) throws IOException {
    Path hidden = directory.resolve(PREFIX + name + SUFFIX);
    FileChannel channel =
        FileChannel.open(hidden, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    lock(channel);
    return new PartFile(hidden, channel, nowMs);
  }

  /** Says that somebody writes the file; where the file system has no locks, nobody can know. */
  private static @Nullable FileLock lock(FileChannel channel) {
    try {
      return channel.tryLock();
    } catch (IOException | OverlappingFileLockException e) {
      return null;
    }
  }

  /**
   * Appends all of the bytes or, if that fails, none of them.
   *
   * @throws IOException if writing failed; the file ends where it ended before
   */
  void append(ByteBuffer bytes, long nowMs) throws IOException {
    long before = sizeBytes;
    try {
      while (bytes.hasRemaining()) {
        sizeBytes += channel.write(bytes, sizeBytes);
      }
    } catch (IOException e) {
      sizeBytes = before;
      try {
        channel.truncate(before);
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
    dirty = true;
    writtenMs = nowMs;
  }

  long sizeBytes() {
    return sizeBytes;
  }

  long openedMs() {
    return openedMs;
  }

  long writtenMs() {
    return writtenMs;
  }

  Path path() {
    return hidden;
  }

  /** Brings what was written to the disk. */
  void force() throws IOException {
    if (dirty) {
      channel.force(true);
      dirty = false;
    }
  }

  /** Completes the file and gives it its name. */
  Path complete() throws IOException {
    force();
    Path visible = visible(hidden);
    Files.move(hidden, visible, StandardCopyOption.ATOMIC_MOVE);
    channel.close();
    return visible;
  }

  static boolean isInProgress(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.startsWith(PREFIX) && name.endsWith(SUFFIX);
  }

  /**
   * Completes a file whose writer died: cuts a half-written last line off and gives it its name.
   *
   * @return its name, or null if its writer lives or it holds nothing
   */
  static @Nullable Path recover(Path hidden) throws IOException {
    try (FileChannel channel =
        FileChannel.open(hidden, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      if (lock(channel) == null) {
        return null;
      }
      long end = afterLastLine(channel);
      channel.truncate(end);
      channel.force(true);
      if (end == 0) {
        Files.delete(hidden);
        return null;
      }
      Path visible = visible(hidden);
      Files.move(hidden, visible, StandardCopyOption.ATOMIC_MOVE);
      return visible;
    }
  }

  private static long afterLastLine(FileChannel channel) throws IOException {
    long end = channel.size();
    while (end > 0) {
      long from = Math.max(0, end - TAIL_BYTES);
      ByteBuffer tail = ByteBuffer.allocate((int) (end - from));
      while (tail.hasRemaining() && channel.read(tail, from + tail.position()) >= 0) {}
      for (int i = tail.position() - 1; i >= 0; i--) {
        if (tail.get(i) == '\n') {
          return from + i + 1;
        }
      }
      end = from;
    }
    return 0;
  }

  private static Path visible(Path hidden) {
    String name = String.valueOf(hidden.getFileName());
    return hidden.resolveSibling(name.substring(1, name.length() - SUFFIX.length()));
  }
}
