package io.sedge.replication.internal;

import io.sedge.replication.LedgerException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The files of Ratis's log, as long as no member has them open.
 *
 * <p>{@link #cutTornTail} cuts off what a crash has left half-written at their end, which Ratis
 * itself does only where the file ends with it: it writes into space reserved beforehand, so that
 * after a torn write come zeros, and then it takes the log for damaged and does not start. Only the
 * open segment ({@code log_inprogress_N}) may be torn, and only at its end: the entry is incomplete
 * or has a wrong checksum, and no whole entry follows where it says that it ends. Anything else is
 * damage, of which something may have been answered, and is left for Ratis to refuse.
 *
 * <pre>
 *   segment: "RaftLog1", entries, zeros
 *   entry:   length (varint), bytes, CRC-32C of length and bytes (4, big-endian)
 * </pre>
 */
final class LogSegments {
  private static final String PREFIX = "log_";
  private static final String OPEN = PREFIX + "inprogress_";
  private static final int HEADER_BYTES = 8;
  private static final int CHECKSUM_BYTES = 4;
  private static final int MAX_VARINT_BYTES = 5;
  private static final int VARINT_BITS = 7;

  private LogSegments() {}

  /**
   * Mends the open segments below a directory.
   *
   * @param maxEntryBytes the longest entry there can be
   * @return how many bytes were cut off; 0 if nothing was torn
   */
  static long cutTornTail(Path directory, int maxEntryBytes) throws LedgerException {
    long cut = 0;
    try {
      for (Path file : files(directory)) {
        if (file.getFileName().toString().startsWith(OPEN)) {
          cut += cutFile(file, maxEntryBytes);
        }
      }
    } catch (IOException e) {
      throw new LedgerException("reading the log in %s: %s".formatted(directory, e), e);
    }
    return cut;
  }

  /** Whether there are any below a directory. */
  static boolean exist(Path directory) throws IOException {
    return files(directory).stream()
        .anyMatch(file -> file.getFileName().toString().startsWith(PREFIX));
  }

  /** The files below a directory; none if it is not there. */
  static List<Path> files(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile).toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static long cutFile(Path file, int maxEntryBytes) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long end = lastNonZero(channel) + 1;
      if (end <= HEADER_BYTES) {
        return 0;
      }
      long at = HEADER_BYTES;
      while (at < end) {
        long next = next(channel, at, maxEntryBytes);
        if (next < 0) {
          return cutAt(channel, at, end, maxEntryBytes);
        }
        at = next;
      }
      return 0;
    }
  }

  private static long cutAt(FileChannel channel, long at, long end, int maxEntryBytes)
      throws IOException {
    long claimed = claimedEnd(channel, at, maxEntryBytes);
    if (claimed >= 0 && claimed < end && next(channel, claimed, maxEntryBytes) >= 0) {
      return 0;
    }
    channel.truncate(at);
    channel.force(true);
    return end - at;
  }

  /** Where the next entry begins, or -1 if the one here is not whole. */
  private static long next(FileChannel channel, long at, int maxEntryBytes) throws IOException {
    long end = claimedEnd(channel, at, maxEntryBytes);
    if (end < 0 || end > channel.size()) {
      return -1;
    }
    ByteBuffer entry = read(channel, at, (int) (end - at));
    CRC32C checksum = new CRC32C();
    int length = entry.remaining() - CHECKSUM_BYTES;
    checksum.update(entry.slice(0, length));
    return (int) checksum.getValue() == entry.getInt(length) ? end : -1;
  }

  /** Where the entry here would end, or -1 if there is no length. */
  private static long claimedEnd(FileChannel channel, long at, int maxEntryBytes)
      throws IOException {
    ByteBuffer prefix = read(channel, at, MAX_VARINT_BYTES);
    long length = 0;
    for (int i = 0; i < prefix.limit(); i++) {
      byte next = prefix.get(i);
      length |= (long) (next & 0x7f) << (VARINT_BITS * i);
      if (next >= 0) {
        boolean possible = length > 0 && length <= maxEntryBytes;
        return possible ? at + i + 1 + length + CHECKSUM_BYTES : -1;
      }
    }
    return -1;
  }

  /**
   * The entries of a segment up to the first that is not whole, in order, as Ratis encodes them.
   */
  static void forEachEntry(Path segment, int maxEntryBytes, Consumer<? super ByteBuffer> action)
      throws IOException {
    try (FileChannel channel = FileChannel.open(segment, StandardOpenOption.READ)) {
      long at = HEADER_BYTES;
      for (long next = next(channel, at, maxEntryBytes);
          next >= 0;
          next = next(channel, at, maxEntryBytes)) {
        ByteBuffer entry = read(channel, at, (int) (next - at - CHECKSUM_BYTES));
        while (entry.get() < 0) {
          // The length, whose last byte alone is not negative, precedes the bytes.
        }
        action.accept(entry.slice());
        at = next;
      }
    }
  }

  private static ByteBuffer read(FileChannel channel, long at, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining() && channel.read(bytes, at + bytes.position()) >= 0) {
      // Reads on.
    }
    return bytes.flip();
  }

  private static long lastNonZero(FileChannel channel) throws IOException {
    int step = 1 << 16;
    for (long end = channel.size(); end > 0; end -= step) {
      long from = Math.max(0, end - step);
      ByteBuffer bytes = read(channel, from, (int) (end - from));
      for (int i = bytes.limit() - 1; i >= 0; i--) {
        if (bytes.get(i) != 0) {
          return from + i;
        }
      }
    }
    return -1;
  }
}
