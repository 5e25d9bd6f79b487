package io.sedge.mqtt;

import com.hivemq.client.mqtt.lifecycle.MqttClientReconnector;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The few things that a connection needs of the HiveMQ client, the same for both versions. */
public interface Client {
  /**
   * How the first connection of this process begins. Later ones take up the session, unless there
   * is a will: then each begins like the first.
   *
   * @param resumable whether another process may go on with the session
   * @param will gives what the broker publishes if the connection ends without a word, anew for
   *     each connection and on its thread; null for nothing
   */
  record Begin(
      boolean cleanStart,
      long sessionExpirySeconds,
      boolean resumable,
      int receiveMaximum,
      int maxPacket,
      @Nullable Supplier<Outgoing> will) {
    /** Without a will. */
    public Begin(
        boolean cleanStart,
        long sessionExpirySeconds,
        boolean resumable,
        int receiveMaximum,
        int maxPacket) {
      this(cleanStart, sessionExpirySeconds, resumable, receiveMaximum, maxPacket, null);
    }
  }

  /**
   * Hands every message to a consumer, on the connection's thread, until the {@link #end}; once,
   * before connecting.
   */
  void receive(Consumer<Incoming> consumer);

  /**
   * Lets go of the connection's thread, which the client else keeps for as long as the session may
   * last. To be called once there is no connection and none will be made: the client acknowledges
   * what nobody receives. Any thread; more than once does no more.
   */
  void end();

  /** Begins to connect; whether it worked is told to the listeners. */
  void connect(Begin begin);

  /** Has the next connection begin as the first did; on the connection's thread. */
  void beginAnew(MqttClientReconnector reconnector, Begin begin);

  /**
   * Subscribes.
   *
   * @param retained whether messages that the broker has kept are wanted too, where the session
   *     does not have the subscription yet; MQTT 3.1.1 always sends them
   * @return completes exceptionally if the broker refuses one of the filters
   */
  CompletableFuture<?> subscribe(List<String> filters, int qos, boolean retained);

  /** Completes when the broker has the message as surely as its QoS says. */
  CompletableFuture<?> publish(Outgoing message);

  /**
   * Disconnects.
   *
   * @param forget whether the broker shall end the session; in MQTT 3.1.1 it can only be told to
   *     put no more into it
   */
  CompletableFuture<?> disconnect(boolean forget);
}
