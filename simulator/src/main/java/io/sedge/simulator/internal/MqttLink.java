package io.sedge.simulator.internal;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.lifecycle.MqttClientDisconnectedContext;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5ClientBuilder;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.sedge.simulator.SimulationOptions;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The simulation's connection to its broker. {@link #publish} and {@link #drain} belong to one
 * thread; commands arrive on the client's.
 */
public final class MqttLink implements AutoCloseable {
  /** Readings that may be on their way without an acknowledgement. */
  public static final int MAX_IN_FLIGHT = 2048;

  private static final long CONNECT_SECONDS = 15;

  /** So often it is tried to connect at first, a second apart: the broker may still be starting. */
  private static final int FIRST_ATTEMPTS = 10;

  private static final long RECONNECT_SECONDS = 1;
  private static final long ROOM_MILLIS = 100;
  private static final long SESSION_SECONDS = 3_600;
  private static final int MQTT_PORT = 1883;
  private static final int MQTTS_PORT = 8883;

  private final Mqtt5AsyncClient client;
  private final AtomicBoolean connectedOnce = new AtomicBoolean();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final Semaphore room = new Semaphore(MAX_IN_FLIGHT);
  private final Consumer<String> log;
  private final String broker;

  private MqttLink(SimulationOptions options, Consumer<String> log) {
    this.log = log;
    this.broker = options.broker().toString();
    boolean tls = "mqtts".equals(options.broker().getScheme());
    int port = options.broker().getPort();
    Mqtt5ClientBuilder builder =
        MqttClient.builder()
            .useMqttVersion5()
            .identifier("sedge-" + options.subject().text() + "-" + UUID.randomUUID())
            .serverHost(options.broker().getHost())
            .serverPort(port >= 0 ? port : tls ? MQTTS_PORT : MQTT_PORT)
            .addConnectedListener(context -> connected())
            .addDisconnectedListener(this::disconnected);
    if (tls) {
      builder = builder.sslWithDefaultConfig();
    }
    if (options.credentials().isPresent()) {
      SimulationOptions.Credentials credentials = options.credentials().get();
      builder =
          builder
              .simpleAuth()
              .username(credentials.user())
              .password(credentials.password().getBytes(StandardCharsets.UTF_8))
              .applySimpleAuth();
    }
    client = builder.buildAsync();
  }

  /**
   * Connects and subscribes to the commands.
   *
   * @param commands takes topic and payload of each
   * @throws IOException if the broker does not answer or refuses
   */
  public static MqttLink connect(
      SimulationOptions options, BiConsumer<String, byte[]> commands, Consumer<String> log)
      throws IOException, InterruptedException {
    MqttLink link = new MqttLink(options, log);
    link.await(
        link.client.connectWith().cleanStart(true).sessionExpiryInterval(SESSION_SECONDS).send(),
        "connect");
    for (String filter : Commands.topicFilters(options.subject())) {
      link.await(
          link.client
              .subscribeWith()
              .topicFilter(filter)
              .qos(MqttQos.AT_LEAST_ONCE)
              .callback(
                  publish ->
                      commands.accept(publish.getTopic().toString(), publish.getPayloadAsBytes()))
              .send(),
          "subscribe to " + filter);
    }
    return link;
  }

  private void await(CompletableFuture<?> answer, String what)
      throws IOException, InterruptedException {
    try {
      answer.get(CONNECT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      close();
      throw new IOException(
          "%s: cannot %s: %s"
              .formatted(broker, what, reason(Objects.requireNonNullElse(e.getCause(), e))),
          e);
    } catch (TimeoutException e) {
      close();
      throw new IOException(
          "%s: cannot %s: no answer within %d s".formatted(broker, what, CONNECT_SECONDS), e);
    }
  }

  private void connected() {
    log.accept((connectedOnce.getAndSet(true) ? "connected again to " : "connected to ") + broker);
  }

  /** In few words; the client wraps what the operating system said. */
  private static String reason(Throwable thrown) {
    Throwable cause = thrown;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause instanceof ConnectException
        ? "nobody listens there"
        : Objects.requireNonNullElse(cause.getMessage(), cause.toString());
  }

  /** Once it has been connected it comes back by itself, with what was not acknowledged. */
  private void disconnected(MqttClientDisconnectedContext context) {
    if (closing.get()) {
      return;
    }
    int attempts = context.getReconnector().getAttempts();
    if (connectedOnce.get() || attempts < FIRST_ATTEMPTS) {
      if (attempts == 0) {
        log.accept("%s is away (%s); trying again".formatted(broker, reason(context.getCause())));
      }
      context
          .getReconnector()
          .reconnect(true)
          .republishIfSessionExpired(true)
          .delay(RECONNECT_SECONDS, TimeUnit.SECONDS);
    }
  }

  /**
   * Waits while too many are on their way.
   *
   * @param stopped ends the waiting; asked ten times a second
   * @return whether there is room for one more, which {@link #publish} must then take
   */
  public boolean awaitRoom(BooleanSupplier stopped) throws InterruptedException {
    while (!room.tryAcquire(ROOM_MILLIS, TimeUnit.MILLISECONDS)) {
      if (stopped.getAsBoolean()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Publishes at QoS 1, after {@link #awaitRoom}.
   *
   * @param done told, on a thread of the client's, whether the broker has acknowledged it
   */
  public void publish(String topic, byte[] payload, Consumer<Boolean> done) {
    Mqtt5Publish message =
        Mqtt5Publish.builder().topic(topic).qos(MqttQos.AT_LEAST_ONCE).payload(payload).build();
    CompletableFuture<?> _ =
        client
            .publish(message)
            .whenComplete(
                (result, failure) -> {
                  done.accept(failure == null && result.getError().isEmpty());
                  room.release();
                });
  }

  /** Waits until all is acknowledged, if the broker is there; whether it was in time. */
  public boolean drain(long time, TimeUnit unit) throws InterruptedException {
    boolean empty =
        room.tryAcquire(MAX_IN_FLIGHT, client.getState().isConnected() ? time : 0, unit);
    if (empty) {
      room.release(MAX_IN_FLIGHT);
    }
    return empty;
  }

  @Override
  public void close() {
    closing.set(true);
    if (client.getState().isConnected()) {
      client
          .disconnectWith()
          .sessionExpiryInterval(0)
          .send()
          .orTimeout(CONNECT_SECONDS, TimeUnit.SECONDS)
          .exceptionally(failure -> null)
          .join();
    }
  }
}
