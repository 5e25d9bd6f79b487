package io.sedge.connector.mqtt.internal;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The few things that a connection needs of the HiveMQ client, the same for both versions. */
interface Client {
  /** How the first connection of this process begins. Later ones take up the session. */
  record Begin(boolean cleanStart, long sessionExpirySeconds, int receiveMaximum, int maxPacket) {}

  /** The broker's answer to a connection that was made. */
  record Session(boolean present) {}

  /** Hands every message to a consumer, on the connection's thread; once, before connecting. */
  void receive(Consumer<Incoming> consumer);

  /** Begins to connect; whether it worked is told to the listeners. */
  void connect(Begin begin);

  /** Completes exceptionally if the broker refuses one of the filters. */
  CompletableFuture<?> subscribe(List<String> filters, int qos);

  /** Completes when the broker has the message as surely as its QoS says. */
  CompletableFuture<?> publish(Outgoing message);

  /**
   * Disconnects.
   *
   * @param forget whether the broker shall end the session; only MQTT 5 can
   */
  CompletableFuture<?> disconnect(boolean forget);
}
