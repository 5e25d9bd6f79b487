package io.sedge.connector.http.internal;

import io.sedge.connector.http.internal.Call.Reply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A body that arrives, within bounds of size, room and time: however steadily it trickles, it is
 * broken off in the end. Closing lets go of what was read. One thread; blocks.
 */
final class Arrival implements AutoCloseable {
  static final Reply FULL = new Reply(429, "too much waits for the job; come again");

  static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final Reply LATE =
      new Reply(408, "the body has not come within %d s".formatted(PATIENCE.toSeconds()));

  private static final int PART_BYTES = 8 * 1024;

  private final ArrivalRoom room;
  private final Supplier<InputStream> content;
  private final int maxBytes;
  private final LongSupplier nanoTime;
  private final long beginNanos;
  private ByteArrayOutputStream taken = new ByteArrayOutputStream();
  private @Nullable InputStream input;
  private boolean whole;

  /**
   * @param content opened once it is read: a sender may wait for that to begin
   * @param nanoTime a monotonic clock
   */
  Arrival(ArrivalRoom room, Supplier<InputStream> content, int maxBytes, LongSupplier nanoTime) {
    this.room = room;
    this.content = content;
    this.maxBytes = maxBytes;
    this.nanoTime = nanoTime;
    this.beginNanos = nanoTime.getAsLong();
  }

  /** Reads it; empty if it is whole, else why it is not taken. */
  Optional<Reply> read() throws IOException {
    byte[] part = new byte[PART_BYTES];
    for (int read = next(part); read >= 0; read = next(part)) {
      if (taken.size() + read > maxBytes) {
        return Optional.of(tooLarge(maxBytes));
      }
      if (isLate()) {
        return Optional.of(LATE);
      }
      if (!room.take(taken.size(), read)) {
        return Optional.of(FULL);
      }
      taken.write(part, 0, read);
    }
    return Optional.empty();
  }

  static Reply tooLarge(int maxBytes) {
    return new Reply(413, "a body may have %d bytes".formatted(maxBytes));
  }

  /** What was read. */
  byte[] body() {
    return taken.toByteArray();
  }

  /**
   * Reads what is left and keeps nothing of it: who still sends while the connection is closed
   * might not see the answer.
   *
   * @return whether all has come
   */
  boolean skipRest() throws IOException {
    byte[] part = new byte[PART_BYTES];
    for (int skipped = 0; !whole && skipped <= maxBytes && !isLate(); ) {
      skipped += Math.max(0, next(part));
    }
    return whole;
  }

  private int next(byte[] part) throws IOException {
    if (input == null) {
      input = content.get();
    }
    int read = input.read(part);
    whole = read < 0;
    return read;
  }

  private boolean isLate() {
    return nanoTime.getAsLong() - beginNanos > PATIENCE.toNanos();
  }

  @Override
  public void close() {
    room.giveBack(taken.size());
    taken = new ByteArrayOutputStream(0);
  }
}
