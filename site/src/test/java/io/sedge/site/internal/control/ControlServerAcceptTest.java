package io.sedge.site.internal.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.site.Device;
import io.sedge.site.DeviceConnection;
import io.sedge.site.testkit.Devices;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of commands that cannot be accepted now. */
@Timeout(60)
class ControlServerAcceptTest {
  private static final int FAILURES = 3;

  @TempDir Path directory;

  /** The first attempts fail, as where others have all the files open that there may be. */
  private static final class FailingChannel extends ServerSocketChannel {
    private final ServerSocketChannel channel;
    private int failures;

    FailingChannel(ServerSocketChannel channel) {
      super(channel.provider());
      this.channel = channel;
    }

    @Override
    public SocketChannel accept() throws IOException {
      if (failures < FAILURES) {
        failures++;
        throw new IOException("Too many open files");
      }
      return channel.accept();
    }

    @Override
    public ServerSocketChannel bind(SocketAddress local, int backlog) throws IOException {
      return channel.bind(local, backlog);
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) throws IOException {
      return channel.setOption(name, value);
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
      return channel.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
      return channel.supportedOptions();
    }

    @Override
    public ServerSocket socket() {
      return channel.socket();
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
      return channel.getLocalAddress();
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
      channel.close();
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
      channel.configureBlocking(block);
    }
  }

  @Test
  void acceptingGoesOnWhenItHasFailedAndThatIsSaidOnce() throws Exception {
    Path data = directory.resolve("b");
    Files.createDirectories(ControlSocket.directory(data));
    UnixDomainSocketAddress address = ControlSocket.address(data);
    List<String> reports = new CopyOnWriteArrayList<>();
    try (Devices devices = new Devices(directory)) {
      Device a = devices.start("a");
      ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      channel.bind(address);
      try (ControlServer _ =
              ControlServer.start(
                  address,
                  new FailingChannel(channel),
                  a.control(),
                  (severity, message) -> reports.add(severity + " " + message));
          DeviceConnection connection = DeviceConnection.to(data)) {
        assertThat(connection.status().site()).isEqualTo(a.control().status().site());
      }
    }
    assertThat(reports)
        .containsExactly(
            "ERROR commands cannot reach this device for now: java.io.IOException: Too many open"
                + " files");
  }
}
