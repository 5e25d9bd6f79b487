package io.sedge.tensor.internal;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Network addresses as TensorFlow's servers take them: {@code host:port}, {@code [IPv6]:port}, or
 * {@code :port} for a host that is left open.
 */
public final class Addresses {
  private static final int MOST_PORT = 65_535;
  private static final int MOST_HOST_LENGTH = 253;
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]*");
  private static final Pattern IPV6 = Pattern.compile("\\[[0-9A-Fa-f:.]+(%[A-Za-z0-9._-]+)?]");
  private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");

  private Addresses() {}

  /**
   * Checks an address.
   *
   * @param whose what the message says the address is of, for example {@code task 2 of job 'a'}
   * @throws IllegalArgumentException where it is none, saying why
   */
  public static void check(String address, String whose) {
    if (address.contains("://")) {
      throw bad(address, whose, "it begins with a scheme; leave that away");
    }
    int colon = address.lastIndexOf(':');
    if (colon < 0) {
      throw bad(address, whose, "it has no port");
    }
    String host = address.substring(0, colon);
    String port = address.substring(colon + 1);
    if (!isPort(port)) {
      throw bad(address, whose, "port '" + port + "' is not a whole number from 0 to " + MOST_PORT);
    }
    if (host.indexOf(':') >= 0 && !host.startsWith("[")) {
      throw bad(address, whose, "an IPv6 host goes into brackets, as in [::1]:2222");
    }
    if (host.length() > MOST_HOST_LENGTH
        || !(HOST.matcher(host).matches() || IPV6.matcher(host).matches())) {
      throw bad(address, whose, "'" + host + "' is not a host name or IP address");
    }
  }

  /** Whether the port of a checked address is chosen by the operating system when it is bound. */
  public static boolean hasOpenPort(String address) {
    return port(address) == 0;
  }

  /** The form in which two checked addresses of the same place are equal. */
  public static String canonical(String address) {
    int colon = address.lastIndexOf(':');
    return address.substring(0, colon).toLowerCase(Locale.ROOT) + ":" + port(address);
  }

  /** The address of a port on a host; puts an IPv6 address into brackets. */
  public static String join(String host, int port) {
    boolean bare = host.indexOf(':') >= 0 && !host.startsWith("[");
    return (bare ? "[" + host + "]" : host) + ":" + port;
  }

  /**
   * Returns the port if it is one that can be dialled.
   *
   * @throws IllegalArgumentException outside of 1 to 65535
   */
  public static int checkPort(int port, String whose) {
    if (port < 1 || port > MOST_PORT) {
      throw new IllegalArgumentException(whose + " " + port + " is not from 1 to " + MOST_PORT);
    }
    return port;
  }

  private static int port(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  private static boolean isPort(String text) {
    return PORT.matcher(text).matches() && Integer.parseInt(text) <= MOST_PORT;
  }

  private static IllegalArgumentException bad(String address, String whose, String why) {
    return new IllegalArgumentException(
        "The address of "
            + whose
            + " is '"
            + address
            + "', which is not of the form host:port: "
            + why);
  }
}
