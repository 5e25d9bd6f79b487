package io.sedge.connector.mqtt.testkit;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A broker that knows enough of MQTT to be connected and subscribed to, and then sends what no
 * proper one does. Each connection gets the same.
 */
public final class FakeBroker implements AutoCloseable {
  private static final int CONNECT = 1;
  private static final int PUBLISH = 3;
  private static final int PUBREL = 6;
  private static final int SUBSCRIBE = 8;
  private static final int PINGREQ = 12;
  private static final int DISCONNECT = 14;
  private static final byte QUOTA_EXCEEDED = (byte) 0x97;

  /** What it does with a connection, after the moment that it is given for. */
  public enum Moment {
    /** The socket is there. */
    ACCEPTED,
    /** The CONNACK is sent. */
    CONNECTED,
    /** The SUBACK is sent. */
    SUBSCRIBED
  }

  private final ServerSocket server;
  private final Moment moment;
  private final byte[][] answers;
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger disconnects = new AtomicInteger();
  private final AtomicInteger publishes = new AtomicInteger();
  private volatile int refusals;
  private volatile byte[] grants = {1};
  private volatile boolean keepsSessions;

  /**
   * Starts it. After the moment it sends the next of the answers; after the last of them, to later
   * connections, that one again. An answer without bytes closes the connection.
   */
  public FakeBroker(Moment moment, byte[]... answers) {
    this.moment = moment;
    this.answers = answers;
    try {
      server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  /**
   * Answers a subscription with these codes, one for each filter; QoS 1 for one filter if unset.
   */
  public void grant(byte... codes) {
    grants = codes;
  }

  /** From the second connection on it says that it has the session, subscriptions and all. */
  public void keepSessions() {
    keepsSessions = true;
  }

  public String url() {
    return "mqtt://127.0.0.1:" + server.getLocalPort();
  }

  /** How many connections there were. */
  public int connections() {
    return connections.get();
  }

  /** How many connections were ended with a DISCONNECT. */
  public int disconnects() {
    return disconnects.get();
  }

  /** So many of the messages of MQTT 5 that are published first exceed its quota. */
  public void refuse(int messages) {
    refusals = messages;
  }

  /** How many messages of QoS 1 and 2 were published, refused ones too. */
  public int publishes() {
    return publishes.get();
  }

  /** A PUBLISH packet of QoS 1. */
  public static byte[] publish(boolean version5, byte[] topic, String payload) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.write(topic.length >> 8);
    body.write(topic.length);
    body.writeBytes(topic);
    body.writeBytes(new byte[] {0, 1});
    if (version5) {
      body.write(0);
    }
    body.writeBytes(payload.getBytes(StandardCharsets.UTF_8));
    return packet(0x32, body.toByteArray());
  }

  private static byte[] packet(int first, byte[] body) {
    ByteArrayOutputStream packet = new ByteArrayOutputStream();
    packet.write(first);
    int length = body.length;
    do {
      packet.write(length > 127 ? length % 128 | 128 : length);
      length /= 128;
    } while (length > 0);
    packet.writeBytes(body);
    return packet.toByteArray();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        int number = connections.getAndIncrement();
        byte[] answer = answers[Math.min(number, answers.length - 1)];
        Thread.ofVirtual().start(() -> serve(socket, number, answer));
      } catch (IOException e) {
        // Closed.
      }
    }
  }

  private void serve(Socket socket, int number, byte[] answer) {
    try (socket;
        DataInputStream input = new DataInputStream(socket.getInputStream());
        DataOutputStream output = new DataOutputStream(socket.getOutputStream())) {
      boolean version5 = false;
      boolean open = moment != Moment.ACCEPTED || answer(output, answer);
      while (open) {
        int first = input.readUnsignedByte();
        byte[] body = input.readNBytes(length(input));
        switch (first >> 4) {
          case CONNECT -> {
            version5 = body[6] == 5;
            boolean present = keepsSessions && number > 0;
            byte flag = (byte) (present ? 1 : 0);
            output.write(packet(0x20, version5 ? new byte[] {flag, 0, 0} : new byte[] {flag, 0}));
            boolean reached =
                moment == Moment.CONNECTED || (moment == Moment.SUBSCRIBED && present);
            open = !reached || answer(output, answer);
          }
          case PUBLISH -> output.write(acknowledgement(first >> 1 & 3, body));
          case PUBREL -> output.write(packet(0x70, new byte[] {body[0], body[1]}));
          case SUBSCRIBE -> {
            ByteArrayOutputStream granted = new ByteArrayOutputStream();
            granted.writeBytes(
                version5 ? new byte[] {body[0], body[1], 0} : new byte[] {body[0], body[1]});
            granted.writeBytes(grants);
            output.write(packet(0x90, granted.toByteArray()));
            open = moment != Moment.SUBSCRIBED || answer(output, answer);
          }
          case PINGREQ -> output.write(packet(0xD0, new byte[0]));
          case DISCONNECT -> {
            disconnects.incrementAndGet();
            open = false;
          }
          default -> {}
        }
      }
    } catch (IOException e) {
      // The client has gone, which is what most of these tests are about.
    }
  }

  private byte[] acknowledgement(int qos, byte[] publish) {
    if (qos == 0) {
      return new byte[0];
    }
    int at = 2 + (publish[0] << 8 | (publish[1] & 255));
    boolean refused = publishes.incrementAndGet() <= refusals;
    byte reason = refused ? QUOTA_EXCEEDED : 0;
    return packet(qos == 1 ? 0x40 : 0x50, new byte[] {publish[at], publish[at + 1], reason});
  }

  private static boolean answer(DataOutputStream output, byte[] answer) throws IOException {
    output.write(answer);
    return answer.length > 0;
  }

  private static int length(DataInputStream input) throws IOException {
    int length = 0;
    for (int shift = 0; ; shift += 7) {
      int next = input.readUnsignedByte();
      length |= (next & 127) << shift;
      if (next < 128) {
        return length;
      }
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
