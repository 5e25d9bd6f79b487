package io.sedge.connector.opcua;

import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.opcua.testkit.PlantServer;
import io.sedge.connector.testkit.SinkConformance;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** The far end keeps each value that is written to some nodes. */
final class OpcUaSinkConformanceTest extends SinkConformance {
  private static final int NODES = 64;
  private static final Schema SCHEMA =
      Schema.builder().add("valve", Type.STRING).add("speed", Type.INT).build();

  private static final PlantServer SERVER = PlantServer.shared();

  private final TestContext context = TestContext.live(Path.of(""));
  private final OpcUaConnector connector = new OpcUaConnector();

  @BeforeAll
  static void fill() {
    for (int i = 0; i < NODES; i++) {
      SERVER.plant().add("valve-%d".formatted(i), 0);
    }
  }

  @BeforeEach
  void forget() {
    SERVER.plant().written().clear();
  }

  @Override
  protected ConnectorFactory connector() {
    return connector;
  }

  @Override
  protected TableDescriptor table() {
    return Tables.table(
        SCHEMA, Map.of("url", SERVER.url(), "nodes", SERVER.plant().id("valve-{valve}")));
  }

  @Override
  protected TestContext context() {
    return context;
  }

  @Override
  protected Object[] row(int number) {
    return new Object[] {Integer.toString(number % NODES), number};
  }

  @Override
  protected String expected(int number) {
    return Integer.toString(number);
  }

  @Override
  protected List<String> written() {
    return SERVER.plant().written().stream()
        .map(write -> String.valueOf(write.getValue().value().value()))
        .toList();
  }
}
