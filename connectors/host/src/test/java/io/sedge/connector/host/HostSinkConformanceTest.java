package io.sedge.connector.host;

import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.testkit.SinkConformance;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The far end is a reader of the same factory; what it has obeyed is what was reported. */
final class HostSinkConformanceTest extends SinkConformance {
  private static final Pattern OBEYED =
      Pattern.compile("INFO sampling rate of memory.used: .* -> .* \\((\\d+)\\)");

  private final TestContext context = new TestContext(Path.of(""));
  private final HostConnectorFactory connector =
      new HostConnectorFactory(new FakeMachine(new FakeProbe(Quantity.gauge("memory.used", "By"))));
  private SourceReader reader;

  @BeforeEach
  void read() {
    Schema schema = Schema.builder().add("reading", Type.DOUBLE).build();
    reader = connector.source(table(schema), context).orElseThrow().open();
  }

  @AfterEach
  void close() {
    reader.close();
  }

  private static TableDescriptor table(Schema schema) {
    return new TableDescriptor(
        "rates", schema, Map.of(), List.of(), List.of(), Map.of(), "machine.sql:1");
  }

  @Override
  protected ConnectorFactory connector() {
    return connector;
  }

  @Override
  protected TableDescriptor table() {
    return table(
        Schema.builder()
            .add("reason", Type.STRING)
            .add("quantity", Type.STRING)
            .add("sampling_rate_hz", Type.DOUBLE)
            .build());
  }

  @Override
  protected TestContext context() {
    return context;
  }

  @Override
  protected Object[] row(int number) {
    return new Object[] {Integer.toString(number), "memory.used", 1.0 + number % 50};
  }

  @Override
  protected String expected(int number) {
    return Integer.toString(number);
  }

  @Override
  protected List<String> written() {
    return context.reports().stream()
        .map(OBEYED::matcher)
        .filter(Matcher::matches)
        .map(matcher -> matcher.group(1))
        .toList();
  }
}
