package io.sedge.connector.kafka;

import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.kafka.testkit.Broker;
import io.sedge.connector.kafka.testkit.Records;
import io.sedge.connector.kafka.testkit.Records.Text;
import io.sedge.connector.testkit.SourceConformance;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Three partitions, whose records have times that interleave; some cannot be decoded. */
final class KafkaSourceConformanceTest extends SourceConformance {
  private static final int ROWS = 9_000;
  private static final int PARTITIONS = 3;
  private static final long BEGIN = 1_767_225_600_000L;

  private static final Schema SCHEMA =
      Schema.builder()
          .add("number", Type.INT)
          .add("part", Type.STRING)
          .add("ts", Type.timestampLtz(3))
          .build();

  @TempDir static Path directory;

  private static Broker broker;
  private TestContext context;

  @BeforeAll
  static void write() {
    broker = Broker.start(directory);
    broker.create("readings", PARTITIONS, Map.of());
    List<Text> texts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      texts.add(new Text(i % PARTITIONS, BEGIN + i, null, "{\"number\":%d}".formatted(i)));
      if (i % 1_000 == 7) {
        texts.add(new Text(i % PARTITIONS, BEGIN + i, null, i % 2_000 == 7 ? "{" : null));
      }
    }
    new Records(Map.of("bootstrap.servers", broker.bootstrap())).write("readings", texts);
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @BeforeEach
  void begin() {
    context = TestContext.live(directory);
  }

  @Override
  protected ConnectorFactory connector() {
    return new KafkaConnector();
  }

  @Override
  protected TestContext context() {
    return context;
  }

  @Override
  protected TableDescriptor table() {
    return table(Map.of());
  }

  @Override
  protected Optional<TableDescriptor> dividedTable() {
    return Optional.of(table(Map.of("shard.by", "part", "shard.values", "0;1;2")));
  }

  private static TableDescriptor table(Map<String, String> more) {
    Map<String, String> options = new HashMap<>(more);
    options.put("topic", "readings");
    options.put("properties.bootstrap.servers", broker.bootstrap());
    options.put("scan.startup.mode", "earliest-offset");
    options.put("scan.bounded.mode", "latest-offset");
    options.put("format", "json");
    return Tables.table(SCHEMA, Map.of(1, "partition", 2, "timestamp"), options);
  }

  @Override
  protected int expectedMalformed() {
    return ROWS / 1_000;
  }

  @Override
  protected List<List<Object>> expected() {
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(List.of(i, Integer.toString(i % PARTITIONS), (BEGIN + i) * 1_000));
    }
    return rows;
  }
}
