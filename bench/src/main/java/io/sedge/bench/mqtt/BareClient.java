package io.sedge.bench.mqtt;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import java.nio.charset.StandardCharsets;

/**
 * The MQTT library alone, the one that Sedge uses: acknowledges each message and reads nothing of
 * it but its time.
 */
public final class BareClient implements MqttConsumer.Client {
  @Override
  public void run(int port, Arrivals arrivals) throws Exception {
    Mqtt5AsyncClient client = client(MqttConsumer.CLIENT, port);
    client.publishes(MqttGlobalPublishFilter.ALL, message -> arrivals.arrived(due(message)));
    connect(client);
    arrivals.await();
    client.disconnect().join();
  }

  /** Makes the broker keep what is published from now on. */
  static void openSession(int port) {
    Mqtt5AsyncClient client = client(MqttConsumer.CLIENT, port);
    connect(client);
    client.subscribeWith().topicFilter(MqttConsumer.FILTER).send().join();
    client.disconnectWith().sessionExpiryInterval(3600).send().join();
  }

  static Mqtt5AsyncClient client(String name, int port) {
    return Mqtt5Client.builder()
        .identifier(name)
        .serverHost("127.0.0.1")
        .serverPort(port)
        .buildAsync();
  }

  private static void connect(Mqtt5AsyncClient client) {
    client.connectWith().cleanStart(false).sessionExpiryInterval(3600).send().join();
  }

  private static long due(Mqtt5Publish message) {
    String payload = new String(message.getPayloadAsBytes(), StandardCharsets.UTF_8);
    int from = MqttPublisher.TIME.length();
    return Long.parseLong(payload, from, payload.indexOf(',', from), 10);
  }
}
