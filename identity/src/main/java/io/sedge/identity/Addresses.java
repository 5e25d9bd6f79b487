package io.sedge.identity;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses as people write them: {@code host:port}, an IPv6 address in brackets. */
public final class Addresses {
  private static final Pattern FORM =
      Pattern.compile("(?:\\[([0-9a-fA-F:.%]+)]|([A-Za-z0-9._-]+)):(\\d{1,5})");
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]{1,253}|[0-9a-fA-F:.%]{2,64}");
  private static final int LAST_PORT = 65_535;

  private Addresses() {}

  /**
   * @throws IllegalArgumentException if it is no address
   */
  public static String host(String address) {
    Matcher matcher = match(address);
    String inBrackets = matcher.group(1);
    return inBrackets == null ? matcher.group(2) : inBrackets;
  }

  /**
   * @throws IllegalArgumentException if it is no address
   */
  public static int port(String address) {
    int port = Integer.parseInt(match(address).group(3));
    if (port < 1 || port > LAST_PORT) {
      throw new IllegalArgumentException(
          "port %d in %s is not from 1 to %d".formatted(port, address, LAST_PORT));
    }
    return port;
  }

  /**
   * Where a device is asked whose ledger has an address: at the next port.
   *
   * @throws IllegalArgumentException if it is no address
   */
  public static String enrolment(String ledger) {
    String port = match(ledger).group(3);
    return ledger.substring(0, ledger.length() - port.length()) + (port(ledger) + 1);
  }

  static String checkHost(String host) {
    if (!HOST.matcher(host).matches()) {
      throw new IllegalArgumentException("'%s' is no host".formatted(host));
    }
    return host;
  }

  private static Matcher match(String address) {
    Matcher matcher = FORM.matcher(address);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'%s' is no address; write HOST:PORT, for example 10.0.0.7:7411 or [fd00::7]:7411"
              .formatted(address));
    }
    return matcher;
  }
}
