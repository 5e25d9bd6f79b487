package io.sedge.cli.internal;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code HOST[:PORT]} as people write it, an IPv6 address in brackets.
 *
 * @param port as it was written, of five digits at most; whether it is one is for the caller to say
 */
record HostPort(String host, OptionalInt port) {
  private static final Pattern FORM =
      Pattern.compile("(?:\\[([^\\]]+)]|([^:\\[\\]]+))(?::(\\d{1,5}))?");

  /** Empty if a text has another form. */
  static Optional<HostPort> parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String host = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
    String port = matcher.group(3);
    return Optional.of(
        new HostPort(
            host, port == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(port))));
  }

  /**
   * Whether a host is this machine alone; a name is looked up, and one that nobody knows is not.
   */
  static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
