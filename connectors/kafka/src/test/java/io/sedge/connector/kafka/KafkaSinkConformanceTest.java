package io.sedge.connector.kafka;

import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.kafka.testkit.Broker;
import io.sedge.connector.kafka.testkit.Records;
import io.sedge.connector.testkit.SinkConformance;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** In transactions; a reader of committed records sees each row once, whoever dies when. */
final class KafkaSinkConformanceTest extends SinkConformance {
  private static final Schema SCHEMA =
      Schema.builder().add("number", Type.INT).add("text", Type.STRING).build();

  @TempDir static Path directory;

  private static Broker broker;
  private static int topics;
  private TestContext context;

  @BeforeAll
  static void start() {
    broker = Broker.start(directory);
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @BeforeEach
  void begin() {
    context = TestContext.live(directory);
    broker.create(topic(++topics), 2, Map.of());
  }

  private static String topic(int number) {
    return "rows-" + number;
  }

  @Override
  protected ConnectorFactory connector() {
    return new KafkaConnector();
  }

  @Override
  protected TableDescriptor table() {
    Map<String, String> options = new HashMap<>();
    options.put("topic", topic(topics));
    options.put("properties.bootstrap.servers", broker.bootstrap());
    options.put("sink.delivery-guarantee", "exactly-once");
    options.put("sink.transactional-id-prefix", "test-" + topics);
    options.put("format", "csv");
    return Tables.table(SCHEMA, options);
  }

  @Override
  protected TestContext context() {
    return context;
  }

  @Override
  protected Object[] row(int number) {
    return new Object[] {number, "row " + number};
  }

  @Override
  protected String expected(int number) {
    return "%d,row %d".formatted(number, number);
  }

  @Override
  protected List<String> written() {
    return new Records(Map.of("bootstrap.servers", broker.bootstrap())).values(topic(topics));
  }
}
