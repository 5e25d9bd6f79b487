package io.sedge.connector.sparkplug;

import static io.sedge.connector.sparkplug.testkit.Messages.defined;

import io.sedge.broker.EmbeddedBroker;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.sparkplug.testkit.PlainNode;
import io.sedge.connector.testkit.SourceConformance;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.tahu.protobuf.SparkplugBProto.Payload.Metric;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What two edge nodes answer when they are asked for their births. */
final class SparkplugSourceConformanceTest extends SourceConformance {
  private static final int COUNT = 150;
  private static EmbeddedBroker broker;

  private final List<PlainNode> nodes = new ArrayList<>();
  @TempDir private Path directory;

  @BeforeAll
  static void startBroker() {
    broker = EmbeddedBroker.builder().start();
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  @BeforeEach
  void connectTheEdgeNodes() {
    nodes.add(new PlainNode(broker.port(), "conformance", "mill", 0, metrics()));
    nodes.add(new PlainNode(broker.port(), "conformance", "press", 0, metrics()));
  }

  private static Metric[] metrics() {
    Metric[] metrics = new Metric[COUNT];
    for (int i = 0; i < COUNT; i++) {
      metrics[i] = defined("m" + i, i, i);
    }
    return metrics;
  }

  @AfterEach
  void disconnectThem() {
    nodes.forEach(PlainNode::close);
  }

  @Override
  protected ConnectorFactory connector() {
    return new SparkplugConnector();
  }

  private static TableDescriptor table(String nodesKey, String nodesValue, String... more) {
    Map<String, String> options =
        new java.util.HashMap<>(
            Map.of("url", broker.url(), "group", "conformance", nodesKey, nodesValue));
    for (int i = 0; i < more.length; i += 2) {
      options.put(more[i], more[i + 1]);
    }
    return Tables.table(
        Schema.builder()
            .add("node", Type.STRING)
            .add("metric", Type.STRING)
            .add("value", Type.DOUBLE)
            .build(),
        Map.of(0, "edge_node_id", 1, "name"),
        options);
  }

  @Override
  protected TableDescriptor table() {
    return table("edge-node", "mill");
  }

  @Override
  protected Optional<TableDescriptor> dividedTable() {
    return Optional.of(table("shard.values", "mill;press", "shard.by", "node"));
  }

  @Override
  protected TestContext context() {
    return TestContext.live(directory);
  }

  @Override
  protected List<List<Object>> expected() {
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      rows.add(List.of("mill", "m" + i, (double) i));
    }
    return rows;
  }

  @Override
  protected boolean isBounded() {
    return false;
  }

  @Override
  protected boolean isReplayable() {
    return false;
  }
}
