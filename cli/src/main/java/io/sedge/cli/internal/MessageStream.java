package io.sedge.cli.internal;

import io.sedge.connector.StreamWriter;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Standard error that holds nobody up: whoever has something to say may hold a lock that the whole
 * device waits for, and the reader of standard error may have stopped, as a terminal does after
 * Ctrl-S. {@link StreamWriter#CAPACITY_BYTES} wait for it; lines beyond that are dropped, and how
 * many is said when there is room again. Any thread may write.
 */
public final class MessageStream extends OutputStream {
  private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(1);

  private final AtomicLong droppedLines = new AtomicLong();
  private final StreamWriter writer;

  /** Writes to a stream, and does not close it. */
  public MessageStream(OutputStream output) {
    this.writer = new StreamWriter("sedge-messages", output, this::tellDropped);
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    byte[] piece = Arrays.copyOfRange(bytes, offset, offset + length);
    if (writer.hasRoom()) {
      writer.add(piece);
    } else {
      droppedLines.addAndGet(lines(piece));
    }
  }

  private static long lines(byte[] piece) {
    long lines = 0;
    for (byte each : piece) {
      lines += each == '\n' ? 1 : 0;
    }
    return lines;
  }

  private void tellDropped() {
    long lines = droppedLines.getAndSet(0);
    if (lines > 0) {
      String line =
          "sedge: warning: %,d lines are not shown: standard error took no more%n".formatted(lines);
      writer.add(line.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Waits for a moment until all is written, and drops what is not. */
  @Override
  public void close() {
    writer.close(CLOSE_PATIENCE);
  }
}
