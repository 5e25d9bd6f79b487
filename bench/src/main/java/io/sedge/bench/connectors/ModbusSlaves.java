package io.sedge.bench.connectors;

import com.digitalpetri.modbus.pdu.ReadHoldingRegistersRequest;
import com.digitalpetri.modbus.pdu.ReadHoldingRegistersResponse;
import com.digitalpetri.modbus.server.ModbusRequestContext;
import com.digitalpetri.modbus.server.ModbusServices;
import com.digitalpetri.modbus.server.ModbusTcpServer;
import com.digitalpetri.modbus.tcp.server.NettyTcpServerTransport;
import io.sedge.bench.parts.DeviceProcesses;
import java.nio.ByteBuffer;
import java.util.StringJoiner;
import java.util.concurrent.CountDownLatch;

/**
 * A process with many Modbus slaves, each at a port of its own: {@code ModbusSlaves COUNT}. A
 * register's number is its value. It says {@code serves PORT,PORT,…} when all are there.
 */
final class ModbusSlaves implements ModbusServices {
  static final String SERVES = "serves ";

  private ModbusSlaves() {}

  public static void main(String[] args) throws Exception {
    StringJoiner ports = new StringJoiner(",");
    ModbusSlaves registers = new ModbusSlaves();
    for (int i = 0; i < Integer.parseInt(args[0]); i++) {
      int port = DeviceProcesses.freePorts();
      ModbusTcpServer.create(
              NettyTcpServerTransport.create(
                  config -> {
                    config.setBindAddress("127.0.0.1");
                    config.setPort(port);
                  }),
              registers)
          .start();
      ports.add(Integer.toString(port));
    }
    System.out.println(SERVES + ports);
    new CountDownLatch(1).await();
  }

  @Override
  public ReadHoldingRegistersResponse readHoldingRegisters(
      ModbusRequestContext context, int unit, ReadHoldingRegistersRequest request) {
    ByteBuffer values = ByteBuffer.allocate(2 * request.quantity());
    for (int i = 0; i < request.quantity(); i++) {
      values.putShort((short) (request.address() + i));
    }
    return new ReadHoldingRegistersResponse(values.array());
  }
}
