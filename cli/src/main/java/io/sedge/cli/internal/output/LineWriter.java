package io.sedge.cli.internal.output;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.StreamWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;

/**
 * Writes lines to standard output, in a thread of its own. When the reader has gone (a closed
 * pipe), what comes is dropped, since nobody wants it, and {@code onClosed} is run; any other
 * failure is thrown at the next call.
 */
final class LineWriter {
  static final Duration CLOSE_PATIENCE = Duration.ofSeconds(1);

  private final PrintStream messages;
  private final Runnable onClosed;
  private final StreamWriter writer;
  private volatile Runnable onRoom = () -> {};

  /**
   * @param messages where it is said what could not be written in time
   * @param onClosed run when the other end is closed, in the writer's thread
   */
  LineWriter(OutputStream output, PrintStream messages, Runnable onClosed) {
    this.messages = messages;
    this.onClosed = onClosed;
    this.writer = new StreamWriter("sedge-output", output, this::changed);
  }

  /** Names what to run when all that waited is written, in the writer's thread. */
  void onRoom(Runnable wakeUp) {
    onRoom = wakeUp;
  }

  private void changed() {
    Runnable heard =
        writer.failure().filter(OutputFailure::isReaderGone).isPresent() ? onClosed : onRoom;
    heard.run();
  }

  /**
   * Whether a piece may be added now.
   *
   * @throws ConnectorException if writing has failed
   */
  boolean hasRoom() {
    check();
    return writer.hasRoom();
  }

  /**
   * Whether all is written, or nobody wants it.
   *
   * @throws ConnectorException if writing has failed
   */
  boolean isWritten() {
    return check() || writer.isWritten();
  }

  /** Takes bytes, if {@link #hasRoom} or not. */
  void add(byte[] bytes) {
    writer.add(bytes);
  }

  /** Throws what has failed; whether the reader has gone. */
  private boolean check() {
    Optional<IOException> failure = writer.failure();
    if (failure.isEmpty()) {
      return false;
    }
    if (OutputFailure.isReaderGone(failure.get())) {
      return true;
    }
    throw OutputFailure.of(failure.get());
  }

  /**
   * Writes what waits, then ends; of a reader that is stuck, what is not written after {@link
   * #CLOSE_PATIENCE} is given up, and that is said. A job that has ended by itself has had all
   * written before.
   *
   * @throws ConnectorException if writing has failed
   */
  void close() {
    long unwritten = writer.close(CLOSE_PATIENCE);
    if (unwritten > 0) {
      messages.printf(
          "sedge: warning: %,d bytes of rows are not written: standard output takes no more%n",
          unwritten);
    }
    check();
  }
}
