package io.sedge.bench.connectors;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.tahu.protobuf.SparkplugBProto.DataType;
import org.eclipse.tahu.protobuf.SparkplugBProto.Payload;
import org.eclipse.tahu.protobuf.SparkplugBProto.Payload.Metric;

/**
 * A process that is an edge node of Sparkplug: it publishes data at a steady pace, each message
 * with all its metrics by their aliases, and its birth whenever it is asked for: {@code
 * SparkplugNode PORT MESSAGES_A_SECOND}.
 */
final class SparkplugNode {
  static final String GROUP = "bench";
  static final String NAME = "line";
  static final int METRICS = 200;

  private static final int SEQUENCE = 256;
  private static final long MILLIS = 1_767_225_600_000L;

  private SparkplugNode() {}

  public static void main(String[] args) {
    int perSecond = Integer.parseInt(args[1]);
    AtomicBoolean asked = new AtomicBoolean(true);
    Mqtt5AsyncClient client =
        Mqtt5Client.builder()
            .identifier("bench-node")
            .serverHost("127.0.0.1")
            .serverPort(Integer.parseInt(args[0]))
            .willPublish()
            .topic(topic("NDEATH"))
            .payload(birthNumber(Payload.newBuilder()).build().toByteArray())
            .qos(MqttQos.AT_LEAST_ONCE)
            .applyWillPublish()
            .buildAsync();
    client.connect().join();
    client
        .subscribeWith()
        .topicFilter(topic("NCMD"))
        .callback(command -> asked.set(true))
        .send()
        .join();
    byte[][] data = new byte[SEQUENCE][];
    for (int seq = 0; seq < SEQUENCE; seq++) {
      data[seq] = data(seq);
    }
    long begin = System.nanoTime();
    int seq = 0;
    for (long i = 0; true; i++) {
      long due = begin + i * 1_000_000_000L / perSecond;
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      if (asked.getAndSet(false)) {
        publish(client, "NBIRTH", birth());
        seq = 0;
      }
      seq = (seq + 1) % SEQUENCE;
      publish(client, "NDATA", data[seq]);
    }
  }

  private static String topic(String type) {
    return "spBv1.0/%s/%s/%s".formatted(GROUP, type, NAME);
  }

  private static void publish(Mqtt5AsyncClient client, String type, byte[] payload) {
    var _ =
        client.publishWith().topic(topic(type)).qos(MqttQos.AT_MOST_ONCE).payload(payload).send();
  }

  private static Payload.Builder birthNumber(Payload.Builder payload) {
    return payload
        .setTimestamp(MILLIS)
        .addMetrics(
            Metric.newBuilder().setName("bdSeq").setDatatype(DataType.Int64_VALUE).setLongValue(0));
  }

  private static byte[] birth() {
    Payload.Builder payload = birthNumber(Payload.newBuilder()).setSeq(0);
    for (int i = 0; i < METRICS; i++) {
      payload.addMetrics(metric(i, 0).setName("cell-%d/temperature".formatted(i)));
    }
    return payload.build().toByteArray();
  }

  /** Data as edge nodes send it. */
  static byte[] data(int seq) {
    Payload.Builder payload = Payload.newBuilder().setTimestamp(MILLIS).setSeq(seq);
    for (int i = 0; i < METRICS; i++) {
      payload.addMetrics(metric(i, seq + i / 8.0));
    }
    return payload.build().toByteArray();
  }

  /** Tahu's encoder says the type of each value; its decoder cannot do without. */
  private static Metric.Builder metric(int alias, double value) {
    return Metric.newBuilder()
        .setAlias(alias)
        .setTimestamp(MILLIS)
        .setDatatype(DataType.Double_VALUE)
        .setDoubleValue(value);
  }
}
