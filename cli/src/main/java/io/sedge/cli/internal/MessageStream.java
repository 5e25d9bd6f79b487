package io.sedge.cli.internal;

import io.sedge.connector.StreamWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/**
 * Standard error that holds nobody up: whoever has something to say may hold a lock that the whole
 * device waits for, and the reader of standard error may have stopped, as a terminal does after
 * Ctrl-S. {@link StreamWriter#CAPACITY_BYTES} wait for it. Lines that come while there is no room,
 * or that cannot be written, are dropped, and in their place stands how many. Any thread may write.
 */
public final class MessageStream extends OutputStream {
  private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(1);

  private final StreamWriter writer;
  private boolean dropping;
  private long dropped;

  /** Writes to a stream, and does not close it. */
  public MessageStream(OutputStream output) {
    this.writer = new StreamWriter("sedge-messages", new Lenient(output), this::goOn);
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] bytes, int offset, int length) {
    dropping |= !writer.hasRoom();
    if (dropping) {
      dropped += lines(bytes, offset, length);
    } else {
      writer.add(Arrays.copyOfRange(bytes, offset, offset + length));
    }
  }

  /** All that waited is written. */
  private synchronized void goOn() {
    if (dropping) {
      writer.add(note(dropped));
      dropping = false;
      dropped = 0;
    }
  }

  private static long lines(byte[] bytes, int offset, int length) {
    long lines = 0;
    for (int i = offset; i < offset + length; i++) {
      lines += bytes[i] == '\n' ? 1 : 0;
    }
    return lines;
  }

  private static byte[] note(long lines) {
    return "sedge: warning: %,d lines are not shown: standard error took no more%n"
        .formatted(lines)
        .getBytes(StandardCharsets.UTF_8);
  }

  /** Waits for a moment until all is written, and drops what is not. */
  @Override
  public void close() {
    writer.close(CLOSE_PATIENCE);
  }

  /** A disk that is full for a moment loses what came meanwhile, and nothing after. */
  private static final class Lenient extends OutputStream {
    private final OutputStream output;
    private long failed;

    Lenient(OutputStream output) {
      this.output = output;
    }

    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      try {
        if (failed > 0) {
          output.write(note(failed));
          failed = 0;
        }
        output.write(bytes, offset, length);
        output.flush();
      } catch (IOException e) {
        failed += lines(bytes, offset, length);
      }
    }
  }
}
