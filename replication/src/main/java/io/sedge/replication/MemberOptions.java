package io.sedge.replication;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How a member runs.
 *
 * @param directory where it keeps its copy; made if absent; of one process at a time
 * @param name the device's, the first part of the member's id
 * @param host an address of this device that the others reach; it listens there and nowhere else
 * @param port from 1 on
 * @param tls must be there unless {@code host} is a loopback address
 * @param electionTimeout a leader that is silent for this long, or up to half as long again, is
 *     replaced; one whose process has ended is at once. A leader that has nothing to say says so
 *     after half of it
 * @param outstandingBytes of commands that wait to be sent or answered, at most; what does not fit
 *     is refused, but one command is always taken
 * @param reserveBytes what must be free on the disk for commands to be taken. Room for two
 *     snapshots of the state and some segments of the log
 * @param snapshotBytes of log after which a snapshot is written, or as many as the last snapshot
 *     has if those are more, ten seconds after that one at the earliest; after 32 times as many at
 *     once. So a member that starts has little to apply. The log before the last snapshot but one
 *     is removed
 * @param listener is told what people should know
 */
public record MemberOptions(
    Path directory,
    String name,
    String host,
    int port,
    Optional<Tls> tls,
    Duration electionTimeout,
    int outstandingBytes,
    long reserveBytes,
    long snapshotBytes,
    LedgerListener listener) {
  public static final Duration DEFAULT_ELECTION_TIMEOUT = Duration.ofSeconds(1);
  public static final int DEFAULT_OUTSTANDING_BYTES = 8 << 20;
  public static final long DEFAULT_RESERVE_BYTES = 64L << 20;
  public static final long DEFAULT_SNAPSHOT_BYTES = 512L << 10;

  private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(100);
  private static final int LAST_PORT = 65_535;
  private static final int MAX_NAME = 64;

  public MemberOptions {
    if (name.isBlank() || name.length() > MAX_NAME) {
      throw new IllegalArgumentException(
          "name=%s is not of 1 to %d characters".formatted(name, MAX_NAME));
    }
    if (port < 1 || port > LAST_PORT) {
      throw new IllegalArgumentException("port=" + port + " is not from 1 to " + LAST_PORT);
    }
    if (tls.isEmpty() && !isLoopback(host)) {
      throw new IllegalArgumentException(
          "host=%s is no loopback address, so certificates are needed: nothing is sent or taken without mutual TLS"
              .formatted(host));
    }
    if (electionTimeout.compareTo(SHORTEST_TIMEOUT) < 0) {
      throw new IllegalArgumentException(
          "electionTimeout=%s is less than %s".formatted(electionTimeout, SHORTEST_TIMEOUT));
    }
    if (outstandingBytes < 1 || reserveBytes < 0 || snapshotBytes < 1) {
      throw new IllegalArgumentException(
          "outstandingBytes=%d, reserveBytes=%d, snapshotBytes=%d: none may be negative, only reserveBytes 0"
              .formatted(outstandingBytes, reserveBytes, snapshotBytes));
    }
  }

  /** Options as they are by default, without certificates. */
  public static MemberOptions of(
      Path directory, String name, String host, int port, LedgerListener listener) {
    return of(directory, name, host, port, Optional.empty(), listener);
  }

  /** Options as they are by default. */
  public static MemberOptions of(
      Path directory,
      String name,
      String host,
      int port,
      Optional<Tls> tls,
      LedgerListener listener) {
    return new MemberOptions(
        directory,
        name,
        host,
        port,
        tls,
        DEFAULT_ELECTION_TIMEOUT,
        DEFAULT_OUTSTANDING_BYTES,
        DEFAULT_RESERVE_BYTES,
        DEFAULT_SNAPSHOT_BYTES,
        listener);
  }

  /** {@code host:port}; an IPv6 address in brackets. */
  public String address() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  private static boolean isLoopback(String host) {
    try {
      for (InetAddress address : InetAddress.getAllByName(host)) {
        if (!address.isLoopbackAddress()) {
          return false;
        }
      }
      return !host.isBlank();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
