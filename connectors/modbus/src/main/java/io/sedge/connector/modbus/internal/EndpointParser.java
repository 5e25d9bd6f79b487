package io.sedge.connector.modbus.internal;

import java.net.URI;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The parts of an endpoint's address. */
final class EndpointParser {
  private static final int PORT = 502;
  private static final Map<String, String> SERIAL =
      Map.of("baud", "19200", "data-bits", "8", "parity", "even", "stop-bits", "1");

  private EndpointParser() {}

  static Endpoint.Tcp tcp(URI uri, boolean rtu) {
    String form = uri.getScheme() + "://host:502";
    if (uri.getHost() == null) {
      throw new IllegalArgumentException("names no host; write it as " + form);
    }
    String path = uri.getRawPath();
    if (uri.getRawUserInfo() != null
        || uri.getRawQuery() != null
        || (path != null && !path.isEmpty() && !path.equals("/"))) {
      throw new IllegalArgumentException("has more than host and port; write it as " + form);
    }
    int port = uri.getPort() < 0 ? PORT : uri.getPort();
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("has a port that is not in 1 to 65535");
    }
    return new Endpoint.Tcp(uri.getHost(), port, rtu);
  }

  static Endpoint.Serial serial(URI uri) {
    String path = uri.getPath();
    if (uri.getRawAuthority() != null || path == null || path.length() < 2) {
      throw new IllegalArgumentException(
          "names no port; write it as modbus-rtu:///dev/ttyUSB0?baud=9600");
    }
    // A port of Windows is COM3, which no path begins with a slash for.
    String port = path.matches("/COM\\d+") ? path.substring(1) : path;
    Map<String, String> given = new HashMap<>(SERIAL);
    if (uri.getQuery() != null) {
      for (String part : uri.getQuery().split("&", -1)) {
        int equals = part.indexOf('=');
        String key = equals < 0 ? part : part.substring(0, equals);
        if (!SERIAL.containsKey(key) || equals < 0) {
          throw new IllegalArgumentException(
              "has '%s' after the ?; known are baud=, data-bits=, parity=, stop-bits="
                  .formatted(part));
        }
        given.put(key, part.substring(equals + 1));
      }
    }
    return new Endpoint.Serial(
        port,
        number(given, "baud", 50, 4_000_000),
        number(given, "data-bits", 7, 8),
        parity(String.valueOf(given.get("parity"))),
        number(given, "stop-bits", 1, 2));
  }

  private static Endpoint.Parity parity(String text) {
    for (Endpoint.Parity parity : Endpoint.Parity.values()) {
      if (parity.name().toLowerCase(Locale.ROOT).equals(text)) {
        return parity;
      }
    }
    throw new IllegalArgumentException(
        "has parity=%s, which is not one of none, odd, even".formatted(text));
  }

  private static int number(Map<String, String> given, String key, int least, int most) {
    String text = String.valueOf(given.get(key));
    if (text.matches("\\d{1,7}")) {
      int value = Integer.parseInt(text);
      if (value >= least && value <= most) {
        return value;
      }
    }
    throw new IllegalArgumentException(
        "has %s=%s, which is not in %d to %d".formatted(key, text, least, most));
  }
}
