package io.sedge.connector.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.Delivery;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Sink;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.kafka.testkit.Await;
import io.sedge.connector.kafka.testkit.Broker;
import io.sedge.connector.kafka.testkit.Topics;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.format.avro.testkit.RegistryStub;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys and values whose schemas are in a registry, over a broker. */
final class KafkaRegistryTest {
  private static final Schema SCHEMA =
      Schema.builder().add("machine", Type.STRING).add("level", Type.DOUBLE).build();

  @TempDir static Path directory;

  private static TableDescriptor table(Broker broker, RegistryStub registry) {
    return Topics.table(
        SCHEMA,
        Map.of(),
        List.of(),
        Topics.options(
            broker,
            "plant",
            Map.of(
                "format", "",
                "key.format", "avro-confluent",
                "key.avro-confluent.url", registry.url(),
                "key.fields", "machine",
                "value.format", "avro-confluent",
                "value.avro-confluent.url", registry.url(),
                "value.fields-include", "EXCEPT_KEY",
                "scan.startup.mode", "earliest-offset")));
  }

  /** The position stays before a record whose schema is not there, and the task goes on. */
  @Test
  void aRecordWaitsForItsSchemaAndTheTaskDoesNot() throws IOException {
    try (Broker broker = Broker.start(directory, "PLAINTEXT", Map.of(), List.of());
        RegistryStub registry = new RegistryStub()) {
      broker.create("plant", 1, Map.of());
      TestContext context = TestContext.live(directory);
      KafkaConnector kafka = new KafkaConnector();
      write(kafka, table(broker, registry), context);
      assertThat(registry.asked())
          .containsExactly(
              "POST /subjects/plant-key/versions", "POST /subjects/plant-value/versions");

      CountDownLatch late = registry.holdAnswers();
      try (SourceReader reader = Topics.open(kafka, table(broker, registry), context)) {
        Await.until(
            "the registry is asked",
            () -> {
              assertThat(reader.poll(System.nanoTime())).isNull();
              return registry.waiting() > 0;
            });
        byte[] before = reader.position();
        assertThat(reader.poll(System.nanoTime())).isNull();
        assertThat(reader.position()).isEqualTo(before);
        late.countDown();
        List<List<@Nullable Object>> rows = Topics.read(reader, 2);
        assertThat(rows).containsExactly(List.of("press-1", 2.5), List.of("press-2", 3.5));
        assertThat(reader.position()).isNotEqualTo(before);
        assertThat(context.malformed()).isEmpty();
      }
    }
  }

  private static void write(KafkaConnector kafka, TableDescriptor table, TestContext context) {
    try (Sink sink =
        kafka
            .sink(table, context)
            .orElseThrow()
            .open(Delivery.of(new Delivery.Writer("plant", "job", "delivery", "plant"), 1, 0))) {
      BatchBuilder builder = new BatchBuilder(SCHEMA);
      builder.addRow("press-1", 2.5).addRow("press-2", 3.5);
      assertThat(sink.offer(new NumberedBatch(1, builder.build()))).isTrue();
      Await.until("written", () -> sink.flush() == 2);
    }
  }
}
