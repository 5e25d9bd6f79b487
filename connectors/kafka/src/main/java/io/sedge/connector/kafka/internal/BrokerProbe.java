package io.sedge.connector.kafka.internal;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Asks brokers for what Kafka's clients do not say: they wait, where a name is not known, nobody
 * listens, TLS or a login is expected, or a broker names an address that leads nowhere. A client
 * that talks without TLS to an entrance with TLS may even run out of memory.
 *
 * <p>Three requests of old versions, which all brokers from 2.1 on take: which requests it knows,
 * which logins it takes, and where the brokers are. Sends no login. Each step has a time-out.
 */
final class BrokerProbe {
  private static final int TIMEOUT_MS = 3_000;
  private static final int MOST_SERVERS = 5;
  private static final int MOST_BROKERS = 3;
  private static final int MOST_BYTES = 1 << 20;
  private static final int MOST_MECHANISMS = 20;

  private static final int API_VERSIONS = 18;
  private static final int SASL_HANDSHAKE = 17;
  private static final int METADATA = 3;
  private static final int METADATA_VERSION = 7;

  /** The broker's error where an entrance takes no logins. */
  private static final int NO_LOGINS = 34;

  /** An address of version 6 stands in brackets; a protocol may stand before. */
  private static final Pattern SERVER =
      Pattern.compile("(?:[A-Za-z0-9_]+://)?\\[?([^\\[\\]/]+?)]?:(\\d{1,5})");

  private static final String PROTOCOL = KafkaOptions.PROPERTIES + "security.protocol";

  private final List<String> servers;
  private final String protocol;

  BrokerProbe(ClientProperties client) {
    this.servers = List.of(client.servers().split(",", -1));
    this.protocol = client.find("security.protocol").orElse("PLAINTEXT");
  }

  private boolean usesTls() {
    return protocol.endsWith("SSL");
  }

  private boolean usesLogin() {
    return protocol.startsWith("SASL");
  }

  /**
   * Why a client could talk to none of the brokers, for people; empty as far as that cannot be
   * seen. Blocks for some seconds for each server.
   */
  Optional<String> trouble() {
    List<String> reasons = new ArrayList<>();
    for (String server : servers.stream().limit(MOST_SERVERS).toList()) {
      Matcher place = SERVER.matcher(server.strip());
      if (!place.matches()) {
        return Optional.empty(); // Which Kafka's client says.
      }
      Optional<String> wrong = wrong(place.group(1), Integer.parseInt(place.group(2)));
      if (wrong.isEmpty()) {
        return Optional.empty();
      }
      reasons.add(wrong.get());
    }
    return Optional.of(String.join("; ", reasons));
  }

  private Optional<String> wrong(String host, int port) {
    String place = host + ":" + port;
    Optional<String> unreached = unreached(host, port);
    if (unreached.isPresent()) {
      return unreached;
    }
    try (Socket socket = connected(host, port)) {
      Talk talk = new Talk(socket);
      if (talk.isKafka()) {
        return usesTls()
            ? Optional.of(
                "%s talks without TLS, but '%s' = '%s' asks for TLS: it is %s there"
                    .formatted(
                        place, PROTOCOL, protocol, usesLogin() ? "SASL_PLAINTEXT" : "PLAINTEXT"))
            : wrongLogin(place, host, port);
      }
    } catch (IOException e) {
      // It is not of this kind.
    }
    if (usesTls()) {
      return Optional.empty();
    }
    return Optional.of(
        isTls(host, port)
            ? "%s talks TLS alone: '%s' is %s there; with an authority of its own it needs '%s' too"
                .formatted(
                    place,
                    PROTOCOL,
                    usesLogin() ? "SASL_SSL" : "SSL, or SASL_SSL with a login",
                    KafkaOptions.PROPERTIES + "ssl.truststore.location")
            : "what answers at %s is no broker of Kafka".formatted(place));
  }

  private Optional<String> wrongLogin(String place, String host, int port) {
    try (Socket socket = connected(host, port)) {
      Optional<List<String>> mechanisms = new Talk(socket).mechanisms();
      if (mechanisms.isPresent() && !usesLogin()) {
        return Optional.of(
            "%s asks for a login (%s): '%s' is SASL_PLAINTEXT there, with '%s' and '%s'"
                .formatted(
                    place,
                    String.join(", ", mechanisms.get()),
                    PROTOCOL,
                    KafkaOptions.PROPERTIES + "sasl.mechanism",
                    KafkaOptions.PROPERTIES + "sasl.jaas.config"));
      }
      if (mechanisms.isEmpty() && usesLogin()) {
        return Optional.of(
            "%s takes no logins: '%s' is PLAINTEXT there, without '%s'"
                .formatted(place, PROTOCOL, KafkaOptions.PROPERTIES + "sasl.*"));
      }
    } catch (IOException e) {
      return Optional.empty(); // The client will say what it finds.
    }
    return usesLogin() ? Optional.empty() : wrongAddress(place, host, port);
  }

