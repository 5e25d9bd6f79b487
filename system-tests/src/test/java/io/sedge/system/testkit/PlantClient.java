package io.sedge.system.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient.Mqtt5Publishes;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Somebody at the plant's broker, who breaks machines and sees what comes of it. */
public final class PlantClient implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Mqtt5BlockingClient client;
  private final Mqtt5Publishes publishes;

  private PlantClient(String url) {
    client =
        Mqtt5Client.builder()
            .identifier("plant-client")
            .serverHost("127.0.0.1")
            .serverPort(Integer.parseInt(url.substring(url.lastIndexOf(':') + 1)))
            .buildBlocking();
    client.connect();
    publishes = client.publishes(MqttGlobalPublishFilter.ALL);
  }

  /**
   * Connects.
   *
   * @param url of the broker, {@code mqtt://127.0.0.1:1883}
   * @param topics what is heard: filters
   */
  public static PlantClient at(String url, String... topics) {
    PlantClient plant = new PlantClient(url);
    for (String topic : topics) {
      plant.client.subscribeWith().topicFilter(topic).qos(MqttQos.AT_LEAST_ONCE).send();
    }
    return plant;
  }

  /** Switches a fault on. */
  public void breakDown(String fault) {
    send(fault, "on");
  }

  /** Switches a fault off. */
  public void repair(String fault) {
    send(fault, "off");
  }

  private void send(String fault, String state) {
    client
        .publishWith()
        .topic("sim/fault/" + fault)
        .qos(MqttQos.AT_LEAST_ONCE)
        .payload(state.getBytes(UTF_8))
        .send();
  }

  /** Waits for a message; what it says. */
  public String await(String topic, Predicate<String> payload) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    for (long left = PATIENCE.toNanos(); left > 0; left = deadline - System.nanoTime()) {
      Optional<Mqtt5Publish> message = publishes.receive(left, TimeUnit.NANOSECONDS);
      if (message.isPresent() && message.get().getTopic().toString().equals(topic)) {
        String text = new String(message.get().getPayloadAsBytes(), UTF_8);
        if (payload.test(text)) {
          return text;
        }
      }
    }
    throw new AssertionError("no such message of topic %s within %s".formatted(topic, PATIENCE));
  }

  @Override
  public void close() {
    publishes.close();
    client.disconnect();
  }
}
