package io.sedge.tensor.runtime;

import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.internal.Addresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether anybody accepts connections at an address: what can be known without TensorFlow. */
final class Peers {
  private static final String GRPC = "grpc://";
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final Duration ATTEMPT = Duration.ofSeconds(1);

  private Peers() {}

  /**
   * The address of a target.
   *
   * @throws IllegalArgumentException unless the target is {@code grpc://host:port} with a port that
   *     can be dialled
   */
  static String address(String target) {
    if (!target.startsWith(GRPC)) {
      throw new IllegalArgumentException(
          "The target of a session is '" + target + "', which is not of the form grpc://host:port");
    }
    String address = target.substring(GRPC.length());
    Addresses.check(address, "a session's target");
    if (Addresses.hasOpenPort(address)) {
      throw new IllegalArgumentException(
          "The target of a session is '" + target + "', whose port nobody can dial");
    }
    return address;
  }

  /**
   * Waits until somebody accepts connections at an address.
   *
   * @param who what the message says was tried, for example {@code task 0 of job 'ps'}
   * @throws TensorFlowStatusException with code UNAVAILABLE if nobody does in time, or CANCELLED if
   *     the thread is interrupted, which it then still is
   */
  static void await(String address, String who, Duration limit) {
    long start = System.nanoTime();
    @Nullable IOException failure = connect(address, least(ATTEMPT, limit));
    while (failure != null) {
      if (Thread.currentThread().isInterrupted() || !pause()) {
        throw new TensorFlowStatusException(
            StatusCode.CANCELLED, "Interrupted while waiting for " + who + " at " + address);
      }
      Duration left = limit.minusNanos(System.nanoTime() - start);
      if (left.isNegative() || left.isZero()) {
        throw new TensorFlowStatusException(
            StatusCode.UNAVAILABLE,
            "No server answers at "
                + address
                + " ("
                + who
                + "), tried for "
                + limit.toMillis()
                + " ms: "
                + failure.getMessage(),
            failure);
      }
      failure = connect(address, least(ATTEMPT, left));
    }
  }

  /** The tasks of a cluster at whose address nobody accepts connections now, as device names. */
  static List<String> silent(ClusterSpec cluster) {
    List<String> silent = new ArrayList<>();
    for (String job : cluster.jobs()) {
      cluster
          .tasks(job)
          .forEach(
              (index, address) -> {
                if (!Addresses.hasOpenPort(address) && connect(address, ATTEMPT) != null) {
                  silent.add("/job:" + job + "/task:" + index + " at " + address);
                }
              });
    }
    return silent;
  }

  /** Connects and hangs up; why that did not go, or null. */
  static @Nullable IOException connect(String address, Duration limit) {
    InetSocketAddress place = new InetSocketAddress(host(address), port(address));
    if (place.isUnresolved()) {
      return new IOException("the host name '" + host(address) + "' cannot be resolved");
    }
    try (Socket socket = new Socket()) {
      socket.connect(place, Math.toIntExact(Math.max(1, limit.toMillis())));
      return null;
    } catch (IOException e) {
      return e;
    }
  }

  static String host(String address) {
    String host = address.substring(0, address.lastIndexOf(':'));
    if (host.startsWith("[")) {
      return host.substring(1, host.length() - 1);
    }
    return host.isEmpty() ? "localhost" : host;
  }

  static int port(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static boolean pause() {
    try {
      Thread.sleep(PAUSE);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
