package io.sedge.bench.outside;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class MqttRelayTest {
  private static final Pattern NUMBER = Pattern.compile("\"seq\":(\\d+)");

  private final BlockingQueue<Long> acknowledged = new LinkedBlockingQueue<>();

  /** A PUBLISH of QoS 1 or 2 in MQTT 5, without properties. */
  private static byte[] publish(int qos, int packet, String payload) {
    byte[] topic = "bench/m1".getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream rest = new ByteArrayOutputStream();
    rest.writeBytes(new byte[] {0, (byte) topic.length});
    rest.writeBytes(topic);
    rest.writeBytes(new byte[] {(byte) (packet >> 8), (byte) packet, 0});
    rest.writeBytes(payload.getBytes(StandardCharsets.UTF_8));
    return packet(0x30 | (qos << 1), rest.toByteArray());
  }

  private static byte[] packet(int header, byte[] rest) {
    ByteArrayOutputStream packet = new ByteArrayOutputStream();
    packet.write(header);
    int length = rest.length;
    do {
      packet.write(length % 128 | (length > 127 ? 0x80 : 0));
      length /= 128;
    } while (length > 0);
    packet.writeBytes(rest);
    return packet.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aReadingIsCommittedWhenItIsAcknowledged(int qos) throws Exception {
    int answer = qos == 1 ? 0x40 : 0x50; // PUBACK, PUBREC
    try (ServerSocket broker = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        MqttRelay relay = new MqttRelay(broker.getLocalPort(), NUMBER, acknowledged::add);
        Socket client = new Socket(InetAddress.getLoopbackAddress(), relay.port());
        Socket other = broker.accept()) {
      byte[] first = publish(qos, 300, "{\"seq\":7}");
      byte[] second = publish(qos, 301, "{\"seq\":8}");
      other.getOutputStream().write(first);
      other.getOutputStream().write(second);
      assertThat(client.getInputStream().readNBytes(first.length + second.length)).endsWith(second);
      assertThat(acknowledged).as("not before it is acknowledged").isEmpty();
      client.getOutputStream().write(packet(answer, new byte[] {1, 45}));
      assertThat(acknowledged.poll(30, TimeUnit.SECONDS)).isEqualTo(8);
      assertThat(other.getInputStream().readNBytes(4)).containsExactly(answer, 2, 1, 45);
    }
  }

  @Test
  void whereOneSideLeavesTheOtherIsLeftToo() throws IOException {
    try (ServerSocket broker = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        MqttRelay relay = new MqttRelay(broker.getLocalPort(), NUMBER, acknowledged::add)) {
      Socket client = new Socket(InetAddress.getLoopbackAddress(), relay.port());
      try (Socket other = broker.accept()) {
        client.close();
        assertThat(other.getInputStream().read()).isEqualTo(-1);
      }
    }
  }

  @Test
  void packetsAreFoundWhereverTheyAreCut() {
    byte[] bytes = publish(1, 5, "{\"seq\":1,\"filler\":\"%s\"}".formatted("x".repeat(300)));
    for (int cut = 1; cut < bytes.length; cut++) {
      List<byte[]> found = new ArrayList<>();
      MqttPackets packets = new MqttPackets((_, rest) -> found.add(rest));
      for (int from = 0; from < bytes.length; from += cut) {
        byte[] some = Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + cut));
        packets.take(some, some.length);
      }
      assertThat(found).singleElement().satisfies(rest -> assertThat(bytes).endsWith(rest));
    }
  }
}
