package io.sedge.connector.sparkplug;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.broker.EmbeddedBroker;
import io.sedge.connector.SourceReader;
import io.sedge.connector.sparkplug.testkit.Drain;
import io.sedge.connector.sparkplug.testkit.MetricTable;
import io.sedge.connector.sparkplug.testkit.NodeSparkplug;
import io.sedge.connector.testkit.TestContext;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The edge node that the documents say how to start. */
@Timeout(180)
final class NodeSparkplugTest {
  @TempDir private Path directory;

  // It has no aliases, names its metrics in each message, and sends its death at QoS 0.
  @Test
  void itIsReadFromTheBirthThatIsAskedForToItsDeath() throws IOException {
    TestContext context = TestContext.live(directory);
    try (EmbeddedBroker broker = EmbeddedBroker.builder().start();
        SourceReader reader =
            new SparkplugConnector()
                .source(
                    MetricTable.at(broker.url(), "group", "plant", "edge-node", "line1"), context)
                .orElseThrow()
                .open()) {
      Drain drain = new Drain(reader, context);
      try (NodeSparkplug node = NodeSparkplug.start(broker.url())) {
        drain.pollUntil(
            "speeds and boxes",
            () ->
                drain.rows().stream().filter(row -> "Speed".equals(row.get(2))).count() >= 5
                    && drain.rows().stream().anyMatch(row -> "packer".equals(row.get(1))));
        assertThat(context.malformed()).isEmpty();
        assertThat(node).isNotNull();
      }
      drain.expectReport("edge node plant/line1 has died");
    }
  }
}
