package io.sedge.connector.sparkplug.testkit;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5DisconnectReasonCode;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.tahu.protobuf.SparkplugBProto.Payload.Metric;

/**
 * An edge node that does what a test says, also what it should not. It answers each request for a
 * rebirth with its birth.
 */
public final class PlainNode implements AutoCloseable {
  private final String group;
  private final String name;
  private final long bdSeq;
  private final Metric[] metrics;
  private final Mqtt5AsyncClient client;
  private final AtomicInteger rebirths = new AtomicInteger();
  private int seq;

  /**
   * Connects; it is not born yet.
   *
   * @param bdSeq the number of its session
   * @param metrics of its birth
   */
  public PlainNode(int port, String group, String name, long bdSeq, Metric... metrics) {
    this.group = group;
    this.name = name;
    this.bdSeq = bdSeq;
    this.metrics = metrics.clone();
    this.client =
        Mqtt5Client.builder()
            .identifier("node-" + UUID.randomUUID())
            .serverHost("127.0.0.1")
            .serverPort(port)
            .willPublish()
            .topic(topic("NDEATH"))
            .payload(Messages.death(bdSeq))
            .qos(MqttQos.AT_LEAST_ONCE)
            .applyWillPublish()
            .buildAsync();
    client.connect().join();
    client
        .subscribeWith()
        .topicFilter(topic("NCMD"))
        .qos(MqttQos.AT_LEAST_ONCE)
        .callback(this::command)
        .send()
        .join();
  }

  private String topic(String type) {
    return "spBv1.0/%s/%s/%s".formatted(group, type, name);
  }

  private void command(Mqtt5Publish command) {
    rebirths.incrementAndGet();
    birth();
  }

  /** How often it was asked for its birth. */
  public int rebirths() {
    return rebirths.get();
  }

  public synchronized void birth() {
    seq = 0;
    Metric[] all = new Metric[metrics.length + 1];
    all[0] = Messages.bdSeq(bdSeq);
    System.arraycopy(metrics, 0, all, 1, metrics.length);
    send(topic("NBIRTH"), all);
  }

  public synchronized void deviceBirth(String device, Metric... values) {
    send(topic("DBIRTH") + "/" + device, values);
  }

  public synchronized void data(Metric... values) {
    send(topic("NDATA"), values);
  }

  public synchronized void deviceData(String device, Metric... values) {
    send(topic("DDATA") + "/" + device, values);
  }

  /** Numbers a message that is never sent. */
  public synchronized void lose() {
    seq++;
  }

  /** In the order of calls; does not wait, since births are sent on the client's own thread. */
  private void send(String topic, Metric... values) {
    CompletableFuture<?> ignored =
        client
            .publishWith()
            .topic(topic)
            .qos(MqttQos.AT_MOST_ONCE)
            .payload(Messages.message(seq++ & 0xFF, values))
            .send();
  }

  /** Ends so that the broker publishes its death. */
  public void die() {
    client
        .disconnectWith()
        .reasonCode(Mqtt5DisconnectReasonCode.DISCONNECT_WITH_WILL_MESSAGE)
        .send()
        .join();
  }

  @Override
  public void close() {
    if (client.getState().isConnected()) {
      client.disconnect().join();
    }
  }
}
