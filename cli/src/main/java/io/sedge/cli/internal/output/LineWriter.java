package io.sedge.cli.internal.output;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Writes bytes to standard output in a thread of its own, so that a slow reader of it holds no task
 * up but makes it wait. Bounded by {@link #CAPACITY_BYTES}. When the reader has gone (a closed
 * pipe), what comes is dropped, since nobody wants it, and {@code onClosed} is run once.
 */
final class LineWriter implements AutoCloseable {
  /** How many bytes may wait; the last piece may go over it. */
  static final int CAPACITY_BYTES = 1 << 20;

  static final Duration CLOSE_PATIENCE = Duration.ofSeconds(2);

  private final OutputStream output;
  private final Runnable onClosed;
  private final Thread thread;
  private volatile Runnable onRoom = () -> {};
  private final Deque<byte[]> waiting = new ArrayDeque<>();
  private int waitingBytes;
  private boolean writing;
  private boolean readerGone;
  private boolean closing;

  /**
   * @param onClosed run when the other end is closed, in the writer's thread
   */
  LineWriter(OutputStream output, Runnable onClosed) {
    this.output = output;
    this.onClosed = onClosed;
    this.thread = Thread.ofPlatform().name("sedge-output").daemon().start(this::run);
  }

  /** Names what to run when all that waited is written, in the writer's thread. */
  void onRoom(Runnable wakeUp) {
    onRoom = wakeUp;
  }

  /** Whether a piece may be added now. */
  synchronized boolean hasRoom() {
    return waitingBytes < CAPACITY_BYTES;
  }

  synchronized boolean isWritten() {
    return waiting.isEmpty() && !writing;
  }

  /** Takes bytes, if {@link #hasRoom} or not. */
  synchronized void add(byte[] bytes) {
    if (!readerGone) {
      waiting.add(bytes);
      waitingBytes += bytes.length;
      notifyAll();
    }
  }

  private void run() {
    try {
      while (take()) {
        byte[] bytes = next();
        if (bytes.length > 0) {
          output.write(bytes);
          output.flush();
        }
        if (written()) {
          onRoom.run();
        }
      }
    } catch (IOException e) {
      transitionToReaderGone();
      onClosed.run();
    } catch (InterruptedException e) {
      transitionToReaderGone();
    }
  }

  private synchronized boolean take() throws InterruptedException {
    while (waiting.isEmpty() && !closing) {
      wait();
    }
    writing = !waiting.isEmpty();
    return writing;
  }

  private synchronized byte[] next() {
    return waiting.remove();
  }

  private synchronized boolean written() {
    writing = false;
    waitingBytes = waiting.stream().mapToInt(bytes -> bytes.length).sum();
    return waiting.isEmpty();
  }

  private synchronized void transitionToReaderGone() {
    readerGone = true;
    writing = false;
    waiting.clear();
    waitingBytes = 0;
  }

  /**
   * Writes what waits, then ends; of a reader that is stuck, what is not written after {@link
   * #CLOSE_PATIENCE} is dropped. A job that has ended by itself has had all written before.
   */
  @Override
  public void close() {
    synchronized (this) {
      closing = true;
      notifyAll();
    }
    try {
      var _ = thread.join(CLOSE_PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
