package io.sedge.bench.outside;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Stands between a broker and its clients and hands on what both say, byte for byte. It sees which
 * reading a client acknowledges: at QoS 1 by PUBACK, at QoS 2 by PUBREC (MQTT 5, 4.3). Sedge
 * acknowledges after its commit, so that is when a reading is known to be committed, and no device
 * had to be asked. An end of one side's connection ends the other's at once.
 */
public final class MqttRelay implements AutoCloseable {
  private static final int PUBLISH = 3;
  private static final int PUBACK = 4;
  private static final int PUBREC = 5;
  private static final int BUFFER = 1 << 16;

  private final ServerSocket server;
  private final int broker;
  private final Pattern number;
  private final LongConsumer acknowledged;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  /**
   * Listens on a free port of the loopback.
   *
   * @param broker its port
   * @param number finds a reading's number, its first group, in a payload
   * @param acknowledged takes numbers, from threads of the relay, at once
   */
  public MqttRelay(int broker, Pattern number, LongConsumer acknowledged) throws IOException {
    this.broker = broker;
    this.number = number;
    this.acknowledged = acknowledged;
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().name("bench-relay").start(this::accept);
  }

  public int port() {
    return server.getLocalPort();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        sockets.add(client);
        Socket other = new Socket(InetAddress.getLoopbackAddress(), broker);
        sockets.add(other);
        client.setTcpNoDelay(true);
        other.setTcpNoDelay(true);
        Connection connection = new Connection();
        copy(client, other, new MqttPackets(connection::fromClient));
        copy(other, client, new MqttPackets(connection::fromBroker));
      } catch (IOException e) {
        // The relay was closed, or one side has left already.
      }
    }
  }

  private void copy(Socket from, Socket to, MqttPackets packets) {
    Thread.ofVirtual().start(() -> copyToTheEnd(from, to, packets));
  }

  private void copyToTheEnd(Socket from, Socket to, MqttPackets packets) {
    byte[] bytes = new byte[BUFFER];
    try (from;
        to) {
      InputStream input = from.getInputStream();
      OutputStream output = to.getOutputStream();
      for (int count = input.read(bytes); count >= 0; count = input.read(bytes)) {
        packets.take(bytes, count); // first, or the answer may be quicker
        output.write(bytes, 0, count);
      }
    } catch (IOException e) {
      // An end like any other: a client was killed.
    } finally {
      sockets.remove(from);
      sockets.remove(to);
    }
  }

  /** What is on its way over one connection. */
  private final class Connection {
    private final Map<Integer, Long> underWay = new ConcurrentHashMap<>();

    void fromBroker(int header, byte[] rest) {
      int qos = header >> 1 & 3;
      if (header >> 4 == PUBLISH && qos > 0) {
        Matcher matcher = number.matcher(new String(rest, StandardCharsets.ISO_8859_1));
        if (matcher.find()) {
          underWay.put(twoBytes(rest, 2 + twoBytes(rest, 0)), Long.parseLong(matcher.group(1)));
        }
      }
    }

    void fromClient(int header, byte[] rest) {
      int type = header >> 4;
      if (type == PUBACK || type == PUBREC) {
        Long reading = underWay.remove(twoBytes(rest, 0));
        if (reading != null) {
          acknowledged.accept(reading);
        }
      }
    }

    private static int twoBytes(byte[] bytes, int at) {
      return ((bytes[at] & 0xff) << 8) | (bytes[at + 1] & 0xff);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
