package io.sedge.connector.opcua.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A way to a server that can be cut, and that can swallow what is sent without a word. */
public final class Wire implements AutoCloseable {
  private final ServerSocket listener;
  private final int port;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private volatile boolean refuses;
  private volatile boolean swallows;

  /**
   * @param port where the server is
   */
  public Wire(int port) throws IOException {
    this.port = port;
    this.listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    var _ = Thread.ofVirtual().name("wire").start(this::accept);
  }

  public String url() {
    return "opc.tcp://127.0.0.1:" + listener.getLocalPort();
  }

  /** Whether new connections are closed at once. */
  public void refuse(boolean refused) {
    refuses = refused;
  }

  /** Whether everything that is sent is taken and thrown away. */
  public void swallow(boolean swallowed) {
    swallows = swallowed;
    if (!swallowed) {
      cut();
    }
  }

  /** Closes all connections. */
  public void cut() {
    for (Socket socket : sockets) {
      close(socket);
    }
    sockets.clear();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket from = listener.accept();
        if (refuses) {
          from.close();
          continue;
        }
        Socket to = new Socket(InetAddress.getLoopbackAddress(), port);
        sockets.add(from);
        sockets.add(to);
        var _ = Thread.ofVirtual().name("wire-out").start(() -> pump(from, to));
        var _ = Thread.ofVirtual().name("wire-in").start(() -> pump(to, from));
      } catch (IOException e) {
        // It was closed, or the server is gone.
      }
    }
  }

  private void pump(Socket from, Socket to) {
    byte[] buffer = new byte[8_192];
    try (InputStream input = from.getInputStream();
        OutputStream output = to.getOutputStream()) {
      for (int length = input.read(buffer); length >= 0; length = input.read(buffer)) {
        if (!swallows) {
          output.write(buffer, 0, length);
          output.flush();
        }
      }
    } catch (IOException e) {
      // One side is gone; the other goes too.
    }
    close(from);
    close(to);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is of no use any more.
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cut();
  }
}
