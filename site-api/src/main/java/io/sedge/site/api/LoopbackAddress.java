package io.sedge.site.api;

import io.sedge.task.Printable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a device answers questions about itself in plain HTTP: an address that only its own machine
 * reaches.
 *
 * @param host {@code localhost}, or a loopback address without brackets
 * @param port from 1 on
 */
public record LoopbackAddress(String host, int port) {
  private static final int LAST_PORT = 65_535;
  private static final String LOCALHOST = "localhost";
  private static final Pattern FORM = Pattern.compile("(?:\\[([^\\]]+)]|([^:\\[\\]]+)):(\\d{1,5})");

  /**
   * @throws IllegalArgumentException if others would reach it, or there is no such port
   */
  public LoopbackAddress {
    if (literal(host).filter(InetAddress::isLoopbackAddress).isEmpty()) {
      throw new IllegalArgumentException(
          "%s is not loopback: this is plain HTTP, for programs on this machine alone. Write 127.0.0.1:%d, and for readers elsewhere put a reverse proxy with TLS before it, or let an agent on this machine fetch it"
              .formatted(Printable.text(host), port));
    }
    if (port < 1 || port > LAST_PORT) {
      throw new IllegalArgumentException("port %d is not from 1 to %d".formatted(port, LAST_PORT));
    }
  }

  /**
   * Reads {@code HOST:PORT}; an IPv6 address in brackets.
   *
   * @throws IllegalArgumentException that says what to write
   */
  public static LoopbackAddress parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "write HOST:PORT, for example 127.0.0.1:9464 or [::1]:9464");
    }
    String host = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
    return new LoopbackAddress(host, Integer.parseInt(matcher.group(3)));
  }

  /** Names are not looked up: who answers for them might say today this and tomorrow that. */
  private static Optional<InetAddress> literal(String host) {
    try {
      return Optional.of(
          host.equals(LOCALHOST) ? InetAddress.getLoopbackAddress() : InetAddress.ofLiteral(host));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** To bind a socket to. */
  public InetSocketAddress socketAddress() {
    return new InetSocketAddress(literal(host).orElseThrow(), port);
  }

  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
