package io.sedge.site.internal.membership;

import io.sedge.site.api.ConsoleAddress;
import io.sedge.site.api.DeviceOptions;
import io.sedge.site.api.LoopbackAddress;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * The ports of a device that begins, or is being let into a site: held so that no other process of
 * this machine is let in with them meanwhile, and that nothing is made for one that cannot listen.
 */
public final class HeldPorts implements AutoCloseable {
  private final List<ServerSocket> sockets = new ArrayList<>();

  private HeldPorts() {}

  /**
   * Takes the ports of a device.
   *
   * @throws SiteException ADDRESS_IN_USE if another process has one of the two that others reach;
   *     CONNECTION_FAILED if one has that of metrics or of the console
   */
  public static HeldPorts take(DeviceOptions options) throws SiteException {
    HeldPorts held = new HeldPorts();
    try {
      held.takeOfDevice(options, options.port(), options.address());
      held.takeOfDevice(options, options.enrolmentPort(), options.enrolmentAddress());
      if (options.metrics().isPresent()) {
        held.take(options.metrics().get(), "metrics", "--metrics=HOST:PORT");
      }
      if (options.console().filter(ConsoleAddress::exact).isPresent()) {
        held.take(options.console().get().address(), "the console", "--console=PORT");
      }
      return held;
    } catch (SiteException e) {
      held.close();
      throw e;
    }
  }

  private void takeOfDevice(DeviceOptions options, int port, String address) throws SiteException {
    try {
      bind(new InetSocketAddress(InetAddress.getByName(options.host()), port));
    } catch (IOException e) {
      throw new SiteException(
          FailureCode.ADDRESS_IN_USE,
          "cannot listen at %s (%s): a device needs two ports, %d and the next one, at an address of this machine; choose others with --listen HOST:PORT"
              .formatted(address, e.getMessage(), options.port()),
          e);
    }
  }

  private void take(LoopbackAddress address, String what, String option) throws SiteException {
    try {
      bind(address.socketAddress());
    } catch (IOException e) {
      throw new SiteException(
          FailureCode.CONNECTION_FAILED,
          "cannot listen for %s at %s (%s): name another port with %s"
              .formatted(what, address, e.getMessage(), option),
          e);
    }
  }

  private void bind(InetSocketAddress address) throws IOException {
    ServerSocket socket = new ServerSocket();
    sockets.add(socket);
    socket.setReuseAddress(true);
    socket.bind(address);
  }

  @Override
  public void close() {
    for (ServerSocket socket : sockets) {
      try {
        socket.close();
      } catch (IOException _) {
        // It is being given up.
      }
    }
  }
}
