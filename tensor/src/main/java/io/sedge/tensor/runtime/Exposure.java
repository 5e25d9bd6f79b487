package io.sedge.tensor.runtime;

import io.sedge.tensor.ClusterSpec;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Who can reach the ports of this process. A server of TensorFlow listens on every interface,
 * whatever its address says, encrypts nothing and asks nobody who they are.
 */
final class Exposure {
  private static final Logger LOG = System.getLogger(Exposure.class.getName());

  /** Changes once: what is true of all servers of a process need be said but once. */
  private static final AtomicBoolean IS_TOLD = new AtomicBoolean();

  private Exposure() {}

  /**
   * Refuses a cluster that reaches beyond this machine, and warns of a port that others can reach:
   * once in this process where all addresses are loopback ones, else at each start.
   *
   * @param who who will listen, for messages
   * @throws IllegalArgumentException for an address that is not a loopback one, unless {@code
   *     insecureNetwork}
   */
  static void check(ClusterSpec cluster, String who, boolean insecureNetwork) {
    for (String job : cluster.jobs()) {
      cluster
          .tasks(job)
          .forEach(
              (index, address) -> {
                if (!insecureNetwork && !isLoopback(Peers.host(address))) {
                  throw refusal(job, index, address);
                }
              });
    }
    if (isOnNetwork()) {
      boolean isNews = insecureNetwork || IS_TOLD.compareAndSet(false, true);
      LOG.log(
          isNews ? Level.WARNING : Level.DEBUG,
          "{0} listens on every network interface of this machine, and whoever connects can run"
              + " anything with its rights; close its port to others, or run the cluster in a"
              + " network of its own (PrivateNetwork)",
          who);
    }
  }

  private static IllegalArgumentException refusal(String job, int index, String address) {
    return new IllegalArgumentException(
        "The address of task "
            + index
            + " of job '"
            + job
            + "' is '"
            + address
            + "', which is not on this machine's loopback interface. Traffic of TensorFlow is not"
            + " encrypted, and whoever reaches a server can run anything with its rights. Say"
            + " insecureNetwork where the network is known to be closed, or put a local forwarder's"
            + " address into the cluster");
  }

  static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** Whether this process has a network interface besides loopback. */
  static boolean isOnNetwork() {
    try {
      return NetworkInterface.networkInterfaces().anyMatch(Exposure::isUpAndOutward);
    } catch (SocketException e) {
      return true;
    }
  }

  private static boolean isUpAndOutward(NetworkInterface network) {
    try {
      return network.isUp()
          && !network.isLoopback()
          && network.inetAddresses().findAny().isPresent();
    } catch (SocketException e) {
      return true;
    }
  }
}
