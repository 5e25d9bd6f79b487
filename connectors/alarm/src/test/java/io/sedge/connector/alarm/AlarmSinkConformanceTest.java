package io.sedge.connector.alarm;

import io.sedge.alarm.Alarm;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.testkit.SinkConformance;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Each row raises an alarm of its own. */
final class AlarmSinkConformanceTest extends SinkConformance {
  private final TestContext context = new TestContext(Path.of(""));
  private final FencedAlarms alarms = new FencedAlarms();

  @Override
  protected ConnectorFactory connector() {
    return new AlarmConnector().keptIn(alarms.next());
  }

  @Override
  protected TableDescriptor table() {
    Schema schema = Schema.builder().add("machine", Type.STRING).add("v", Type.DOUBLE).build();
    return new TableDescriptor(
        "readings",
        schema,
        Map.of(),
        List.of(0),
        List.of(),
        Map.of("value-column", "v"),
        "test.sql:1");
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
    return "m%d %s".formatted(number, number / 2.0);
  }

  @Override
  protected List<String> written() {
    return alarms.alarms.read(
        view -> view.list().stream().map(AlarmSinkConformanceTest::text).toList());
  }

  private static String text(Alarm alarm) {
    return alarm.key() + " " + alarm.value();
  }
}
