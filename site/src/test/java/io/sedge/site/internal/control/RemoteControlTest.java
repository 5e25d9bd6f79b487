package io.sedge.site.internal.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RemoteControlTest {
  @TempDir private Path data;

  /** As one that was suspended: the system takes connections for it. */
  @Test
  void aDeviceThatStandsStillIsNotWaitedForForEver() throws Exception {
    Files.createDirectories(ControlSocket.directory(data));
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(ControlSocket.address(data), 1);
      try (RemoteControl control = RemoteControl.connect(data, Duration.ofSeconds(1), _ -> {})) {
        assertThatExceptionOfType(SiteException.class)
            .isThrownBy(control::status)
            .withMessageContaining("has not answered for 1 s")
            .satisfies(e -> assertThat(e.code()).isEqualTo(FailureCode.DEVICE_NOT_RUNNING));
      }
      // Until nobody else is taken either: the queue of those who wait to be accepted is full.
      assertThatExceptionOfType(SiteException.class)
          .isThrownBy(
              () -> {
                for (int i = 0; i < 100; i++) {
                  RemoteControl.connect(data, Duration.ofSeconds(1), _ -> {}).close();
                }
              })
          .withMessageContaining("has not answered for 1 s");
    }
  }

  /** Else a command says nothing for three minutes. */
  @Test
  void whoWaitsForADeviceThatStandsStillIsTold() throws Exception {
    Files.createDirectories(ControlSocket.directory(data));
    BlockingQueue<String> told = new LinkedBlockingQueue<>();
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(ControlSocket.address(data), 1);
      Thread asking;
      try (RemoteControl control = RemoteControl.connect(data, Duration.ofMinutes(10), told::add)) {
        asking =
            Thread.ofPlatform()
                .start(
                    () ->
                        assertThatExceptionOfType(SiteException.class).isThrownBy(control::status));
        assertThat(told.take())
            .isEqualTo(
                "the device in %s has not answered for 3 s; it is waited for, 600 s at most"
                    .formatted(data));
      }
      asking.join();
    }
  }
}
