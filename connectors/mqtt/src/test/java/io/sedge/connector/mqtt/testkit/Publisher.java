package io.sedge.connector.mqtt.testkit;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Publishes, and goes on after an outage until every message of QoS 1 and 2 is acknowledged. */
public final class Publisher implements AutoCloseable {
  private static final int WINDOW = 500;

  private final Mqtt5AsyncClient client;
  private final Semaphore window = new Semaphore(WINDOW);
  private final AtomicLong failed = new AtomicLong();

  public Publisher(int port) {
    client =
        Mqtt5Client.builder()
            .identifier("publisher-" + UUID.randomUUID())
            .serverHost("127.0.0.1")
            .serverPort(port)
            .automaticReconnect()
            .initialDelay(20, TimeUnit.MILLISECONDS)
            .maxDelay(200, TimeUnit.MILLISECONDS)
            .applyAutomaticReconnect()
            .addDisconnectedListener(
                event -> event.getReconnector().republishIfSessionExpired(true))
            .buildAsync();
    client.connectWith().cleanStart(true).sessionExpiryInterval(600).send().join();
  }

  public void send(String topic, int qos, String payload) {
    send(topic, qos, false, payload.getBytes(StandardCharsets.UTF_8));
  }

  public void send(String topic, int qos, boolean retain, byte[] payload) {
    window.acquireUninterruptibly();
    CompletableFuture<?> ignored =
        client
            .publishWith()
            .topic(topic)
            .qos(MqttQos.fromCode(qos))
            .retain(retain)
            .payload(payload)
            .send()
            .whenComplete(
                (_, thrown) -> {
                  if (thrown != null) {
                    failed.incrementAndGet();
                  }
                  window.release();
                });
  }

  /** Waits until the broker has everything. */
  public void settle() {
    Await.until(
        Duration.ofSeconds(60),
        () -> window.availablePermits() == WINDOW,
        () -> WINDOW - window.availablePermits() + " not acknowledged");
    if (failed.get() > 0) {
      throw new AssertionError(failed.get() + " messages could not be published");
    }
  }

  @Override
  public void close() {
    if (client.getState().isConnected()) {
      client.disconnect().join();
    }
  }
}
