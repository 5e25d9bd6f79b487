package io.sedge.site.internal.control;

import static io.sedge.site.testkit.Devices.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.site.Device;
import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SiteException;
import io.sedge.site.api.SiteStatus;
import io.sedge.site.testkit.Devices;
import io.sedge.task.FailureCode;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What commands and their device say to each other. */
@Timeout(60)
class ControlServerTest {
  @TempDir Path directory;
  private Devices devices;

  @BeforeEach
  void make() {
    devices = new Devices(directory);
  }

  @AfterEach
  void close() {
    devices.close();
  }

  @Test
  void severalCommandsAreAnsweredAsTheDeviceItselfWould() throws Exception {
    Device a = devices.start("a");
    devices.until("it has told of itself", () -> !a.control().status().devices().isEmpty());
    List<DeviceConnection> open = new ArrayList<>();
    for (int i = 0; i < ControlServer.MAX_CLIENTS; i++) {
      open.add(DeviceConnection.to(directory.resolve("a")));
    }
    for (DeviceConnection connection : open) {
      SiteStatus status = connection.status();
      assertThat(status.site()).isEqualTo(a.control().status().site());
      assertThat(status.devices().getFirst().address()).isEqualTo(a.options().address());
      assertThat(connection.jobs()).isEmpty();
    }
    open.forEach(DeviceConnection::close);
  }

  @Test
  void whatIsRefusedKeepsItsCodeAndTheConnectionGoesOn() throws Exception {
    devices.start("a");
    try (DeviceConnection connection = DeviceConnection.to(directory.resolve("a"))) {
      assertThatThrownBy(() -> connection.drain("nobody"))
          .isInstanceOfSatisfying(
              SiteException.class, e -> assertThat(e.code()).isEqualTo(FailureCode.UNKNOWN_NAME))
          .hasMessageContaining("there are: a");
      assertThatThrownBy(() -> connection.submit("job", "SELEC 1;"))
          .isInstanceOfSatisfying(
              SiteException.class,
              e -> {
                assertThat(e.code()).isEqualTo(FailureCode.SCRIPT_NOT_ACCEPTED);
                assertThat(e.problems().getFirst().line()).isEqualTo(1);
              });
      assertThat(failure(() -> connection.submit("job", "x".repeat(ControlSocket.MAX_REQUEST))))
          .as("a script that is too long is not sent")
          .isEqualTo(FailureCode.LIMIT_REACHED);
      assertThat(connection.status().devices()).hasSize(1);
    }
  }

  @Test
  void nonsenseIsCutOffAndTheDeviceGoesOn() throws Exception {
    devices.start("a");
    Path data = directory.resolve("a");
    for (byte[] noise :
        List.of(
            new byte[] {127, -1, -1, -1},
            "\0\0\0\2{}".getBytes(StandardCharsets.US_ASCII),
            "\0\0\0\1{".getBytes(StandardCharsets.US_ASCII))) {
      try (SocketChannel channel = SocketChannel.open(ControlSocket.address(data))) {
        channel.write(ByteBuffer.wrap(noise));
        assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
      }
    }
    try (DeviceConnection connection = DeviceConnection.to(data)) {
      assertThat(connection.status().devices()).hasSize(1);
    }
  }

  @Test
  void aDirectoryWithoutADeviceOrWithTooLongAPathIsSaid() {
    assertThat(failure(() -> DeviceConnection.to(directory.resolve("nothing")).close()))
        .isEqualTo(FailureCode.DEVICE_NOT_RUNNING);
    assertThatThrownBy(() -> DeviceConnection.to(directory.resolve("x".repeat(100))).close())
        .isInstanceOf(SiteException.class)
        .hasMessageContaining("path is too long")
        .hasMessageContaining("--data");
  }
}
