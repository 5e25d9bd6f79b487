package io.sedge.connector.filesystem.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file that a sink writes: hidden while it is in progress, {@code .part-x.inprogress}, and under
 * its own name, {@code part-x}, once it is complete and on disk. Readers so never see half of one.
 * It is open only while it is written, so there may be many. One thread writes; another may bring
 * to the disk what is written, and completes the file when nobody writes it any more.
 */
final class PartFile {
  static final String PREFIX = ".part-";
  static final String SUFFIX = ".inprogress";

  /** {@code part-WRITER-SEQUENCE}; a writer is a UUID, or a journal's key and generation. */
  private static final Pattern COMPLETED =
      Pattern.compile("part-([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16}-\\d+)-\\d+");

  private static final String COPY_SUFFIX = "-copy";
  private static final int TAIL_BYTES = 1 << 16;

  private final Path hidden;
  private final long begunNanos;
  private long writtenNanos;
  private long sizeBytes;
  private long markedBytes;

  private PartFile(Path hidden, long nowNanos) {
    this.hidden = hidden;
    this.begunNanos = nowNanos;
    this.writtenNanos = nowNanos;
  }

  /** Begins the file {@code part-name} in a directory that exists. */
  static PartFile begin(Path directory, String name, long nowNanos) throws IOException {
    return new PartFile(Files.createFile(directory.resolve(PREFIX + name + SUFFIX)), nowNanos);
  }

  /**
   * Appends all of the bytes or, if that fails, none of them.
   *
   * @throws IOException if writing failed; the file ends where it ended before
   */
  void append(ByteBuffer bytes, long nowNanos) throws IOException {
    try (FileChannel channel = FileChannel.open(hidden, StandardOpenOption.WRITE)) {
      long end = sizeBytes;
      try {
        while (bytes.hasRemaining()) {
          end += channel.write(bytes, end);
        }
      } catch (IOException e) {
        cut(channel, e);
        throw e;
      }
      sizeBytes = end;
      writtenNanos = nowNanos;
    }
  }

  private void cut(FileChannel channel, IOException failure) {
    try {
      channel.truncate(sizeBytes);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  long sizeBytes() {
    return sizeBytes;
  }

  /** Makes its present end the one that {@link #undo} goes back to. */
  void mark() {
    markedBytes = sizeBytes;
  }

  /** Takes back what was appended since the last mark; the bytes go when the file ends. */
  void undo() {
    sizeBytes = markedBytes;
  }

  /** Whether it is as old, or was idle for as long, as the options allow. */
  boolean isOver(FilesystemOptions options, long nowNanos) {
    return nowNanos - begunNanos >= options.rolloverInterval().toNanos()
        || nowNanos - writtenNanos >= options.inactivityInterval().toNanos();
  }

  Path path() {
    return hidden;
  }

  Path directory() {
    return hidden.resolveSibling("");
  }

  /** Brings what was written to the disk; not the name, see {@link Durable#forceDirectory}. */
  void force() throws IOException {
    try (FileChannel channel = FileChannel.open(hidden, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  /** Cuts off what was taken back and brings the rest to the disk; nothing is appended any more. */
  void settle() throws IOException {
    try (FileChannel channel = FileChannel.open(hidden, StandardOpenOption.WRITE)) {
      channel.truncate(sizeBytes);
      channel.force(true);
    }
  }

  /** Gives a settled file its name, or deletes it if it is empty. */
  void publish() throws IOException {
    if (sizeBytes == 0) {
      Files.delete(hidden);
    } else {
      Files.move(hidden, visible(hidden), StandardCopyOption.ATOMIC_MOVE);
    }
  }

  static boolean isInProgress(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.startsWith(PREFIX) && name.endsWith(SUFFIX);
  }

  /** Whether a file has a name that a sink of Sedge gives, and no other program that we know of. */
  static boolean isCompleted(Path file) {
    return COMPLETED.matcher(String.valueOf(file.getFileName())).matches();
  }

  /**
   * Completes a file whose writer died: cuts a half-written last line off and gives it its name.
   *
   * @return its name, or null if it holds nothing or is gone
   */
  static @Nullable Path recover(Path hidden) throws IOException {
    try (FileChannel channel =
        FileChannel.open(hidden, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return finish(hidden, hidden, channel, afterLastLine(channel));
    } catch (NoSuchFileException e) {
      return null; // Another sink completes it too.
    }
  }

  /**
   * Completes a file up to a length that is sure, at the last line if the file is shorter.
   *
   * @param writerIsDead else the writer may still have it open, so that a copy gets its name
   * @return its name, or null if it holds nothing or is gone
   */
  static @Nullable Path recover(Path hidden, long sureBytes, boolean writerIsDead)
      throws IOException {
    Path file = hidden;
    try {
      if (!writerIsDead) {
        file = hidden.resolveSibling(hidden.getFileName() + COPY_SUFFIX);
        Files.copy(hidden, file, StandardCopyOption.REPLACE_EXISTING);
      }
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        long end = channel.size() < sureBytes ? afterLastLine(channel) : sureBytes;
        return finish(hidden, file, channel, end);
      }
    } catch (NoSuchFileException e) {
      return null; // Its writer has given it its name.
    }
  }

  private static @Nullable Path finish(Path hidden, Path file, FileChannel channel, long end)
      throws IOException {
    channel.truncate(end);
    channel.force(true);
    Path visible = end == 0 ? null : visible(hidden);
    if (visible == null) {
      Files.delete(file);
    } else {
      Files.move(file, visible, StandardCopyOption.ATOMIC_MOVE);
    }
    Files.deleteIfExists(hidden);
    return visible;
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
