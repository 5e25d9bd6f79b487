package io.sedge.mqtt;

import java.net.URI;
import java.net.URISyntaxException;

/** Where a broker is. */
public record BrokerAddress(String host, int port, boolean tls) {
  private static final int PORT = 1883;
  private static final int TLS_PORT = 8883;

  /**
   * Parses {@code mqtt://host:port} or {@code mqtts://host:port}.
   *
   * @throws IllegalArgumentException whose message is the end of a sentence that names the value
   */
  public static BrokerAddress parse(String text) {
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("is not an address like mqtt://host:1883", e);
    }
    boolean tls = "mqtts".equals(uri.getScheme());
    if (!tls && !"mqtt".equals(uri.getScheme())) {
      throw new IllegalArgumentException("does not begin with mqtt:// or mqtts://");
    }
    String host = uri.getHost();
    if (host == null) {
      throw new IllegalArgumentException("names no host; write it as mqtt://host:1883");
    }
    if (uri.getRawUserInfo() != null) {
      throw new IllegalArgumentException("must not hold a login; use 'username' and 'password'");
    }
    String path = uri.getRawPath();
    if ((path != null && !path.isEmpty() && !path.equals("/")) || uri.getRawQuery() != null) {
      throw new IllegalArgumentException("goes on after the port; write it as mqtt://host:1883");
    }
    int port = uri.getPort() < 0 ? (tls ? TLS_PORT : PORT) : uri.getPort();
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("has a port that is not in 1 to 65535");
    }
    return new BrokerAddress(host, port, tls);
  }

  @Override
  public String toString() {
    return "%s://%s:%d".formatted(tls ? "mqtts" : "mqtt", host, port);
  }
}
