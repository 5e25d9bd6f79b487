package io.sedge.connector.sparkplug;

import static java.util.Arrays.asList;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.SourceReader;
import io.sedge.connector.mqtt.testkit.Mosquitto;
import io.sedge.connector.sparkplug.testkit.Drain;
import io.sedge.connector.sparkplug.testkit.MetricTable;
import io.sedge.connector.sparkplug.testkit.TahuNode;
import io.sedge.connector.testkit.TestContext;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An edge node of Tahu at a Mosquitto: neither is ours. */
@Timeout(300)
final class TahuEdgeNodeTest {
  @TempDir private Path directory;

  // Tahu waits for its primary host to say that it is online, names values by aliases alone,
  // leaves out their types, and reports its death by a will when the broker ends.
  @Test
  void itIsReadThroughItsLifeAndThatOfTheBroker() throws Exception {
    TestContext context = TestContext.live(directory);
    try (Mosquitto broker = Mosquitto.startForgetful(directory, List.of("allow_anonymous true"));
        TahuNode node = new TahuNode(broker.port(), "plant", "tahu", "sedge")) {
      assertThat(node.births()).isZero();
      try (SourceReader reader =
          new SparkplugConnector()
              .source(
                  MetricTable.at(
                      broker.url(),
                      "group",
                      "plant",
                      "edge-node",
                      "tahu",
                      "host-id",
                      "sedge",
                      "reconnect.min-delay",
                      "100 ms",
                      "reconnect.max-delay",
                      "200 ms"),
                  context)
              .orElseThrow()
              .open()) {
        Drain drain = new Drain(reader, context);
        drain.pollUntil(
            "its births",
            () ->
                drain.rows().contains(asList("tahu", null, "speed", -1.0))
                    && drain.rows().contains(List.of("tahu", "press", "force", 0.5)));
        long dropped = reader.counters().dropped();
        for (int i = 0; i < 300; i++) {
          node.publish(i, i + 0.25);
        }
        drain.pollUntil(
            "the last value",
            () -> drain.rows().contains(List.of("tahu", "press", "force", 299.25)));
        assertThat(values(drain, "speed")).hasSize(300).startsWith(0.0).endsWith(299.0);
        assertThat(values(drain, "force")).hasSize(300);
        assertThat(reader.counters().dropped()).isEqualTo(dropped);
        assertThat(context.malformed()).isEmpty();

        int births = node.births();
        broker.kill();
        drain.expectReport("lost the connection");
        broker.start();
        drain.pollUntil("its next birth", () -> node.births() > births);
        drain.expectReport("nothing was read from");
        drain.pollUntil(
            "values again",
            () -> {
              publish(node, 1_000);
              return drain.rows().contains(asList("tahu", null, "speed", 1_000.0));
            });
      }
    }
  }

  private static void publish(TahuNode node, int speed) {
    try {
      node.publish(speed, 0);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** The values of data, which are not negative and no birth's. */
  private static List<Double> values(Drain drain, String metric) {
    return drain.rows().stream()
        .filter(row -> metric.equals(row.get(2)))
        .map(row -> (Double) Objects.requireNonNull(row.get(3)))
        .filter(value -> value >= 0 && value != 0.5)
        .toList();
  }
}
