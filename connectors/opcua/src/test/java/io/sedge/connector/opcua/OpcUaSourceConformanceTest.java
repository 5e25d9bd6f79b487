package io.sedge.connector.opcua;

import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.opcua.testkit.Plant;
import io.sedge.connector.opcua.testkit.PlantServer;
import io.sedge.connector.testkit.SourceConformance;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;

/** A subscription begins with the values of now and has no past; all else holds. */
final class OpcUaSourceConformanceTest extends SourceConformance {
  private static final Schema SCHEMA =
      Schema.builder()
          .add("machine", Type.STRING.notNull())
          .add("value", Type.DOUBLE)
          .add("ts", Type.timestampLtz(3))
          .build();

  private static final PlantServer SERVER = PlantServer.shared();

  private final OpcUaConnector connector = new OpcUaConnector();
  private final TestContext context = TestContext.live(Path.of(""));

  @BeforeAll
  static void fill() {
    for (int i = 1; i <= 3; i++) {
      SERVER.plant().add("conformance.m%d.flow".formatted(i), 0.0);
      SERVER.plant().put("conformance.m%d.flow".formatted(i), Plant.value(i * 1.5, i));
    }
  }

  @Override
  protected ConnectorFactory connector() {
    return connector;
  }

  @Override
  protected TableDescriptor table() {
    return table(Map.of());
  }

  private static TableDescriptor table(Map<String, String> more) {
    Map<String, String> options =
        new HashMap<>(
            Map.of(
                "url", SERVER.url(),
                "nodes", "nsu=%s;s=conformance.{machine}.flow".formatted(Plant.URI),
                "publishing-interval", "10 ms"));
    options.putAll(more);
    return Tables.table(SCHEMA, Map.of(2, "source-timestamp"), options);
  }

  @Override
  protected Optional<TableDescriptor> dividedTable() {
    return Optional.of(table(Map.of("shard.by", "machine", "shard.values", "m1;m2;m3")));
  }

  @Override
  protected TestContext context() {
    return context;
  }

  @Override
  protected List<List<Object>> expected() {
    long start = 1_767_225_600_000_000L;
    return List.of(
        List.of("m1", 1.5, start + 1_000_000),
        List.of("m2", 3.0, start + 2_000_000),
        List.of("m3", 4.5, start + 3_000_000));
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
