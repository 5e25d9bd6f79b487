package io.sedge.connector.kafka.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A port that is no broker's: each connection is answered with the same bytes. */
public final class Entrance implements AutoCloseable {
  private final ServerSocket listener;
  private final byte[] answer;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();

  private Entrance(byte[] answer) throws IOException {
    this.listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    this.answer = answer;
  }

  /** One that answers so; one without bytes is silent. Connections stay open. */
  public static Entrance answering(int... bytes) {
    byte[] answer = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      answer[i] = (byte) bytes[i];
    }
    try {
      Entrance entrance = new Entrance(answer);
      Thread.ofVirtual().name("entrance").start(entrance::run);
      return entrance;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void run() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        sockets.add(socket);
        if (answer.length > 0) {
          var _ = socket.getInputStream().read();
          socket.getOutputStream().write(answer);
        }
      } catch (IOException e) {
        // The connection is over, or it is closed.
      }
    }
  }

  /** What tables write as {@code properties.bootstrap.servers}. */
  public String place() {
    return "127.0.0.1:" + listener.getLocalPort();
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
