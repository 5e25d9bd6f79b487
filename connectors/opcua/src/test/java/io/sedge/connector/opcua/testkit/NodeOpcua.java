package io.sedge.connector.opcua.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** The server of the examples, of node-opcua, in a process of its own: not ours, and not Milo's. */
public final class NodeOpcua implements AutoCloseable {
  private static final Path MODULES = Path.of("src/test/node/node_modules");

  private final Process process;
  private final int port;

  private NodeOpcua(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts it, or skips the test where it is not installed. */
  public static NodeOpcua start() throws IOException {
    Assumptions.assumeTrue(
        Files.isDirectory(MODULES),
        "node-opcua is not installed: npm ci --ignore-scripts --prefix"
            + " connectors/opcua/src/test/node");
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    ProcessBuilder builder =
        new ProcessBuilder("node", "../../examples/opcua-server.js", Integer.toString(port))
            .redirectErrorStream(true);
    builder.environment().put("NODE_PATH", MODULES.toAbsolutePath().toString());
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      Assumptions.abort("node is not installed: " + e.getMessage());
      throw e;
    }
    StringBuilder said = new StringBuilder();
    BufferedReader output = process.inputReader();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      said.append(line).append('\n');
      if (line.startsWith("opc.tcp://")) {
        return new NodeOpcua(process, port);
      }
    }
    throw new AssertionError("node-opcua has not started: " + said);
  }

  public String url() {
    return "opc.tcp://127.0.0.1:" + port;
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      var _ = process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
