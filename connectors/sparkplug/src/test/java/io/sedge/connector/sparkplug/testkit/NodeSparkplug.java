package io.sedge.connector.sparkplug.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** The edge node of the examples, of sparkplug-client, in a process of its own. */
public final class NodeSparkplug implements AutoCloseable {
  private static final Path MODULES = Path.of("src/test/node/node_modules");

  private final Process process;

  private NodeSparkplug(Process process) {
    this.process = process;
  }

  /** Starts it and waits until it is born, or skips the test where it is not installed. */
  public static NodeSparkplug start(String url) throws IOException {
    Assumptions.assumeTrue(
        Files.isDirectory(MODULES),
        "sparkplug-client is not installed: npm ci --ignore-scripts --prefix"
            + " connectors/sparkplug/src/test/node");
    ProcessBuilder builder =
        new ProcessBuilder("node", "../../examples/sparkplug-node.js", url)
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
      if (line.equals("born")) {
        return new NodeSparkplug(process);
      }
    }
    throw new AssertionError("the edge node was not born: " + said);
  }

  /** Kills it, so that the broker publishes its death. */
  @Override
  public void close() {
    try {
      if (!process.destroyForcibly().waitFor(20, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the edge node does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
