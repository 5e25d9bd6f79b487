package io.sedge.cli.internal;

import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/**
 * Where a device listens: the ledger at a port, enrolment at the next one.
 *
 * @param host an address of this machine
 * @param found whether the port was not asked for, so that another one will do
 */
record ListenAddress(String host, int port, boolean found) {
  /** Which a device takes where nothing is in the way, with the next one. */
  static final int FIRST_PORT = 7410;

  private static final int STEP = 10;
  private static final int LAST_FOUND = FIRST_PORT + 49 * STEP;
  private static final int LAST_PORT = 65_534;

  /**
   * Reads {@code HOST[:PORT]}; without a port the first one from {@value #FIRST_PORT} on, in steps
   * of {@value #STEP}, that is free with the one after it.
   */
  static ListenAddress parse(String text) throws SiteException {
    HostPort given =
        HostPort.parse(text)
            .orElseThrow(
                () ->
                    new SiteException(
                        FailureCode.USAGE,
                        "--listen=%s: write HOST:PORT, for example 10.0.0.7:7410 or [fd00::7]:7410"
                            .formatted(text)));
    if (given.port().isEmpty()) {
      return free(given.host());
    }
    int port = given.port().getAsInt();
    if (port < 1 || port > LAST_PORT) {
      throw new SiteException(
          FailureCode.USAGE,
          "--listen=%s: the port is not from 1 to %d (the next one is for newcomers)"
              .formatted(text, LAST_PORT));
    }
    return new ListenAddress(given.host(), port, false);
  }

  /** With the first ports that are free. */
  static ListenAddress free(String host) throws SiteException {
    return freeFrom(host, FIRST_PORT);
  }

  /** With the next ports that are free, where a site does not take these. */
  ListenAddress next() throws SiteException {
    boolean within = port >= FIRST_PORT && port <= LAST_FOUND;
    return freeFrom(host, within ? port + STEP : FIRST_PORT);
  }

  private static ListenAddress freeFrom(String host, int least) throws SiteException {
    IOException last = new IOException("all ports up to %d are taken".formatted(LAST_FOUND));
    for (int port = least; port <= LAST_FOUND; port += STEP) {
      try (ServerSocket first = bound(host, port);
          ServerSocket second = bound(host, port + 1)) {
        if (first.isBound() && second.isBound()) {
          return new ListenAddress(host, port, true);
        }
      } catch (IOException e) {
        last = e;
      }
    }
    throw new SiteException(
        FailureCode.CONNECTION_FAILED,
        "cannot listen at %s (%s): is that an address of this machine? Name one with --listen HOST:PORT"
            .formatted(host, last.getMessage()),
        last);
  }

  /** Whether nobody listens there. */
  static boolean isFree(String host, int port) {
    try (ServerSocket socket = bound(host, port)) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  private static ServerSocket bound(String host, int port) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getByName(host), port));
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }
}
