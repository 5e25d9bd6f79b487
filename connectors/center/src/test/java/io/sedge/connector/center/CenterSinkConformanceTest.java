package io.sedge.connector.center;

import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.testkit.SinkConformance;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Against a center that loses every other answer. */
final class CenterSinkConformanceTest extends SinkConformance {
  private static final Schema SCHEMA =
      Schema.builder().add("machine", Type.STRING).add("value", Type.DOUBLE).build();

  @TempDir private Path directory;
  private final CenterConnector connector = new CenterConnector();

  @SuppressWarnings("NullAway.Init") // Before each test.
  private FakeCenter center;

  @SuppressWarnings("NullAway.Init") // Before each test.
  private TableDescriptor table;

  @SuppressWarnings("NullAway.Init") // Before each test.
  private TestContext context;

  @BeforeEach
  void start() throws IOException, GeneralSecurityException {
    center = new FakeCenter(directory);
    table = Tables.table(SCHEMA, Map.of("credential", center.credential(0)));
    context = TestContext.live(directory);
  }

  @AfterEach
  void stop() {
    center.close();
  }

  @Override
  protected ConnectorFactory connector() {
    return connector;
  }

  @Override
  protected TableDescriptor table() {
    return table;
  }

  @Override
  protected TestContext context() {
    return context;
  }

  @Override
  protected Object[] row(int number) {
    return new Object[] {"m" + number, number / 2.0};
  }

  @Override
  protected String expected(int number) {
    return "m%d,%s".formatted(number, number / 2.0);
  }

  @Override
  protected List<String> written() {
    return center.rows();
  }
}
