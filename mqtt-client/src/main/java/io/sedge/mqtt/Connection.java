package io.sedge.mqtt;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttClientBuilder;
import com.hivemq.client.mqtt.MqttClientExecutorConfig;
import com.hivemq.client.mqtt.MqttClientTransportConfig;
import com.hivemq.client.mqtt.MqttClientTransportConfigBuilder;
import com.hivemq.client.mqtt.exceptions.ConnectionFailedException;
import com.hivemq.client.mqtt.lifecycle.MqttClientConnectedContext;
import com.hivemq.client.mqtt.lifecycle.MqttClientDisconnectedContext;
import com.hivemq.client.mqtt.lifecycle.MqttClientReconnector;
import com.hivemq.client.mqtt.lifecycle.MqttDisconnectSource;
import com.hivemq.client.mqtt.mqtt3.Mqtt3ClientBuilder;
import com.hivemq.client.mqtt.mqtt3.lifecycle.Mqtt3ClientConnectedContext;
import com.hivemq.client.mqtt.mqtt5.Mqtt5ClientBuilder;
import com.hivemq.client.mqtt.mqtt5.lifecycle.Mqtt5ClientConnectedContext;
import io.reactivex.schedulers.Schedulers;
import io.sedge.connector.Backoff;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.PemFiles;
import io.sedge.mqtt.Client.Begin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a broker that is made again whenever it is lost, for as long as it is open.
 *
 * <p>States: connecting, connected, waiting to connect again, stopped. It stops when it is closed,
 * or when the broker refuses the very first connection for a reason that trying again does not mend
 * (a wrong login, a client identifier that it does not take); then {@link #failure} says why. Once
 * it has been connected nothing but {@link #close} stops it. The listener and everything that comes
 * from the client run on one thread of the connection's own, which ends when it has stopped.
 */
public final class Connection implements AutoCloseable {
  /**
   * The client logs each message that comes when it is already disconnecting, by the ten thousand;
   * what matters is told to the listeners and reported once. Held, so that its level stays.
   */
  private static final Logger CLIENT_LOG = Logger.getLogger("com.hivemq.client.internal");

  /**
   * How long a client that another one of the same name has pushed out leaves that in peace, at
   * least: a site stops the older reader of a task within this time, whichever was pushed out.
   */
  private static final Duration AFTER_TAKEOVER = Duration.ofSeconds(3);

  private static final Duration LONGEST_CLOSE = Duration.ofSeconds(10);

  /** Told of what happens, on the connection's thread. */
  public interface Listener {
    /**
     * @param first whether it is the first connection of this process
     * @param sessionPresent whether the broker has kept the session
     */
    void connected(boolean first, boolean sessionPresent);

    void disconnected();

    /** It has stopped for good; {@link Connection#failure} says why. */
    void failed();
  }

  private final ConnectionSettings settings;
  private final ConnectorContext context;
  private final Listener listener;
  private final Client client;
  private final String clientId;
  private final Outage outage;
  private final Optional<ReceiveLimit> receiveLimit = ReceiveLimit.find();
  private volatile @Nullable ConnectorException failure;
  private volatile boolean connected;
  private volatile boolean closed;
  private volatile @Nullable CompletableFuture<@Nullable Void> waiting;
  private boolean everConnected;
  private volatile boolean retired;
  private @Nullable Begin begun;

  public Connection(ConnectionSettings settings, ConnectorContext context, Listener listener) {
    CLIENT_LOG.setLevel(Level.OFF);
    this.settings = settings;
    this.context = context;
    this.listener = listener;
    RandomGenerator random = ThreadLocalRandom.current();
    String given = settings.clientId();
    this.clientId =
        given == null ? "sedge-%s-%08x".formatted(settings.table(), random.nextInt()) : given;
    this.outage = new Outage(new Backoff(settings.minDelay(), settings.maxDelay(), random));
    settings.checkFiles(context);
    this.client = client();
  }

  private Client client() {
    MqttClientBuilder builder =
        MqttClient.builder()
            .identifier(clientId)
            .transportConfig(transport())
            .executorConfig(
                MqttClientExecutorConfig.builder()
                    .nettyExecutor(
                        task ->
                            Thread.ofPlatform()
                                .daemon()
                                .name("sedge-mqtt-" + settings.table())
                                .start(task))
                    .nettyThreads(1)
                    .applicationScheduler(Schedulers.from(Runnable::run))
                    .build())
            .addConnectedListener(this::onConnected)
            .addDisconnectedListener(this::onDisconnected);
    PacketIdentity identity = PacketIdentity.find().orElse(null);
    return settings.version5() ? version5(builder, identity) : version3(builder, identity);
  }

  private MqttClientTransportConfig transport() {
    MqttClientTransportConfigBuilder builder =
        MqttClientTransportConfig.builder()
            .serverHost(settings.broker().host())
            .serverPort(settings.broker().port())
            .socketConnectTimeout(settings.timeout().toMillis(), TimeUnit.MILLISECONDS)
            .mqttConnectTimeout(settings.timeout().toMillis(), TimeUnit.MILLISECONDS);
    TlsSettings tls = settings.tls();
    if (tls != null) {
      Tls files = new Tls(new PemFiles(settings.table(), context));
      builder = builder.sslConfig(files.configuration(tls, settings.timeout()));
    }
    return builder.build();
  }

  private Client version5(MqttClientBuilder common, @Nullable PacketIdentity identity) {
    Mqtt5ClientBuilder builder = common.useMqttVersion5();
    String user = settings.user();
    byte[] password = password();
    if (user != null && password != null) {
      builder = builder.simpleAuth().username(user).password(password).applySimpleAuth();
    } else if (user != null) {
      builder = builder.simpleAuth().username(user).applySimpleAuth();
    } else if (password != null) {
      builder = builder.simpleAuth().password(password).applySimpleAuth();
    }
    return new Client5(builder.buildAsync(), settings.keepAliveSeconds(), identity);
  }

  private Client version3(MqttClientBuilder common, @Nullable PacketIdentity identity) {
    Mqtt3ClientBuilder builder = common.useMqttVersion3();
    String user = settings.user();
    byte[] password = password();
    if (user != null && password != null) {
      builder = builder.simpleAuth().username(user).password(password).applySimpleAuth();
    } else if (user != null) {
      builder = builder.simpleAuth().username(user).applySimpleAuth();
    } else if (password != null) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "table %s: a password without 'username' is not possible in MQTT 3.1.1"
              .formatted(settings.table()));
    }
    return new Client3(builder.buildAsync(), settings.keepAliveSeconds(), identity);
  }

  private byte @Nullable [] password() {
    Path file = settings.passwordFile();
    String password = settings.password();
    if (file != null) {
      try {
        password =
            Files.readAllLines(context.directory().resolve(file)).stream().findFirst().orElse("");
      } catch (IOException e) {
        throw new ConnectorException(
            ConnectorException.Kind.USER,
            "table %s: 'password-file' = '%s' cannot be read: %s"
                .formatted(settings.table(), file, e),
            e);
      }
    }
    return password == null ? null : password.getBytes(StandardCharsets.UTF_8);
  }

  /** Begins to connect; does not wait. */
  public void open(Begin begin) {
    synchronized (this) {
      if (closed) {
        return;
      }
      begun = begin;
    }
    client.connect(begin);
  }

  public Client mqtt() {
    return client;
  }

  public boolean isConnected() {
    return connected;
  }

  /** Why it has stopped for good, or null if it has not. */
  public @Nullable ConnectorException failure() {
    return failure;
  }

  /** Stops for good with a reason; any thread. */
  public void fail(ConnectorException reason) {
    failure = reason;
    context.report(Severity.ERROR, String.valueOf(reason.getMessage()));
    listener.failed();
  }

  private void onConnected(MqttClientConnectedContext event) {
    receiveLimit.ifPresent(limit -> limit.lift(event.getClientConfig()));
    boolean present =
        switch (event) {
          case Mqtt5ClientConnectedContext five -> five.getConnAck().isSessionPresent();
          case Mqtt3ClientConnectedContext three -> three.getConnAck().isSessionPresent();
          default -> false;
        };
    if (closed) {
      disconnectLate();
      return;
    }
    boolean first = !everConnected;
    outage.connected(context.clock().millis()).ifPresent(this::reportConnected);
    everConnected = true;
    if (transitionToConnected()) {
      listener.connected(first, present);
    } else {
      disconnectLate();
    }
  }

  /** Returns false if it was closed meanwhile: then {@link #close} found nothing to disconnect. */
  private synchronized boolean transitionToConnected() {
    connected = !closed;
    return connected;
  }

  private void reportConnected(int failedAttempts) {
    context.report(
        Severity.INFO,
        "table %s: connected to %s%s"
            .formatted(
                settings.table(),
                settings.broker(),
                switch (failedAttempts) {
                  case 0 -> "";
                  case 1 -> " after 1 failed attempt";
                  default -> " after %d failed attempts".formatted(failedAttempts);
                }));
  }

  private void onDisconnected(MqttClientDisconnectedContext event) {
    boolean was = connected;
    connected = false;
    if (was) {
      listener.disconnected();
    }
    if (closed || failure != null || event.getSource() == MqttDisconnectSource.USER) {
      client.end();
      return;
    }
    Throwable cause = cause(event.getCause());
    if (!everConnected && Refusals.isFinal(cause)) {
      fail(
          new ConnectorException(
              ConnectorException.Kind.USER,
              "table %s: %s refuses client '%s': %s"
                  .formatted(
                      settings.table(), settings.broker(), clientId, Refusals.explain(cause)),
              cause));
      client.end();
      return;
    }
    Outage.Step step = outage.failed(was, context.clock().millis());
    boolean takenOver = Refusals.isTakenOver(cause);
    Duration delay =
        takenOver && step.delay().compareTo(AFTER_TAKEOVER) < 0 ? AFTER_TAKEOVER : step.delay();
    if (step.said()) {
      context.report(
          Refusals.isFinal(cause) ? Severity.ERROR : Severity.WARNING,
          "table %s: %s %s: %s%s; next attempt in %.1f s"
              .formatted(
                  settings.table(),
                  was ? "lost the connection to" : "cannot connect to",
                  settings.broker(),
                  everConnected
                      ? Refusals.explain(cause)
                      : Refusals.explainAttempt(cause, settings.broker()),
                  (takenOver || step.shortLived()) && settings.clientId() != null
                      ? "; does another client have the 'client-id' '%s'?".formatted(clientId)
                      : "",
                  delay.toMillis() / 1000.0));
    }
    tryAgain(event.getReconnector(), delay);
  }

  private void tryAgain(MqttClientReconnector reconnector, Duration delay) {
    CompletableFuture<@Nullable Void> wait = new CompletableFuture<>();
    waiting = wait;
    if (closed) {
      client.end();
      return;
    }
    wait.completeOnTimeout(null, delay.toMillis(), TimeUnit.MILLISECONDS);
    reconnector
        .reconnectWhen(
            wait,
            (_, _) -> {
              if (closed || failure != null) {
                reconnector.reconnect(false);
                client.end();
              } else if (begun != null && begun.will() != null) {
                client.beginAnew(reconnector, begun);
              }
            })
        // Else the client forgets with the session who receives, and acknowledges what comes. What
        // it published it may give up: a sink sends it again, and no thread waits for it for ever.
        .resubscribeIfSessionExpired(true);
  }

  /** It was closed while it was connecting; by now the session may be somebody else's. */
  private void disconnectLate() {
    CompletableFuture<?> ignored = disconnect(false);
  }

  /**
   * @param last whether nobody is to go on with the session
   */
  private synchronized CompletableFuture<?> disconnect(boolean last) {
    return client.disconnect(last || (begun != null && !begun.resumable()));
  }

  private static Throwable cause(Throwable thrown) {
    Throwable cause = thrown.getCause();
    return thrown instanceof ConnectionFailedException && cause != null ? cause : thrown;
  }

  /** Returns whether there is a connection to end. */
  private synchronized boolean transitionToClosed() {
    closed = true;
    if (begun == null) {
      client.end();
    }
    return connected;
  }

  /** Nobody will go on with the session, though somebody might have. */
  public void retire() {
    retired = true;
  }

  /** Disconnects; the broker ends the session too if nobody goes on with it. Waits a little. */
  @Override
  public void close() {
    boolean wasConnected = transitionToClosed();
    CompletableFuture<@Nullable Void> wait = waiting;
    if (wait != null) {
      wait.complete(null);
    }
    if (!wasConnected) {
      return;
    }
    Duration patience =
        settings.timeout().compareTo(LONGEST_CLOSE) < 0 ? settings.timeout() : LONGEST_CLOSE;
    try {
      disconnect(retired).get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException e) {
      reportUnclean("no answer for %d s".formatted(patience.toSeconds()));
    } catch (ExecutionException e) {
      Throwable failure = e.getCause() == null ? e : e.getCause();
      if (!Refusals.isOver(failure)) {
        reportUnclean(Refusals.explain(failure));
      }
    }
  }

  private void reportUnclean(String reason) {
    context.report(
        Severity.WARNING,
        "table %s: the connection to %s did not end cleanly: %s"
            .formatted(settings.table(), settings.broker(), reason));
  }
}
