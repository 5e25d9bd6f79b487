package io.sedge.cli.internal.doctor;

import java.util.List;
import java.util.Optional;

/** How others reach a device. */
final class NetworkChecks {
  private static final String OTHER_ADDRESS =
      "give the device another one: `sedge device address` where it is alone, else remove it and"
          + " let it join again";

  private NetworkChecks() {}

  /**
   * @param addresses of this machine that are not loopback's, nor of a link alone
   */
  static Finding addresses(List<String> addresses) {
    return addresses.isEmpty()
        ? Finding.warning(
            "network",
            "this machine has no address but loopback's",
            "a site of this device alone works; for others connect the machine: `ip address`")
        : Finding.ok("network", "others may reach this machine at " + String.join(", ", addresses));
  }

  /**
   * @param first which a device takes unless it is told, with the one after it
   * @param free what it would take now; empty if it finds none
   */
  static Finding ports(int first, Optional<Integer> free) {
    if (free.isEmpty()) {
      return Finding.failure(
          "ports", "none that a device looks for is free", "choose with --listen HOST:PORT");
    }
    return free.get() == first
        ? Finding.ok("ports", "%d and %d are free".formatted(first, first + 1))
        : Finding.warning(
            "ports",
            "%d or %d is taken; a device would listen at %d and %d"
                .formatted(first, first + 1, free.get(), free.get() + 1),
            "open these in the firewall, or choose with --listen HOST:PORT");
  }

  /** Of a device that listens where this machine no longer is. */
  static Finding noAddress(String host) {
    return Finding.failure(
        "ports",
        "%s, where the device listens, is no address of this machine".formatted(host),
        "give the machine that address for good (`ip address` shows those it has), or "
            + OTHER_ADDRESS);
  }

  /**
   * Of a device that has its ports already.
   *
   * @param taken those of them at which another program listens
   */
  static Finding ports(List<Integer> taken, boolean running) {
    if (running) {
      return Finding.ok("ports", "the device runs, and listens at its own");
    }
    return taken.isEmpty()
        ? Finding.ok("ports", "those of the device are free")
        : Finding.failure(
            "ports",
            "another program listens at %s"
                .formatted(String.join(" and ", taken.stream().map(String::valueOf).toList())),
            "end it (`sudo ss -ltnp` tells which it is), or " + OTHER_ADDRESS);
  }
}
