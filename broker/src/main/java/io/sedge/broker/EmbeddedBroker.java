package io.sedge.broker;

import io.sedge.broker.internal.BrokerSettings;
import io.sedge.broker.internal.HiveMqBroker;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An MQTT broker (5 and 3.1.1) in this process.
 *
 * <p>By default it listens on loopback, on any free port, keeps everything in memory and lets
 * anybody on this machine connect. It listens elsewhere only with mutual TLS. Its queues are
 * bounded: a client that is away or slow gets up to {@link Builder#maxQueuedMessages} messages
 * later, or as many as its share of the heap holds if all is in memory, and newer ones are
 * discarded, as MQTT allows a broker. Any thread may call it.
 */
public final class EmbeddedBroker implements AutoCloseable {
  private final HiveMqBroker running;
  private final BrokerSettings settings;

  private EmbeddedBroker(BrokerSettings settings) {
    this.settings = settings;
    this.running = HiveMqBroker.start(settings);
  }

  public static Builder builder() {
    return new Builder();
  }

  /** The port that it listens on. */
  public int port() {
    return running.port();
  }

  /** What clients connect to: {@code mqtt://127.0.0.1:1883}, or {@code mqtts://…} with TLS. */
  public String url() {
    String host = settings.address().getHostAddress();
    return "%s://%s:%d"
        .formatted(
            settings.tls() == null ? "mqtt" : "mqtts",
            host.contains(":") ? "[" + host + "]" : host,
            port());
  }

  /** What went through it so far; after {@link #close} too. */
  public BrokerTraffic traffic() {
    return running.traffic();
  }

  /** Disconnects all clients and stops; with a data directory it takes up to a few seconds. */
  @Override
  public void close() {
    running.close();
  }

  /** Collects what a broker shall be; one thread. */
  public static final class Builder {
    private String host = "127.0.0.1";
    private int port;
    private @Nullable Path dataDirectory;
    private int maxQueuedMessages = 100_000;
    private int maxPayloadBytes = 16 * 1024 * 1024;
    private @Nullable BrokerTls tls;
    private BrokerSettings.@Nullable Login login;

    private Builder() {}

    /** The address or name to listen on; anything but loopback needs {@link #tls}. */
    public Builder host(String newHost) {
      host = newHost;
      return this;
    }

    /** The port to listen on, 0 for any that is free. */
    public Builder port(int newPort) {
      port = newPort;
      return this;
    }

    /** Keeps sessions, queues and retained messages in a directory, so that they outlive it. */
    public Builder dataDirectory(Path directory) {
      dataDirectory = directory;
      return this;
    }

    /** How many messages are kept for each client that is away or slow; at least 1. */
    public Builder maxQueuedMessages(int messages) {
      maxQueuedMessages = messages;
      return this;
    }

    /** The largest payload that is taken, in bytes; a client that sends more is disconnected. */
    public Builder maxPayloadBytes(int bytes) {
      maxPayloadBytes = bytes;
      return this;
    }

    /** Talks mutual TLS and nothing else. */
    public Builder tls(BrokerTls newTls) {
      tls = newTls;
      return this;
    }

    /** Lets in only who gives this user name and password. */
    public Builder login(String user, String password) {
      login = new BrokerSettings.Login(user, password);
      return this;
    }

    /**
     * Starts it and waits until it listens.
     *
     * @throws IllegalArgumentException if a setting is not allowed
     * @throws BrokerException if it cannot start: the port is taken, the data directory is in use
     */
    public EmbeddedBroker start() {
      if (port < 0 || port > 65_535) {
        throw new IllegalArgumentException("port %d is not in 0 to 65535".formatted(port));
      }
      if (maxQueuedMessages < 1) {
        throw new IllegalArgumentException(
            "at most %d queued messages: at least 1 is needed".formatted(maxQueuedMessages));
      }
      if (maxPayloadBytes < 1) {
        throw new IllegalArgumentException(
            "payloads of at most %d bytes: at least 1 is needed".formatted(maxPayloadBytes));
      }
      return new EmbeddedBroker(
          new BrokerSettings(
              address(), port, dataDirectory, maxQueuedMessages, maxPayloadBytes, tls, login));
    }

    private InetAddress address() {
      InetAddress address;
      try {
        address = InetAddress.getByName(host);
      } catch (UnknownHostException e) {
        throw new IllegalArgumentException(
            "the broker shall listen on '%s', but no such host is known".formatted(host), e);
      }
      if (!address.isLoopbackAddress() && tls == null) {
        throw new IllegalArgumentException(
            "the broker shall listen on %s, which others can reach, without TLS; give it a"
                    .formatted(host)
                + " certificate and the authority of its clients, or use 127.0.0.1");
      }
      return address;
    }
  }
}
