package io.sedge.connector.modbus;

import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.TableDescriptor;
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
import org.junit.jupiter.api.AfterEach;

/** A device has no past, so its registers cannot be read again; all else holds. */
final class ModbusSourceConformanceTest extends SourceConformance {
  private static final Schema SCHEMA =
      Schema.builder()
          .add("flow", Type.DOUBLE)
          .add("running", Type.BOOLEAN.notNull())
          .add("unit", Type.STRING.notNull())
          .add("ts", Type.timestampLtz(3))
          .build();

  private final FakeServer server = new FakeServer();
  private final TestContext context = new TestContext(Path.of(""));
  private final ModbusConnector connector = new ModbusConnector();

  ModbusSourceConformanceTest() {
    server.set(10, 215);
    server.setBit(3, true);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Override
  protected ConnectorFactory connector() {
    return connector;
  }

  // So slow that each unit is read once while the suite looks at it.
  @Override
  protected TableDescriptor table() {
    return table(Map.of());
  }

  private TableDescriptor table(Map<String, String> more) {
    Map<String, String> options =
        new HashMap<>(
            Map.of(
                "url", server.url(),
                "units", "1-3",
                "poll-interval", "1 h",
                "fields.flow.register", "holding:10:uint16",
                "fields.flow.scale", "0.1",
                "fields.running.register", "coil:3"));
    options.putAll(more);
    return Tables.table(SCHEMA, Map.of(2, "unit", 3, "timestamp"), options);
  }

  @Override
  protected Optional<TableDescriptor> dividedTable() {
    return Optional.of(table(Map.of("shard.by", "unit")));
  }

  @Override
  protected TestContext context() {
    return context;
  }

  @Override
  protected List<List<Object>> expected() {
    long micros = context.clock().millis() * 1_000;
    return List.of(
        List.of(21.5, true, "1", micros),
        List.of(21.5, true, "2", micros),
        List.of(21.5, true, "3", micros));
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
