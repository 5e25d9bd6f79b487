package io.sedge.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PortCheckTest {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  private static boolean isRefused(String address) throws Exception {
    return PortCheck.overTcp(address).get(1, TimeUnit.MINUTES);
  }

  private static String loopback(int port) {
    return "127.0.0.1:" + port;
  }

  /** It keeps its port, so that nobody else can listen there meanwhile. */
  @Test
  void aPortAtWhichNobodyListensRefuses() throws Exception {
    try (Socket bound = new Socket()) {
      bound.bind(new InetSocketAddress(LOOPBACK, 0));
      assertThat(isRefused(loopback(bound.getLocalPort()))).isTrue();
    }
  }

  /** As of a process that stands still. */
  @Test
  void aPortWhoseProcessAcceptsNothingDoesNotRefuse() throws Exception {
    try (ServerSocket listening = new ServerSocket(0, 50, LOOPBACK)) {
      assertThat(isRefused(loopback(listening.getLocalPort()))).isFalse();
    }
  }

  /** Nothing is known of its process. */
  @ParameterizedTest
  @ValueSource(strings = {"", ":7410", "127.0.0.1", "127.0.0.1:0", "[::1]:x"})
  void whatCannotBeAskedDoesNotRefuse(String address) throws Exception {
    assertThat(isRefused(address)).isFalse();
  }

  /** As of a machine that is unplugged: nobody answers. */
  @Test
  void aPortWhoseQueueIsFullDoesNotRefuse() throws Exception {
    try (ServerSocket listening = new ServerSocket(0, 1, LOOPBACK);
        Socket first = new Socket();
        Socket second = new Socket();
        Socket third = new Socket()) {
      for (Socket each : new Socket[] {first, second, third}) {
        fill(each, listening);
      }
      assertThat(isRefused(loopback(listening.getLocalPort()))).isFalse();
    }
  }

  private static void fill(Socket client, ServerSocket listening) {
    try {
      client.connect(listening.getLocalSocketAddress(), 100);
    } catch (IOException e) {
      // It is full.
    }
  }
}
