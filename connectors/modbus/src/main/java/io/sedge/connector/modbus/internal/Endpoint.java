package io.sedge.connector.modbus.internal;

import java.net.URI;
import java.net.URISyntaxException;

/** Where devices are reached: a TCP address or a serial port. */
sealed interface Endpoint {
  /** As people know it: {@code plc-1:502}, {@code /dev/ttyUSB0}. */
  String name();

  /** Whether frames are RTU's: one request at a time, and nothing tells whose an answer is. */
  boolean rtu();

  /**
   * A TCP address.
   *
   * @param rtu whether RTU frames are sent over it, as serial device servers take them
   */
  record Tcp(String host, int port, boolean rtu) implements Endpoint {
    @Override
    public String name() {
      return host + ":" + port;
    }
  }

  /** A serial port of this machine. */
  record Serial(String port, int baud, int dataBits, Parity parity, int stopBits)
      implements Endpoint {
    @Override
    public String name() {
      return port;
    }

    @Override
    public boolean rtu() {
      return true;
    }
  }

  /** The bit by which a serial line checks a byte. */
  enum Parity {
    NONE,
    ODD,
    EVEN
  }

  /**
   * Parses {@code modbus-tcp://host:port}, {@code modbus-rtu-tcp://host:port} or {@code
   * modbus-rtu:///dev/ttyUSB0?baud=9600}.
   *
   * @throws IllegalArgumentException whose message is the end of a sentence that names the value
   */
  static Endpoint parse(String text) {
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("is not an address like modbus-tcp://host:502", e);
    }
    String scheme = uri.getScheme() == null ? "" : uri.getScheme();
    return switch (scheme) {
      case "modbus-tcp" -> EndpointParser.tcp(uri, false);
      case "modbus-rtu-tcp" -> EndpointParser.tcp(uri, true);
      case "modbus-rtu" -> EndpointParser.serial(uri);
      default ->
          throw new IllegalArgumentException(
              "does not begin with modbus-tcp://, modbus-rtu-tcp:// or modbus-rtu://");
    };
  }
}
