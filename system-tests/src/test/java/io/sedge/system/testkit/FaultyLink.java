package io.sedge.system.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A way to a server of this machine, byte for byte, that can be cut: for tests that need no root.
 * Any thread.
 */
public final class FaultyLink implements AutoCloseable {
  private static final int BUFFER = 1 << 16;
  private static final int BACKLOG = 50;

  private final ServerSocket server;
  private final int target;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private boolean cut;
  private boolean stalled;

  /** Bytes to the server until all connections end. */
  private long left = Long.MAX_VALUE;

  /**
   * Listens on a free port of the loopback.
   *
   * @param target the server's port
   */
  public FaultyLink(int target) {
    this.target = target;
    try {
      this.server = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofPlatform().daemon().name("faulty-link").start(this::accept);
  }

  /** {@code host:port}. */
  public String address() {
    return "127.0.0.1:" + server.getLocalPort();
  }

  /** Ends all connections; further ones end as soon as they begin. */
  public synchronized void cut() {
    cut = true;
    endAll();
  }

  /** Connections stay, and nothing comes through. */
  public synchronized void stall() {
    stalled = true;
  }

  /** Ends all connections once when the server has got so many further bytes. */
  public synchronized void cutAfter(long bytes) {
    left = bytes;
  }

  /** All comes through. */
  public synchronized void mend() {
    cut = false;
    stalled = false;
    left = Long.MAX_VALUE;
    notifyAll();
  }

  private void endAll() {
    sockets.forEach(FaultyLink::end);
    sockets.clear();
  }

  private static void end(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        connect(server.accept());
      } catch (IOException e) {
        // It was closed, or nobody listens there now.
      }
    }
  }

  private void connect(Socket client) throws IOException {
    sockets.add(client);
    try {
      Socket other = new Socket(InetAddress.getLoopbackAddress(), target);
      sockets.add(other);
      client.setTcpNoDelay(true);
      other.setTcpNoDelay(true);
      Thread.ofVirtual().start(() -> copy(client, other, true));
      Thread.ofVirtual().start(() -> copy(other, client, false));
    } catch (IOException e) {
      sockets.remove(client);
      client.close();
      throw e;
    }
  }

  private void copy(Socket from, Socket to, boolean counts) {
    byte[] bytes = new byte[BUFFER];
    try (from;
        to) {
      InputStream input = from.getInputStream();
      OutputStream output = to.getOutputStream();
      for (int read = input.read(bytes); read >= 0; read = input.read(bytes)) {
        int allowed = allowed(read, counts);
        output.write(bytes, 0, allowed);
        output.flush();
        if (allowed < read) {
          cutOnce();
        }
      }
    } catch (IOException e) {
      // The connection has ended.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      sockets.remove(from);
      sockets.remove(to);
    }
  }

  private synchronized int allowed(int bytes, boolean counts) throws InterruptedException {
    while (stalled && !cut) {
      wait();
    }
    if (cut) {
      return 0;
    }
    if (!counts || left == Long.MAX_VALUE) {
      return bytes;
    }
    int allowed = (int) Math.min(bytes, left);
    left -= allowed;
    return allowed;
  }

  private synchronized void cutOnce() {
    if (!cut) {
      left = Long.MAX_VALUE;
    }
    endAll();
  }

  @Override
  public synchronized void close() {
    cut();
    notifyAll();
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
