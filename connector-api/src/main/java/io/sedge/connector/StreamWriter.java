package io.sedge.connector;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

/**
 * Writes bytes to a stream in a thread of its own, so that whoever reads the stream too slowly, or
 * not at all, makes a task wait for room but never holds up its thread. Bounded by {@link
 * #CAPACITY_BYTES}. Pieces are written whole and in order; writers to one stream take turns. Any
 * thread may call its methods.
 *
 * <p>When writing fails, what waits and what comes later is dropped, and {@link #failure} tells
 * why: whoever promised to write it asks.
 */
public final class StreamWriter {
  /** How many bytes may wait; the last piece may go over it. */
  public static final int CAPACITY_BYTES = 1 << 20;

  private final OutputStream output;
  private final Runnable onChange;
  private final Thread thread;
  private final Queue<byte[]> waiting = new ArrayDeque<>();
  private long unwrittenBytes;
  private boolean closing;
  private Optional<IOException> failure = Optional.empty();

  /**
   * @param name of the thread
   * @param onChange run in the writer's thread when all that waited is written, and once when
   *     writing has failed
   */
  public StreamWriter(String name, OutputStream output, Runnable onChange) {
    this.output = output;
    this.onChange = onChange;
    this.thread = Thread.ofPlatform().name(name).daemon().start(this::run);
  }

  /** Whether a piece may be added now. */
  public synchronized boolean hasRoom() {
    return unwrittenBytes < CAPACITY_BYTES;
  }

  /** Whether all that was added is written; never again after a failure. */
  public synchronized boolean isWritten() {
    return unwrittenBytes == 0 && failure.isEmpty();
  }

  /** Why writing has failed, if it has. */
  public synchronized Optional<IOException> failure() {
    return failure;
  }

  /** Takes bytes, whether it {@link #hasRoom} or not. */
  public synchronized void add(byte[] bytes) {
    if (failure.isEmpty() && bytes.length > 0) {
      waiting.add(bytes);
      unwrittenBytes += bytes.length;
      notifyAll();
    }
  }

  /** The boundary of the thread: whatever is thrown is the stream's failure. */
  private void run() {
    try {
      for (byte[] bytes = next(); bytes.length > 0; bytes = next()) {
        synchronized (output) {
          output.write(bytes);
          output.flush();
        }
        if (written(bytes.length)) {
          onChange.run();
        }
      }
    } catch (Throwable e) {
      transitionToFailed(e instanceof IOException known ? known : new IOException(e));
      onChange.run();
    }
  }

  /** Waits for the next piece; an empty one is the end. */
  private synchronized byte[] next() throws InterruptedException {
    while (waiting.isEmpty() && !closing) {
      wait();
    }
    return waiting.isEmpty() ? new byte[0] : waiting.remove();
  }

  private synchronized boolean written(int bytes) {
    unwrittenBytes -= bytes;
    return unwrittenBytes == 0;
  }

  private synchronized void transitionToFailed(IOException cause) {
    failure = Optional.of(cause);
    waiting.clear();
    unwrittenBytes = 0;
  }

  /**
   * Writes what waits, then ends. May be called again.
   *
   * @param patience how long it waits for a reader that is stuck
   * @return how many bytes are not written then
   */
  public long close(Duration patience) {
    synchronized (this) {
      closing = true;
      notifyAll();
    }
    try {
      var _ = thread.join(patience);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      return unwrittenBytes;
    }
  }
}
