package io.sedge.tensor.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Ports of this machine that nobody uses. */
public final class Ports {
  private Ports() {}

  /**
   * As many different ports as asked for, each of which was unused a moment ago. Somebody else may
   * take one before it is bound; a server then says that it could not start.
   *
   * @throws UncheckedIOException if the operating system gives none
   */
  public static List<Integer> unused(int count) {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      List<Integer> ports = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        ServerSocket socket = new ServerSocket(0);
        sockets.add(socket);
        ports.add(socket.getLocalPort());
      }
      return List.copyOf(ports);
    } catch (IOException e) {
      throw new UncheckedIOException("No unused port", e);
    } finally {
      sockets.forEach(Ports::close);
    }
  }

  /** Whether a port can not be bound now. */
  static boolean isTaken(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(port));
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  private static void close(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
