package io.sedge.connector.blackhole;

import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.testkit.SinkConformance;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

final class BlackholeSinkTest extends SinkConformance {
  private final TestContext context = new TestContext(Path.of(""));

  @Override
  protected ConnectorFactory connector() {
    return new BlackholeConnector();
  }

  @Override
  protected TableDescriptor table() {
    return Tables.table(Schema.builder().add("id", Type.STRING).build(), Map.of());
  }

  @Override
  protected TestContext context() {
    return context;
  }

  @Override
  protected Object[] row(int number) {
    return new Object[] {"pump-" + number};
  }

  @Override
  protected String expected(int number) {
    return "";
  }

  @Override
  protected List<String> written() {
    return List.of();
  }

  @Override
  protected boolean keeps() {
    return false;
  }
}
