package io.sedge.connector.modbus;

import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.testkit.SinkConformance;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;

/** The far end keeps each value that is written to its only register. */
final class ModbusSinkConformanceTest extends SinkConformance {
  private static final Schema SCHEMA = Schema.builder().add("speed", Type.INT).build();

  private final FakeServer server = new FakeServer();
  private final TestContext context = TestContext.live(Path.of(""));
  private final ModbusConnector connector = new ModbusConnector();
  private final List<String> written = Collections.synchronizedList(new ArrayList<>());

  ModbusSinkConformanceTest() {
    server.behave(
        (request, right) -> {
          if (request.function() == 6) {
            written.add(Integer.toString(request.value()));
          }
          return new FakeServer.Reply(0, right);
        });
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Override
  protected ConnectorFactory connector() {
    return connector;
  }

  @Override
  protected TableDescriptor table() {
    return Tables.table(
        SCHEMA, Map.of("url", server.url(), "fields.speed.register", "holding:0:uint16"));
  }

  @Override
  protected TestContext context() {
    return context;
  }

  @Override
  protected Object[] row(int number) {
    return new Object[] {number};
  }

  @Override
  protected String expected(int number) {
    return Integer.toString(number);
  }

  @Override
  protected List<String> written() {
    synchronized (written) {
      return List.copyOf(written);
    }
  }
}
