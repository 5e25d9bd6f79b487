package io.sedge.system.testkit;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Where a site's devices are connected. On Linux, for root, each device has a network of its own (a
 * network namespace) with one cable to a switch (a bridge), which can be unplugged; elsewhere all
 * are on this machine's loopback.
 */
public final class SiteNetwork implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";

  /** Of the addresses of documentation, TEST-NET-2 (RFC 5737): no real network has them. */
  private static final String PREFIX = "198.51.100.";

  private static final int FIRST_DEVICE = 2;
  private static final String BRIDGE = "sedge-test";

  private final Map<String, Integer> hosts = new TreeMap<>();
  private final boolean real;

  private SiteNetwork(boolean real) {
    this.real = real;
  }

  /** This machine's loopback, for any devices. */
  public static SiteNetwork loopback() {
    return new SiteNetwork(false);
  }

  /** A network for some devices; {@link #loopback} where it cannot be made. */
  public static SiteNetwork of(List<String> devices) {
    if (devices.stream().anyMatch(SiteNetwork::isUsed)) {
      return loopback(); // By another build on this machine.
    }
    SiteNetwork network = new SiteNetwork(true);
    removeAll(devices); // What a build has left that was killed.
    boolean made =
        ip("link", "add", BRIDGE, "type", "bridge")
            && ip("addr", "add", PREFIX + "1/24", "dev", BRIDGE)
            && ip("link", "set", BRIDGE, "up")
            && devices.stream().allMatch(network::add)
            && devices.stream().allMatch(network::reachesTheSwitch);
    if (made) {
      return network;
    }
    network.close();
    return loopback();
  }

  private static boolean isUsed(String device) {
    return Programs.run("sh", "-c", "ip netns pids %s | grep -q .".formatted(space(device)));
  }

  private boolean add(String device) {
    int number = FIRST_DEVICE + hosts.size();
    hosts.put(device, number);
    String space = space(device);
    String inside = "inside" + number;
    return ip("netns", "add", space)
        && ip("link", "add", cable(device), "type", "veth", "peer", "name", inside)
        && ip("link", "set", inside, "netns", space)
        && ip("link", "set", cable(device), "master", BRIDGE, "up")
        && ip("-n", space, "addr", "add", PREFIX + number + "/24", "dev", inside)
        && ip("-n", space, "link", "set", inside, "up")
        && ip("-n", space, "link", "set", "lo", "up");
  }

  /** A packet filter may be in the way: a refused connection tells that there is none. */
  private boolean reachesTheSwitch(String device) {
    String connect = "timeout 5 bash -c '</dev/tcp/%s1/9' 2>&1 | grep -q refused".formatted(PREFIX);
    return Programs.run(
        Stream.concat(inside(device).stream(), Stream.of("sh", "-c", connect))
            .toArray(String[]::new));
  }

  /** Whether cables can be unplugged. */
  public boolean canBeCut() {
    return real;
  }

  /** Where devices reach what listens on this machine. */
  public String hostOfThisMachine() {
    return real ? PREFIX + "1" : LOOPBACK;
  }

  /** The address of a device. */
  public String host(String device) {
    return real ? PREFIX + hosts.get(device) : LOOPBACK;
  }

  /** What comes before a command, so that it runs where the device is. */
  public List<String> inside(String device) {
    return real ? List.of("ip", "netns", "exec", space(device)) : List.of();
  }

  /** Unplugs a device. */
  public void cut(String device) {
    must(ip("link", "set", cable(device), "down"), device);
  }

  /** Plugs it in again. */
  public void mend(String device) {
    must(ip("link", "set", cable(device), "up"), device);
  }

  private static void must(boolean done, String device) {
    if (!done) {
      throw new IllegalStateException("the cable of " + device);
    }
  }

  private String cable(String device) {
    return cable(hosts.get(device));
  }

  private static String cable(int number) {
    return "sedge-test-" + number;
  }

  private static String space(String device) {
    return "sedge-test-" + device;
  }

  private static boolean ip(String... words) {
    return Programs.run(Stream.concat(Stream.of("ip"), Stream.of(words)).toArray(String[]::new));
  }

  @Override
  public void close() {
    if (real) {
      removeAll(hosts.keySet());
    }
  }

  private static void removeAll(Collection<String> devices) {
    devices.forEach(device -> ip("netns", "del", space(device)));
    // A network lives as long as a process in it: its cable is pulled out all the same.
    for (int number = FIRST_DEVICE; number < FIRST_DEVICE + devices.size(); number++) {
      ip("link", "del", cable(number));
    }
    ip("link", "del", BRIDGE);
  }
}
