package io.sedge.connector.mqtt.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Forwards connections to a port, and can cut them. */
public final class CuttableLink implements AutoCloseable {
  private final ServerSocket server;
  private final int target;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile boolean down;

  public CuttableLink(int target) {
    this.target = target;
    try {
      server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  public String url() {
    return "mqtt://127.0.0.1:" + server.getLocalPort();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket near = server.accept();
        if (down) {
          near.close();
          continue;
        }
        Socket far = new Socket();
        far.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
        near.setTcpNoDelay(true);
        far.setTcpNoDelay(true);
        sockets.add(near);
        sockets.add(far);
        Thread.ofVirtual().start(() -> copy(near, far));
        Thread.ofVirtual().start(() -> copy(far, near));
      } catch (IOException e) {
        // The server is closed, or the broker away: the client sees its connection end.
      }
    }
  }

  private void copy(Socket from, Socket to) {
    byte[] buffer = new byte[8192];
    try (from;
        to;
        InputStream input = from.getInputStream();
        OutputStream output = to.getOutputStream()) {
      for (int read = input.read(buffer); read >= 0; read = input.read(buffer)) {
        output.write(buffer, 0, read);
      }
    } catch (IOException e) {
      // Cut: what was under way is gone, which is what it is for.
    } finally {
      sockets.remove(from);
      sockets.remove(to);
    }
  }

  /** Cuts every connection; what was under way is lost. */
  public void cut() {
    for (Socket socket : List.copyOf(sockets)) {
      try {
        socket.setSoLinger(true, 0);
        socket.close();
      } catch (IOException e) {
        // It has ended by itself in this moment.
        sockets.remove(socket);
      }
    }
  }

  /** Cuts every connection and lets no new one through until {@link #up}. */
  public void down() {
    down = true;
    cut();
  }

  public void up() {
    down = false;
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cut();
  }
}
