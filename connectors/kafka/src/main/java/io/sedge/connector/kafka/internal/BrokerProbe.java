package io.sedge.connector.kafka.internal;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.apache.kafka.common.config.ConfigException;

/**
 * Asks brokers for what Kafka's clients do not say: they wait, where a name is not known, nobody
 * listens, TLS or a login is expected, or a broker names an address that leads nowhere. A client
 * that talks without TLS to an entrance with TLS takes an alert for a length, and may use up the
 * memory of the device: {@link #refuseTls} comes before it.
 *
 * <p>Each step has a time-out. A verdict is given only where Kafka's client would fail, too.
 */
final class BrokerProbe {
  private static final int TIMEOUT_MS = 3_000;
  private static final int MOST_SERVERS = 5;
  private static final int MOST_BROKERS = 3;

  private static final int MOST_PORT = 65_535;

  /** An address of version 6 stands in brackets; a protocol may stand before. */
  private static final Pattern SERVER =
      Pattern.compile("(?:[A-Za-z0-9_]+://)?\\[?([^\\[\\]/]+?)]?:(\\d{1,5})");

  private static final String PROTOCOL = KafkaOptions.PROPERTIES + "security.protocol";

  /** What a connection is asked first. */
  private enum Answer {
    KAFKA,
    TLS,
    /** Too slow to be told. */
    NONE,
    OTHER
  }

  private record Server(String host, int port) {
    @Override
    public String toString() {
      return host + ":" + port;
    }
  }

  private final List<Optional<Server>> servers;
  private final String protocol;

  BrokerProbe(ClientProperties client) {
    this.servers = Arrays.stream(client.servers().split(",", -1)).map(BrokerProbe::server).toList();
    this.protocol = client.protocol();
  }

  /** Empty for what Kafka's client refuses. */
  private static Optional<Server> server(String text) {
    Matcher place = SERVER.matcher(text.strip());
    return place.matches() && Integer.parseInt(place.group(2)) <= MOST_PORT
        ? Optional.of(new Server(place.group(1), Integer.parseInt(place.group(2))))
        : Optional.empty();
  }

  private boolean usesTls() {
    return protocol.endsWith("SSL");
  }

  private boolean usesLogin() {
    return protocol.startsWith("SASL");
  }

  /**
   * To be called before the first client of an attempt. Asks nothing if the client uses TLS. Blocks
   * for milliseconds where brokers answer, else for some seconds for each server.
   *
   * @throws ConfigException if a server talks TLS and the client would not
   */
  void refuseTls() {
    if (usesTls()) {
      return;
    }
    servers.stream()
        .limit(MOST_SERVERS)
        .flatMap(Optional::stream)
        .filter(server -> unreached(server).isEmpty() && answer(server) == Answer.TLS)
        .findFirst()
        .ifPresent(
            server -> {
              throw new ConfigException(talksTls(server));
            });
  }

  /**
   * Why a client could talk to none of the brokers, for people; empty as far as that cannot be
   * seen. Blocks for some seconds for each server.
   */
  Optional<String> trouble() {
    List<String> reasons = new ArrayList<>();
    boolean reached = false;
    for (Optional<Server> server : servers.stream().limit(MOST_SERVERS).toList()) {
      if (server.isEmpty()) {
        return Optional.empty(); // Which Kafka's client says.
      }
      Optional<String> away = unreached(server.get());
      reached |= away.isEmpty();
      Optional<String> wrong = away.isPresent() ? away : wrong(server.get());
      if (wrong.isEmpty()) {
        return Optional.empty();
      }
      reasons.add(wrong.get());
    }
    return reached || servers.size() <= MOST_SERVERS
        ? Optional.of(String.join("; ", reasons))
        : Optional.empty(); // One of the others may answer.
  }

  private Optional<String> wrong(Server server) {
    return switch (answer(server)) {
      case KAFKA ->
          usesTls()
              ? Optional.of(
                  "%s talks without TLS, but '%s' = '%s' asks for TLS: it is %s there"
                      .formatted(
                          server, PROTOCOL, protocol, usesLogin() ? "SASL_PLAINTEXT" : "PLAINTEXT"))
              : wrongLogin(server);
      case TLS -> usesTls() ? Optional.empty() : Optional.of(talksTls(server));
      case NONE -> Optional.empty();
      case OTHER ->
          usesTls()
              ? Optional.empty()
              : Optional.of("what answers at %s is no broker of Kafka".formatted(server));
    };
  }

  private String talksTls(Server server) {
    return "%s talks TLS alone: '%s' is %s there; with an authority of its own it needs '%s' too"
        .formatted(
            server,
            PROTOCOL,
            usesLogin() ? "SASL_SSL" : "SSL, or SASL_SSL with a login",
            KafkaOptions.PROPERTIES + "ssl.truststore.location");
  }

