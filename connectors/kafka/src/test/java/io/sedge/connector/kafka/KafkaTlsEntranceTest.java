package io.sedge.connector.kafka;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.kafka.testkit.Entrance;
import io.sedge.connector.kafka.testkit.Topics;
import io.sedge.connector.testkit.Feed;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tables without TLS at an entrance that answers with an alert. A client of Kafka's takes it for a
 * length of 352 MB, and the process of a device ends for want of memory: none may be made.
 */
@Timeout(60)
final class KafkaTlsEntranceTest {
  private static final Schema SCHEMA = Schema.builder().add("number", Type.INT).build();

  @TempDir Path directory;

  private final Entrance entrance = Entrance.answering(0x15, 3, 3, 0, 2, 2, 0x28);

  @AfterEach
  void close() {
    entrance.close();
  }

  private TableDescriptor table(Map<String, String> more) {
    Map<String, String> options = new HashMap<>();
    options.put("topic", "readings");
    options.put("properties.bootstrap.servers", entrance.place());
    options.put("format", "json");
    options.putAll(more);
    return Topics.table(SCHEMA, Map.of(), List.of(), options);
  }

  private String said() {
    return "table readings: Kafka at %1$s: %1$s talks TLS alone: 'properties.security.protocol' is SSL, or SASL_SSL with a login there; with an authority of its own it needs 'properties.ssl.truststore.location' too"
        .formatted(entrance.place());
  }

  @Test
  void aSourceFailsBeforeAClientIsMade() {
    TestContext context = TestContext.live(directory);
    TableDescriptor table = table(Map.of("scan.startup.mode", "earliest-offset"));
    try (SourceReader reader = Topics.open(new KafkaConnector(), table, context)) {
      assertThatThrownBy(() -> Topics.read(reader, 1))
          .isInstanceOf(ConnectorException.class)
          .hasMessage(said());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "at-least-once", "exactly-once"})
  void aSinkFailsBeforeAClientIsMade(String guarantee) {
    TestContext context = TestContext.live(directory);
    TableDescriptor table = table(Map.of("sink.delivery-guarantee", guarantee));
    assertThatThrownBy(
            () -> {
              try (Feed sink = Feed.open(new KafkaConnector().sink(table, context).orElseThrow())) {
                BatchBuilder builder = new BatchBuilder(SCHEMA);
                builder.addRow(7);
                sink.give(builder.build());
                sink.flushAll();
              }
            })
        .isInstanceOf(ConnectorException.class)
        .hasMessage(said());
  }
}
