package io.sedge.uplink;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Lets bytes through at a rate: each piece is let go when those before it have had their time. All
 * streams of one share it. Any thread.
 */
final class Pacer {
  private static final int PIECE_BYTES = 8 << 10;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final long bytesPerSecond;
  private long freeAtNanos = System.nanoTime();

  /**
   * @param bytesPerSecond 0 for no limit
   */
  Pacer(long bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
  }

  boolean isLimited() {
    return bytesPerSecond > 0;
  }

  /** How long bytes take at least. */
  Duration duration(int bytes) {
    return isLimited() ? Duration.ofNanos(bytes * SECOND / bytesPerSecond) : Duration.ZERO;
  }

  InputStream pace(InputStream bytes) {
    return new FilterInputStream(bytes) {
      @Override
      public int read(byte[] to, int offset, int length) throws IOException {
        int count = super.read(to, offset, Math.min(length, PIECE_BYTES));
        if (count > 0) {
          await(count);
        }
        return count;
      }
    };
  }

  private void await(int bytes) throws IOException {
    long wait;
    synchronized (this) {
      long now = System.nanoTime();
      long begin = Math.max(now - freeAtNanos > 0 ? now : freeAtNanos, now);
      freeAtNanos = begin + duration(bytes).toNanos();
      wait = begin - now;
    }
    try {
      TimeUnit.NANOSECONDS.sleep(wait);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("sending was ended");
    }
  }
}
