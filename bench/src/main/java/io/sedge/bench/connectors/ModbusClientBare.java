package io.sedge.bench.connectors;

import com.digitalpetri.modbus.client.ModbusTcpClient;
import com.digitalpetri.modbus.pdu.ReadHoldingRegistersRequest;
import com.digitalpetri.modbus.pdu.ReadHoldingRegistersResponse;
import com.digitalpetri.modbus.tcp.client.NettyTcpClientTransport;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A process with the client library alone, the one that Sedge uses: it asks all slaves for their
 * registers each second, and counts what has come: {@code ModbusClientBare PORT,PORT,… REGISTERS}.
 */
final class ModbusClientBare {
  private static final long SECOND_NANOS = 1_000_000_000;

  private ModbusClientBare() {}

  public static void main(String[] args) throws Exception {
    int registers = Integer.parseInt(args[1]);
    List<ModbusTcpClient> clients = new ArrayList<>();
    for (int port : Arrays.stream(args[0].split(",", -1)).mapToInt(Integer::parseInt).toArray()) {
      ModbusTcpClient client =
          ModbusTcpClient.create(
              NettyTcpClientTransport.create(
                  config -> {
                    config.setHostname("127.0.0.1");
                    config.setPort(port);
                  }));
      client.connect();
      clients.add(client);
    }
    AtomicInteger right = new AtomicInteger();
    ReadHoldingRegistersRequest request = new ReadHoldingRegistersRequest(0, registers);
    long next = System.nanoTime();
    while (true) {
      for (ModbusTcpClient client : clients) {
        var _ =
            client
                .readHoldingRegistersAsync(1, request)
                .thenAccept(response -> right.addAndGet(right(response)));
      }
      next += SECOND_NANOS;
      for (long left = next - System.nanoTime(); left > 0; left = next - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      System.out.printf("{\"n\":%d}%n", right.getAndSet(0));
    }
  }

  /** How many registers have the value that is theirs. */
  private static int right(ReadHoldingRegistersResponse response) {
    ByteBuffer values = ByteBuffer.wrap(response.registers());
    int right = 0;
    for (int i = 0; values.remaining() >= 2; i++) {
      right += values.getShort() == i ? 1 : 0;
    }
    return right;
  }
}
