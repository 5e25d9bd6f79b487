package io.sedge.tensor.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Ports of this machine that nobody uses. */
public final class Ports {
  private static final int FIRST = 10_000;
  private static final int COUNT = 10_000;

  /** The place after the port given last, so that two askers in this JVM get different ones. */
  private static final AtomicInteger NEXT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(COUNT));

  private Ports() {}

  /**
   * As many different ports as asked for, each of which was unused a moment ago. They are below
   * those that operating systems give to connections (RFC 6335, 6; Linux: from 32768), so that no
   * connection takes one by chance before it is bound. Another program still may; a server then
   * says that it could not start.
   *
   * @throws UncheckedIOException if fewer are unused
   */
  public static List<Integer> unused(int count) {
    List<Integer> ports = new ArrayList<>();
    for (int tried = 0; ports.size() < count; tried++) {
      if (tried == COUNT) {
        throw new UncheckedIOException(
            new IOException("No unused port from " + FIRST + " to " + (FIRST + COUNT - 1)));
      }
      int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), COUNT);
      if (!isTaken(port)) {
        ports.add(port);
      }
    }
    return List.copyOf(ports);
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
}
