package io.sedge.connector.host;

import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.testkit.SourceConformance;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A sensor has no past, so its readings cannot be read again; all else holds. */
final class HostSourceConformanceTest extends SourceConformance {
  private static final Schema SCHEMA =
      Schema.builder()
          .add("quantity", Type.STRING.notNull())
          .add("reading", Type.DOUBLE)
          .add("ts", Type.timestampLtz(3))
          .add("host", Type.STRING)
          .build();

  private final TestContext context = new TestContext(Path.of(""));
  private final FakeProbe probe = new FakeProbe(Quantity.gauge("memory.used", "By"));
  private final HostConnectorFactory connector = new HostConnectorFactory(new FakeMachine(probe));

  HostSourceConformanceTest() {
    probe.raw[0] = 1024;
  }

  @Override
  protected ConnectorFactory connector() {
    return connector;
  }

  // So slow that there is one reading, and no second while the suite looks at it.
  @Override
  protected TableDescriptor table() {
    return new TableDescriptor(
        "sensors",
        SCHEMA,
        Map.of(),
        List.of(),
        List.of(),
        Map.of("sampling.rate", "0.1 Hz"),
        "machine.sql:1");
  }

  @Override
  protected Optional<TableDescriptor> dividedTable() {
    return Optional.of(table());
  }

  @Override
  protected TestContext context() {
    return context;
  }

  @Override
  protected List<List<Object>> expected() {
    long micros = context.clock().millis() * 1_000;
    return List.of(List.of("memory.used", 1024.0, micros, "press-7"));
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
