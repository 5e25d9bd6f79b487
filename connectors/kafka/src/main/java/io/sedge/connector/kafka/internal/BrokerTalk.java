package io.sedge.connector.kafka.internal;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Asks a broker, on a connection without TLS. Three requests of old versions, which all brokers
 * from 2.1 on take: which requests it knows, which logins it takes, and where the brokers are.
 * Sends no login.
 */
final class BrokerTalk {
  /** A longer answer is none of Kafka's. */
  private static final int MOST_BYTES = 1 << 20;

  private static final int MOST_MECHANISMS = 20;
  private static final int MOST_BROKERS = 1_000;

  private static final int API_VERSIONS = 18;
  private static final int SASL_HANDSHAKE = 17;
  private static final int METADATA = 3;
  private static final int METADATA_VERSION = 7;

  /** The broker's error where an entrance takes no logins. */
  private static final int NO_LOGINS = 34;

  /** What an alert of TLS begins with. */
  private static final int ALERT = 0x1503;

  private final DataOutputStream out;
  private final DataInputStream in;
  private int correlation;

  BrokerTalk(Socket socket) throws IOException {
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
    if (size >>> Short.SIZE == ALERT) {
      throw new AlertException();
    }
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

  /** Whether it is a broker; throws an {@link AlertException} if it answers in TLS. */
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

  /** Where the brokers say that they are. */
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

  /** The answer is an alert of TLS, which a client of Kafka's takes for a length. */
  static final class AlertException extends IOException {
    private static final long serialVersionUID = 1L;

    AlertException() {
      super("an alert of TLS");
    }
  }
}
