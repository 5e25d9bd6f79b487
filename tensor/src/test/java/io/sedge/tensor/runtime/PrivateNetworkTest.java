package io.sedge.tensor.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.internal.Addresses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.tensorflow.Graph;
import org.tensorflow.Result;
import org.tensorflow.op.Ops;
import org.tensorflow.op.core.Constant;
import org.tensorflow.types.TFloat32;

/** Who reaches the ports of a cluster: everybody, or nobody. */
class PrivateNetworkTest {
  private static final Duration ATTEMPT = Duration.ofSeconds(2);

  /** SV-43: the reason for all this. A server for 127.0.0.1 is reached at every address. */
  @Test
  void aServerOfTheLoopbackAddressIsReachedAtEveryAddressOfTheMachine() throws IOException {
    ServerTask task = ServerTask.of(ClusterSpec.builder().job("a", "127.0.0.1:0").build());
    try (ServerProcess server = ServerProcess.start(task);
        ServerSocket everywhere = new ServerSocket(0)) {
      // An address may be of an interface that is down: nobody is reached there.
      List<String> reachable = reached(everywhere.getLocalPort());
      assertThat(reachable).isNotEmpty();
      assertThat(reached(Peers.port(server.target())))
          .containsExactlyInAnyOrderElementsOf(reachable);
    }
  }

  /** A cluster in a network of its own: it works inside, and cannot be reached from here. */
  @Test
  void nobodyOutsideReachesAClusterInANetworkOfItsOwn() throws Exception {
    assumeThat(PrivateNetwork.whyNot()).as("a private network").isEmpty();

    ChildJvm inside =
        ChildJvm.of(PrivateNetwork.program(Inside.class.getName(), List.of("-Xmx256m"), List.of()));
    try {
      assertThat(inside.awaitLine("network ")).isEqualTo("network true");
      int port = Integer.parseInt(inside.awaitLine("port ").substring("port ".length()));
      assertThat(inside.awaitLine("sum ")).isEqualTo("sum 3.0");
      assertThat(inside.process().isAlive()).isTrue();
      assertThat(reached(port)).isEmpty();

      inside.process().getOutputStream().close();
      inside.awaitGoodEnd();
    } finally {
      inside.kill();
    }
  }

  /** The addresses at which somebody accepts connections on a port. */
  private static List<String> reached(int port) throws SocketException {
    List<String> reached = new ArrayList<>();
    for (String address : ownAddresses()) {
      if (Peers.connect(Addresses.join(address, port), ATTEMPT) == null) {
        reached.add(address);
      }
    }
    return reached;
  }

  private static List<String> ownAddresses() throws SocketException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .map(InetAddress::getHostAddress)
        .toList();
  }

  /** The coordinator's program: a parameter server, and a step on it. */
  static final class Inside {
    private Inside() {}

    /** Ends when its standard input does. */
    public static void main(String[] arguments) throws IOException {
      ChildJvm.say("network " + PrivateNetwork.isInside());
      ServerTask task = ServerTask.of(ClusterSpec.builder().job("ps", "127.0.0.1:0").build());
      try (ServerProcess server = ServerProcess.start(task);
          Graph graph = new Graph()) {
        ChildJvm.say("port " + Peers.port(server.target()));
        Ops tf = Ops.create(graph);
        Constant<TFloat32> one = tf.constant(1f);
        try (ClusterSession session = ClusterSession.open(server.target(), graph);
            Result result = session.step().fetch(tf.math.add(one, tf.constant(2f))).run()) {
          ChildJvm.say("sum " + ((TFloat32) result.get(0)).getFloat());
        }
        while (System.in.read() >= 0) {
          // Nothing is sent.
        }
      }
    }
  }
}
