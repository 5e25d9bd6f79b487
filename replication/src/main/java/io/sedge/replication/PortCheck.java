package io.sedge.replication;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;

/**
 * Finds out whether a process that listens has ended, sooner than its silence tells: the machine of
 * one that was killed refuses connections to its port at once, while a process that is only slow,
 * stopped or cut off has its connections taken by its system, or not answered at all.
 */
@FunctionalInterface
public interface PortCheck {
  /** Within this a machine of the same site answers. */
  int TIMEOUT_MILLIS = 500;

  /**
   * Begins to ask; never waits.
   *
   * @param address for example {@code 10.0.0.7:7410}; an IPv6 address in brackets
   * @return whether a machine answered that nobody listens there; never fails
   */
  CompletableFuture<Boolean> refuses(String address);

  /** Opens a TCP connection to each address of the machine, and closes it unused. */
  static CompletableFuture<Boolean> overTcp(String address) {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("sedge-port-check")
        .start(
            () -> {
              boolean refused = false;
              try {
                refused = isRefused(address);
              } catch (IOException | RuntimeException e) {
                // It cannot be asked, so it has not refused.
              } finally {
                answer.complete(refused);
              }
            });
    return answer;
  }

  private static boolean isRefused(String address) throws IOException {
    int colon = address.lastIndexOf(':');
    int port = Integer.parseInt(address.substring(colon + 1));
    if (colon < 1 || port < 1) {
      throw new IllegalArgumentException("'%s' is no address".formatted(address));
    }
    for (InetAddress each : InetAddress.getAllByName(address.substring(0, colon))) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(each, port), TIMEOUT_MILLIS);
        return false;
      } catch (ConnectException e) {
        // Refused there; of an unreachable or silent machine other exceptions tell.
      }
    }
    return true;
  }
}
