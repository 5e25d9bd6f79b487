package io.sedge.connector.modbus;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A Modbus server over TCP whose misdeeds a test chooses. All units have the same registers; coils
 * and discrete inputs are the same bits, holding and input registers the same numbers.
 */
final class FakeServer implements AutoCloseable {
  /**
   * What was asked.
   *
   * @param value what a single register or coil is to hold; 0 of any other request
   */
  record Request(int unit, int function, int address, int count, int value) {}

  /**
   * What is sent back.
   *
   * @param transactionOffset how far its transaction id is from the request's
   * @param unitOffset how far its unit id is from the request's
   */
  @SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
  record Reply(int transactionOffset, int unitOffset, byte[] pdu) {
    Reply(int transactionOffset, byte[] pdu) {
      this(transactionOffset, 0, pdu);
    }
  }

  /** Makes the reply of the right one; null is silence. */
  interface Manner {
    @Nullable Reply reply(Request request, byte[] right);
  }

  private static final Manner HONEST = (request, right) -> new Reply(0, right);

  private final short[] registers = new short[65_536];
  private final boolean[] bits = new boolean[65_536];
  private final List<Request> requests = new ArrayList<>();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final Set<Socket> mute = ConcurrentHashMap.newKeySet();
  private final AtomicInteger resets = new AtomicInteger();
  private volatile Manner manner = HONEST;
  private ServerSocket listener;
  private int port;

  FakeServer() {
    listener = listen(0);
    port = listener.getLocalPort();
  }

  private ServerSocket listen(int wanted) {
    try {
      ServerSocket socket = new ServerSocket();
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted));
      Thread.ofVirtual().name("fake-accept").start(() -> accept(socket));
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String url() {
    return "modbus-tcp://127.0.0.1:" + port;
  }

  String name() {
    return "127.0.0.1:" + port;
  }

  void behaveWell() {
    manner = HONEST;
  }

  /** An exception as the right answer to a request. */
  static Reply exception(Request request, int code) {
    return new Reply(0, new byte[] {(byte) (request.function() | 0x80), (byte) code});
  }

  void behave(Manner newManner) {
    manner = newManner;
  }

  /** Says nothing more on the connections that there are, and leaves them open. */
  void fallSilentOnOpenConnections() {
    mute.addAll(sockets);
  }

  void set(int address, int... values) {
    for (int i = 0; i < values.length; i++) {
      registers[address + i] = (short) values[i];
    }
  }

  int get(int address) {
    return registers[address] & 0xFFFF;
  }

  void setBit(int address, boolean value) {
    bits[address] = value;
  }

  boolean bit(int address) {
    return bits[address];
  }

  synchronized List<Request> requests() {
    return List.copyOf(requests);
  }

  /** Ends with all its connections, as a process that is killed. */
  void stop() {
    try {
      listener.close();
      closeConnections();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Closes the connections that there are, as a device does that takes them for unused. */
  void closeConnections() {
    try {
      for (Socket socket : new ArrayList<>(sockets)) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How many connections there are. */
  int connections() {
    return sockets.size();
  }

  /** How many connections were ended by a reset, so that nothing on its way comes after it. */
  int resets() {
    return resets.get();
  }

  /** Comes back under the same address. */
  void start() {
    listener = listen(port);
  }

  private void accept(ServerSocket socket) {
    try {
      while (true) {
        Socket accepted = socket.accept();
        accepted.setTcpNoDelay(true);
        sockets.add(accepted);
        Thread.ofVirtual().name("fake-serve").start(() -> serve(accepted));
      }
    } catch (IOException e) {
      // The server has been stopped.
      return;
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      DataInputStream input = new DataInputStream(socket.getInputStream());
      OutputStream output = socket.getOutputStream();
      while (true) {
        int transaction = input.readUnsignedShort();
        int protocol = input.readUnsignedShort();
        byte[] body = new byte[input.readUnsignedShort()];
        input.readFully(body);
        Reply reply = mute.contains(socket) || protocol != 0 ? null : reply(body);
        if (reply != null) {
          ByteBuffer frame = ByteBuffer.allocate(7 + reply.pdu().length);
          frame.putShort((short) (transaction + reply.transactionOffset()));
          frame.putShort((short) 0);
          frame.putShort((short) (1 + reply.pdu().length));
          frame.put((byte) (body[0] + reply.unitOffset())).put(reply.pdu());
          output.write(frame.array());
        }
      }
    } catch (EOFException e) {
      // The client has gone.
      return;
    } catch (SocketException e) {
      // The client has gone without a farewell, or the server was stopped.
      if (String.valueOf(e.getMessage()).startsWith("Connection reset")) {
        resets.incrementAndGet();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      sockets.remove(socket);
    }
  }

  private synchronized @Nullable Reply reply(byte[] body) {
    ByteBuffer pdu = ByteBuffer.wrap(body);
    int unit = pdu.get() & 0xFF;
    int function = pdu.get() & 0xFF;
    int address = pdu.getShort() & 0xFFFF;
    boolean single = function == 5 || function == 6;
    int last = pdu.getShort(4) & 0xFFFF;
    Request request = new Request(unit, function, address, single ? 1 : last, single ? last : 0);
    Reply reply = manner.reply(request, right(request, body));
    if (reply != null && (reply.pdu()[0] & 0x80) == 0) {
      write(request, body);
    }
    requests.add(request);
    return reply;
  }

  private byte[] right(Request request, byte[] body) {
    return switch (request.function()) {
      case 1, 2 -> {
        byte[] answer = new byte[2 + (request.count() + 7) / 8];
        answer[0] = (byte) request.function();
        answer[1] = (byte) (answer.length - 2);
        for (int i = 0; i < request.count(); i++) {
          answer[2 + i / 8] |= (byte) ((bits[request.address() + i] ? 1 : 0) << i % 8);
        }
        yield answer;
      }
      case 3, 4 -> {
        ByteBuffer answer = ByteBuffer.allocate(2 + 2 * request.count());
        answer.put((byte) request.function()).put((byte) (2 * request.count()));
        for (int i = 0; i < request.count(); i++) {
          answer.putShort(registers[request.address() + i]);
        }
        yield answer.array();
      }
      default -> Arrays.copyOfRange(body, 1, 6);
    };
  }

  private void write(Request request, byte[] body) {
    switch (request.function()) {
      case 5 -> bits[request.address()] = body[4] != 0;
      case 6 -> registers[request.address()] = ByteBuffer.wrap(body).getShort(4);
      case 15 -> {
        for (int i = 0; i < request.count(); i++) {
          bits[request.address() + i] = (body[7 + i / 8] >> i % 8 & 1) == 1;
        }
      }
      case 16 -> {
        for (int i = 0; i < request.count(); i++) {
          registers[request.address() + i] = ByteBuffer.wrap(body).getShort(7 + 2 * i);
        }
      }
      default -> {}
    }
  }

  @Override
  public void close() {
    stop();
  }
}
