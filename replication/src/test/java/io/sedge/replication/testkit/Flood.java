package io.sedge.replication.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** Opens connections to a member all the time, and sends nothing, until it is closed. */
public final class Flood implements AutoCloseable {
  /** More than a member lets stand, so that it has ended the oldest of them. */
  private static final int OPEN = 300;

  /** Leaves some of the processor to the members. */
  private static final long STEP_NANOS = 5_000_000;

  private final Stranger stranger;
  private final InetAddress from;
  private final Deque<Socket> open = new ArrayDeque<>();
  private final CompletableFuture<Void> end;
  private volatile boolean closing;

  /**
   * @param from an address of this machine
   */
  public Flood(Stranger stranger, InetAddress from) {
    this.stranger = stranger;
    this.from = from;
    end = CompletableFuture.runAsync(this::run, Thread.ofVirtual().name("flood")::start);
  }

  private void run() {
    try {
      while (!closing) {
        open.add(stranger.connect(from));
        if (open.size() > OPEN) {
          try (Socket oldest = open.remove()) {
            Stranger.isEnded(oldest);
          }
          LockSupport.parkNanos(STEP_NANOS);
        }
      }
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    closing = true;
    end.join();
  }
}
