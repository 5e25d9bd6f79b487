package io.sedge.connector.modbus.internal;

import com.digitalpetri.modbus.client.ModbusRtuClientTransport;
import com.digitalpetri.modbus.serial.client.SerialPortClientTransport;
import com.fazecast.jSerialComm.SerialPort;
import com.fazecast.jSerialComm.SerialPortInvalidPortException;
import java.io.IOException;
import java.util.concurrent.ExecutorService;

/** Makes transports over serial ports; apart, so that their native code is loaded where needed. */
final class SerialTransport {
  private SerialTransport() {}

  /**
   * A transport over a port of this machine.
   *
   * @throws IOException if the machine has no such port, perhaps not yet or no longer
   */
  static ModbusRtuClientTransport of(Endpoint.Serial serial, ExecutorService executor)
      throws IOException {
    try {
      return make(serial, executor);
    } catch (SerialPortInvalidPortException e) {
      throw new IOException(
          "there is no port %s on this machine: is its adapter plugged in?"
              .formatted(serial.port()),
          e);
    }
  }

  private static ModbusRtuClientTransport make(Endpoint.Serial serial, ExecutorService executor) {
    return SerialPortClientTransport.create(
        config ->
            config
                .setSerialPort(serial.port())
                .setBaudRate(serial.baud())
                .setDataBits(serial.dataBits())
                .setParity(
                    switch (serial.parity()) {
                      case NONE -> SerialPort.NO_PARITY;
                      case ODD -> SerialPort.ODD_PARITY;
                      case EVEN -> SerialPort.EVEN_PARITY;
                    })
                .setStopBits(
                    serial.stopBits() == 1 ? SerialPort.ONE_STOP_BIT : SerialPort.TWO_STOP_BITS)
                .setExecutor(executor));
  }
}
