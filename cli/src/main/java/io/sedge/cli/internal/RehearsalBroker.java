package io.sedge.cli.internal;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * A broker for the rehearsal, so that a device's first table of MQTT need not load its client while
 * readings wait. It does what such tables ask of a broker (MQTT 5, OASIS 2019, QoS 1), and has a
 * message for each topic that is subscribed to, some times a second. On loopback.
 */
final class RehearsalBroker implements AutoCloseable {
  private static final int CONNECT = 1;
  private static final int PUBLISH = 3;
  private static final int PUBACK = 4;
  private static final int SUBSCRIBE = 8;
  private static final int PINGREQ = 12;

  private static final int CONNACK_HEADER = 0x20;
  private static final int PUBLISH_HEADER = 0x32;
  private static final int PUBACK_HEADER = 0x40;
  private static final int SUBACK_HEADER = 0x90;
  private static final int PINGRESP_HEADER = 0xD0;

  private static final int MAX_BYTES = 1 << 16;
  private static final long PAUSE_MILLIS = 20;
  private static final String MESSAGE = "{\"n\":1.5}";

  private final ServerSocket server;
  private volatile boolean acknowledged;
  private volatile boolean published;

  private RehearsalBroker(ServerSocket server) {
    this.server = server;
  }

  /** Listens at some port. */
  static RehearsalBroker start() throws IOException {
    RehearsalBroker broker =
        new RehearsalBroker(new ServerSocket(0, 16, InetAddress.getLoopbackAddress()));
    Thread.ofVirtual().name("sedge-rehearsal-broker").start(broker::accept);
    return broker;
  }

  String url() {
    return "mqtt://%s:%d"
        .formatted(server.getInetAddress().getHostAddress(), server.getLocalPort());
  }

  /** Whether its messages were acknowledged, and others published to it. */
  boolean hasServed() {
    return acknowledged && published;
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        Thread.ofVirtual().name("sedge-rehearsal-link").start(() -> serve(socket));
      } catch (IOException e) {
        // It was closed, or the client has gone again.
      }
    }
  }

  private void serve(Socket socket) {
    try (socket;
        DataInputStream input = new DataInputStream(socket.getInputStream())) {
      Link link = new Link(socket);
      while (true) {
        int type = input.readUnsignedByte() >> 4;
        answer(type, ByteBuffer.wrap(body(input)), link);
      }
    } catch (IOException | RuntimeException e) {
      // The client has gone, or asks for more than this broker knows.
    }
  }

  private void answer(int type, ByteBuffer body, Link link) throws IOException {
    switch (type) {
      case CONNECT -> link.write(CONNACK_HEADER, new byte[] {0, 0, 0});
      case PUBLISH -> {
        published = true;
        skip(body, body.getShort());
        link.write(PUBACK_HEADER, new byte[] {body.get(), body.get()});
      }
      case PUBACK -> acknowledged = true;
      case SUBSCRIBE -> {
        byte[] granted = {body.get(), body.get(), 0, 1};
        skip(body, length(body));
        byte[] topic = new byte[body.getShort()];
        body.get(topic);
        link.write(SUBACK_HEADER, granted);
        Thread.ofVirtual().name("sedge-rehearsal-messages").start(() -> send(topic, link));
      }
      case PINGREQ -> link.write(PINGRESP_HEADER, new byte[0]);
      default -> {} // Nothing that is to be answered.
    }
  }

  private void send(byte[] topic, Link link) {
    byte[] message = MESSAGE.getBytes(StandardCharsets.UTF_8);
    try {
      for (short id = 1; !server.isClosed() && id > 0; id++) {
        ByteBuffer body = ByteBuffer.allocate(Short.BYTES + topic.length + 3 + message.length);
        body.putShort((short) topic.length).put(topic).putShort(id).put((byte) 0).put(message);
        link.write(PUBLISH_HEADER, body.array());
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
    } catch (IOException e) {
      // The client has gone.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void skip(ByteBuffer body, int bytes) {
    body.position(body.position() + bytes);
  }

  private static byte[] body(DataInputStream input) throws IOException {
    ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);
    byte next;
    do {
      next = input.readByte();
      length.put(next);
    } while (next < 0);
    int bytes = length(length.flip());
    if (bytes > MAX_BYTES) {
      throw new IOException("a packet of %d bytes".formatted(bytes));
    }
    byte[] body = new byte[bytes];
    input.readFully(body);
    return body;
  }

  /** Seven bits a byte, the lowest first; the last byte is not negative. */
  private static int length(ByteBuffer bytes) {
    int length = 0;
    int shift = 0;
    byte next;
    do {
      next = bytes.get();
      length |= (next & 127) << shift;
      shift += 7;
    } while (next < 0);
    return length;
  }

  /** A connection, to which several threads write. */
  private static final class Link {
    private final OutputStream output;

    Link(Socket socket) throws IOException {
      this.output = socket.getOutputStream();
    }

    /** Writes a packet of less than 128 bytes. */
    synchronized void write(int header, byte[] body) throws IOException {
      ByteArrayOutputStream packet = new ByteArrayOutputStream(2 + body.length);
      packet.write(header);
      packet.write(body.length);
      packet.writeBytes(body);
      packet.writeTo(output);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
