package io.sedge.site.internal.membership;

import io.sedge.site.api.DeviceOptions;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/**
 * The two ports of a device that begins, or is being let into a site: held so that no other process
 * of this machine is let in with them meanwhile.
 */
public final class HeldPorts implements AutoCloseable {
  private final ServerSocket ledger;
  private final ServerSocket enrolment;

  private HeldPorts(ServerSocket ledger, ServerSocket enrolment) {
    this.ledger = ledger;
    this.enrolment = enrolment;
  }

  /**
   * Takes the ports of a device.
   *
   * @throws SiteException ADDRESS_IN_USE if another process has one of them
   */
  public static HeldPorts take(DeviceOptions options) throws SiteException {
    ServerSocket ledger = bound(options, options.port(), options.address());
    try {
      return new HeldPorts(
          ledger, bound(options, options.enrolmentPort(), options.enrolmentAddress()));
    } catch (SiteException e) {
      closeQuietly(ledger);
      throw e;
    }
  }

  private static ServerSocket bound(DeviceOptions options, int port, String address)
      throws SiteException {
    try {
      ServerSocket socket = new ServerSocket();
      try {
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getByName(options.host()), port));
        return socket;
      } catch (IOException e) {
        socket.close();
        throw e;
      }
    } catch (IOException e) {
      throw new SiteException(
          FailureCode.ADDRESS_IN_USE,
          "cannot listen at %s (%s): a device needs two ports, %d and the next one, at an address of this machine; choose others with --listen HOST:PORT"
              .formatted(address, e.getMessage(), options.port()),
          e);
    }
  }

  private static void closeQuietly(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // It is being given up.
    }
  }

  @Override
  public void close() {
    closeQuietly(ledger);
    closeQuietly(enrolment);
  }
}
