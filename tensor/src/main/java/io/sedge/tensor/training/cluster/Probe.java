package io.sedge.tensor.training.cluster;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/** Whether anybody accepts connections at an address: the quickest sign of a dead server. */
final class Probe {
  private static final int TIMES = 2;
  private static final Duration LIMIT = Duration.ofSeconds(1);

  private Probe() {}

  /** Connects and hangs up. */
  static boolean answers(String address) {
    int colon = address.lastIndexOf(':');
    String host = address.substring(0, colon).replaceAll("[\\[\\]]", "");
    int port = Integer.parseInt(address.substring(colon + 1));
    InetSocketAddress place = new InetSocketAddress(host.isEmpty() ? "localhost" : host, port);
    if (place.isUnresolved()) {
      return false;
    }
    try (Socket socket = new Socket()) {
      socket.connect(place, (int) LIMIT.toMillis());
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Asks twice, since one refusal may be an accident. */
  static boolean isDead(String address) {
    for (int i = 0; i < TIMES; i++) {
      if (answers(address)) {
        return false;
      }
    }
    return true;
  }
}
