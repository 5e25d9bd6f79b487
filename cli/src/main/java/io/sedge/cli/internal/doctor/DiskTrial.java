package io.sedge.cli.internal.doctor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * How a disk takes what a device writes: small pieces, each flushed, and long ones.
 *
 * @param type of the file system
 * @param usableBytes that this user may still write
 * @param medianFlushNanos for 4 KiB to be on the disk
 * @param longestFlushNanos the slowest of these
 * @param bytesPerSecond of a long piece
 */
record DiskTrial(
    String type,
    long usableBytes,
    long totalBytes,
    long medianFlushNanos,
    long longestFlushNanos,
    long bytesPerSecond) {
  private static final int FLUSHES = 30;
  private static final int FLUSHED_BYTES = 4 << 10;
  private static final int PIECE_BYTES = 1 << 20;
  private static final int PIECES = 16;
  private static final long PATIENCE_NANOS = 3_000_000_000L;

  /**
   * Tries it for six seconds at most; what it writes, 16 MB, is gone afterwards.
   *
   * @param directory that exists
   */
  static DiskTrial in(Path directory, LongSupplier nanoClock) throws IOException {
    FileStore store = Files.getFileStore(directory);
    Path file = Files.createTempFile(directory, ".sedge-doctor-", ".tmp");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)) {
      long[] flushes = flushes(channel, nanoClock);
      return new DiskTrial(
          store.type(),
          store.getUsableSpace(),
          store.getTotalSpace(),
          flushes[flushes.length / 2],
          flushes[flushes.length - 1],
          speed(channel, nanoClock));
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /** Sorted. */
  private static long[] flushes(FileChannel channel, LongSupplier nanoClock) throws IOException {
    long[] nanos = new long[FLUSHES];
    long begin = nanoClock.getAsLong();
    int done = 0;
    while (done < FLUSHES && (done == 0 || nanoClock.getAsLong() - begin < PATIENCE_NANOS)) {
      long before = nanoClock.getAsLong();
      write(channel, FLUSHED_BYTES);
      channel.force(false);
      nanos[done++] = nanoClock.getAsLong() - before;
    }
    long[] sorted = Arrays.copyOf(nanos, done);
    Arrays.sort(sorted);
    return sorted;
  }

  private static long speed(FileChannel channel, LongSupplier nanoClock) throws IOException {
    long begin = nanoClock.getAsLong();
    long bytes = 0;
    for (int i = 0; i < PIECES && nanoClock.getAsLong() - begin < PATIENCE_NANOS; i++) {
      write(channel, PIECE_BYTES);
      channel.force(false);
      bytes += PIECE_BYTES;
    }
    return bytes * 1_000_000_000 / Math.max(1, nanoClock.getAsLong() - begin);
  }

  private static void write(FileChannel channel, int bytes) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(bytes);
    while (piece.hasRemaining()) {
      var _ = channel.write(piece);
    }
  }
}