  /** Brokers say where they are, and clients go there: a container may name itself. */
  private static Optional<String> wrongAddress(String place, String host, int port) {
    List<String> unreached = new ArrayList<>();
    try (Socket socket = connected(host, port)) {
      for (InetSocketAddress broker : new Talk(socket).brokers()) {
        Optional<String> wrong = unreached(broker.getHostString(), broker.getPort());
        if (wrong.isEmpty()) {
          return Optional.empty();
        }
        unreached.add(wrong.get());
      }
    } catch (IOException e) {
      return Optional.empty(); // The client will say what it finds.
    }
    return unreached.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s answers, but sends clients to its advertised.listeners, and %s: set them, on the brokers, to what this machine reaches"
                .formatted(place, String.join("; ", unreached)));
  }

  /** Why no connection is made; empty if it is. */
  private static Optional<String> unreached(String host, int port) {
    String place = host + ":" + port;
    try (Socket _ = connected(host, port)) {
      return Optional.empty();
    } catch (UnknownHostException e) {
      return Optional.of("the name %s is not known".formatted(host));
    } catch (SocketTimeoutException e) {
      return Optional.of("nobody answers at " + place);
    } catch (ConnectException e) {
      return Optional.of(
          String.valueOf(e.getMessage()).contains("refused")
              ? "nothing listens at %s (connection refused)".formatted(place)
              : "%s cannot be reached (%s)".formatted(place, e.getMessage()));
    } catch (IOException e) {
      return Optional.of("%s cannot be reached (%s)".formatted(place, e.getMessage()));
    }
  }

  private static Socket connected(String host, int port) throws IOException {
    InetAddress address = InetAddress.getByName(host);
    Socket socket = new Socket();
    try {
      socket.setSoTimeout(TIMEOUT_MS);
      socket.connect(new InetSocketAddress(address, port), TIMEOUT_MS);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** A certificate that is not trusted is one of TLS, too. */
  private static boolean isTls(String host, int port) {
    try (Socket socket = connected(host, port)) {
      SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
      try (SSLSocket secure = (SSLSocket) factory.createSocket(socket, host, port, true)) {
        secure.startHandshake();
        return true;
      }
    } catch (SSLHandshakeException e) {
      return e.getCause() instanceof CertificateException
          || String.valueOf(e.getMessage()).contains("fatal alert");
    } catch (SSLException e) {
      return false;
    } catch (IOException e) {
      return false;
    }
  }

  /** Requests and answers on a connection. */
  private static final class Talk {
    private final DataOutputStream out;
    private final DataInputStream in;
    private int correlation;

    Talk(Socket socket) throws IOException {
      out = new DataOutputStream(socket.getOutputStream());
      in = new DataInputStream(socket.getInputStream());
    }

    /** Writes a request; the answer's body is what is read next. */
    private void ask(int key, int version, byte[] body) throws IOException {
      correlation++;
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream request = new DataOutputStream(bytes);
      request.writeShort(key);
      request.writeShort(version);
      request.writeInt(correlation);
      writeText(request, "sedge");
      request.write(body);
      out.writeInt(bytes.size());
      out.write(bytes.toByteArray());
      out.flush();
      int size = in.readInt();
      if (size < Integer.BYTES || size > MOST_BYTES || in.readInt() != correlation) {
        throw new IOException("no answer of Kafka's");
      }
    }

    private static void writeText(DataOutputStream request, String text) throws IOException {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      request.writeShort(bytes.length);
      request.write(bytes);
    }

    private String readText() throws IOException {
      byte[] bytes = new byte[Math.max(0, in.readShort())];
      in.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8);
    }

    boolean isKafka() throws IOException {
      ask(API_VERSIONS, 0, new byte[0]);
      return in.readShort() == 0;
    }

    /** What it takes logins by; empty if it takes none. */
    Optional<List<String>> mechanisms() throws IOException {
      ByteArrayOutputStream none = new ByteArrayOutputStream();
      writeText(new DataOutputStream(none), "NONE");
      ask(SASL_HANDSHAKE, 1, none.toByteArray());
      if (in.readShort() == NO_LOGINS) {
        return Optional.empty();
      }
      List<String> mechanisms = new ArrayList<>();
      int count = in.readInt();
      for (int i = 0; i < Math.min(count, MOST_MECHANISMS); i++) {
        mechanisms.add(readText());
      }
      return Optional.of(mechanisms);
    }

    /** Where some of the brokers say that they are. */
    List<InetSocketAddress> brokers() throws IOException {
      // No topic, and none is to be made.
      ask(METADATA, METADATA_VERSION, new byte[Integer.BYTES + 1]);
      var _ = in.readInt(); // For how long the client is slowed down.
      List<InetSocketAddress> brokers = new ArrayList<>();
      int count = in.readInt();
      for (int i = 0; i < Math.min(count, MOST_BROKERS); i++) {
        var _ = in.readInt();
        brokers.add(InetSocketAddress.createUnresolved(readText(), in.readInt()));
        var _ = readText();
      }
      return brokers;
    }
  }
}