  private Answer answer(Server server) {
    boolean slow = false;
    try (Socket socket = connected(server)) {
      if (new BrokerTalk(socket).isKafka()) {
        return Answer.KAFKA;
      }
    } catch (BrokerTalk.AlertException e) {
      return Answer.TLS;
    } catch (SocketTimeoutException e) {
      slow = true;
    } catch (IOException e) {
      // It is not of this kind.
    }
    if (!usesTls() && isTls(server)) {
      return Answer.TLS;
    }
    return slow ? Answer.NONE : Answer.OTHER;
  }

  private Optional<String> wrongLogin(Server server) {
    try (Socket socket = connected(server)) {
      Optional<List<String>> mechanisms = new BrokerTalk(socket).mechanisms();
      if (mechanisms.isPresent() && !usesLogin()) {
        return Optional.of(
            "%s asks for a login (%s): '%s' is SASL_PLAINTEXT there, with '%s' and '%s'"
                .formatted(
                    server,
                    String.join(", ", mechanisms.get()),
                    PROTOCOL,
                    KafkaOptions.PROPERTIES + "sasl.mechanism",
                    KafkaOptions.PROPERTIES + "sasl.jaas.config"));
      }
      if (mechanisms.isEmpty() && usesLogin()) {
        return Optional.of(
            "%s takes no logins: '%s' is PLAINTEXT there, without '%s'"
                .formatted(server, PROTOCOL, KafkaOptions.PROPERTIES + "sasl.*"));
      }
    } catch (IOException e) {
      return Optional.empty(); // The client will say what it finds.
    }
    return usesLogin() ? Optional.empty() : wrongAddress(server);
  }

  /** Brokers say where they are, and clients go there: a container may name itself. */
  private static Optional<String> wrongAddress(Server server) {
    List<String> unreached = new ArrayList<>();
    try (Socket socket = connected(server)) {
      List<InetSocketAddress> brokers = new BrokerTalk(socket).brokers();
      for (InetSocketAddress broker : brokers.stream().limit(MOST_BROKERS).toList()) {
        Optional<String> wrong = unreached(new Server(broker.getHostString(), broker.getPort()));
        if (wrong.isEmpty()) {
          return Optional.empty();
        }
        unreached.add(wrong.get());
      }
      if (brokers.size() > MOST_BROKERS) {
        return Optional.empty(); // One of the others may be reached.
      }
    } catch (IOException e) {
      return Optional.empty(); // The client will say what it finds.
    }
    return unreached.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s answers, but sends clients to its advertised.listeners, and %s: set them, on the brokers, to what this machine reaches"
                .formatted(server, String.join("; ", unreached)));
  }

  /** Why no connection is made; empty if it is. */
  private static Optional<String> unreached(Server server) {
    try (Socket _ = connected(server)) {
      return Optional.empty();
    } catch (UnknownHostException e) {
      return Optional.of("the name %s is not known".formatted(server.host()));
    } catch (SocketTimeoutException e) {
      return Optional.of("nobody answers at " + server);
    } catch (ConnectException e) {
      return Optional.of(
          String.valueOf(e.getMessage()).contains("refused")
              ? "nothing listens at %s (connection refused)".formatted(server)
              : "%s cannot be reached (%s)".formatted(server, e.getMessage()));
    } catch (IOException e) {
      return Optional.of("%s cannot be reached (%s)".formatted(server, e.getMessage()));
    }
  }

  /** Of the addresses of a name each is tried, as Kafka's client does. */
  private static Socket connected(Server server) throws IOException {
    List<IOException> failures = new ArrayList<>();
    for (InetAddress address : InetAddress.getAllByName(server.host())) {
      Socket socket = new Socket();
      try {
        socket.setSoTimeout(TIMEOUT_MS);
        socket.connect(new InetSocketAddress(address, server.port()), TIMEOUT_MS);
        return socket;
      } catch (IOException e) {
        socket.close();
        failures.add(e);
      }
    }
    throw failures.getFirst(); // A name that is known has an address.
  }

  /** A certificate that is not trusted is one of TLS, too. */
  private static boolean isTls(Server server) {
    try (Socket socket = connected(server)) {
      SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
      try (SSLSocket secure =
          (SSLSocket) factory.createSocket(socket, server.host(), server.port(), true)) {
        secure.startHandshake();
        return true;
      }
    } catch (SSLHandshakeException e) {
      return e.getCause() instanceof CertificateException
          || String.valueOf(e.getMessage()).contains("fatal alert");
    } catch (IOException e) {
      return false;
    }
  }
}
