package io.sedge.center.internal.people;

import io.sedge.identity.Fingerprint;
import io.sedge.identity.Rates;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * How often passwords may be tried that turn out wrong. Who may not is not told whether the
 * password was right, nor whether there is such a name.
 *
 * <table>
 *   <caption>Budgets; each is spent by wrong passwords alone</caption>
 *   <tr><td>a name, from one address</td><td>5 at once, one more each 5 minutes</td></tr>
 *   <tr><td>a name, from all addresses</td><td>60 at once, one more each 90 seconds: 100 in the
 *       first hour</td></tr>
 *   <tr><td>an address, whatever the name</td><td>20 at once, one more each 30 seconds</td></tr>
 * </table>
 *
 * <p>An address alone cannot spend what a name has, so nobody shuts out who is elsewhere. Many
 * addresses can: then the name is locked but for the addresses from which the person has logged in
 * since the center was started. Names are counted in {@value Rates#MAX_ADDRESSES} slots, chosen by
 * a hash with a key, so that no flood of names makes the center forget one. Of an IPv6 address the
 * first 64 bits count. Any thread.
 */
public final class Attempts {
  /** After how long there is another attempt, whatever was spent. */
  public static final String PATIENCE_SECONDS = "300";

  private static final long SECOND_NANOS = 1_000_000_000;
  private static final int OF_PAIR = 5;
  private static final long PAIR_NANOS = 300 * SECOND_NANOS;
  private static final int OF_NAME = 60;
  private static final long NAME_NANOS = 90 * SECOND_NANOS;
  private static final int OF_ADDRESS = 20;
  private static final long ADDRESS_NANOS = 30 * SECOND_NANOS;

  /** How many addresses are remembered from which a person has logged in. */
  private static final int MAX_KNOWN = 8;

  private static final int KEY_BYTES = 16;

  private final byte[] key = new byte[KEY_BYTES];
  private final Rates byPair;
  private final Rates byName;
  private final Rates byAddress;

  /** By slot: no more than there are slots. */
  private final Map<String, Set<String>> known = new HashMap<>();

  public Attempts(LongSupplier nanoClock) {
    new SecureRandom().nextBytes(key);
    this.byPair = new Rates(nanoClock, OF_PAIR, PAIR_NANOS);
    this.byName = new Rates(nanoClock, OF_NAME, NAME_NANOS);
    this.byAddress = new Rates(nanoClock, OF_ADDRESS, ADDRESS_NANOS);
  }

  /** Takes an attempt, which counts as wrong until {@link #succeeded}; whether there is one. */
  public synchronized boolean take(String name, String address) {
    String from = network(address);
    String slot = slot(name);
    String pair = slot + " " + from;
    boolean may =
        byAddress.mayTry(from)
            && byPair.mayTry(pair)
            && (byName.mayTry(slot) || known.getOrDefault(slot, Set.of()).contains(from));
    if (may) {
      byAddress.refused(from);
      byPair.refused(pair);
      byName.refused(slot);
    }
    return may;
  }

  /** The attempt that was taken was right. */
  public synchronized void succeeded(String name, String address) {
    String from = network(address);
    String slot = slot(name);
    byAddress.permitted(from);
    byPair.permitted(slot + " " + from);
    byName.permitted(slot);
  }

  /** Somebody is logged in, by a password or a link: the name is not locked there. */
  public synchronized void loggedIn(String name, String address) {
    String from = network(address);
    String slot = slot(name);
    Set<String> addresses = known.computeIfAbsent(slot, _ -> new LinkedHashSet<>());
    addresses.remove(from);
    addresses.add(from);
    if (addresses.size() > MAX_KNOWN) {
      addresses.remove(addresses.iterator().next());
    }
  }

  /** Whether a name may only be used from where its person has logged in before. */
  public synchronized boolean isLocked(String name) {
    return !byName.mayTry(slot(name));
  }

  private String slot(String name) {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    byte[] hash =
        Fingerprint.sha256(ByteBuffer.allocate(KEY_BYTES + text.length).put(key).put(text).array());
    return Integer.toString(Math.floorMod(ByteBuffer.wrap(hash).getInt(), Rates.MAX_ADDRESSES));
  }

  /** What counts of an address: who has one of IPv6 has all of its network. */
  public static String network(String address) {
    if (address.indexOf(':') < 0) {
      return address;
    }
    ByteBuffer bytes = ByteBuffer.wrap(InetAddress.ofLiteral(address).getAddress());
    return "%x:%x:%x:%x::/64"
        .formatted(bytes.getShort(), bytes.getShort(), bytes.getShort(), bytes.getShort());
  }
}
