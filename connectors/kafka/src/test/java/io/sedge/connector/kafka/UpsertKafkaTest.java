package io.sedge.connector.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.kafka.testkit.Broker;
import io.sedge.connector.kafka.testkit.Records;
import io.sedge.connector.kafka.testkit.Topics;
import io.sedge.connector.testkit.Feed;
import io.sedge.connector.testkit.SinkConformance;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ChangeKind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A topic that keeps the last row of each key. */
final class UpsertKafkaTest extends SinkConformance {
  private static final Schema SCHEMA =
      Schema.builder().add("id", Type.INT.notNull()).add("text", Type.STRING).build();

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
    topics++;
    broker.create("keys-" + topics, 1, Map.of("cleanup.policy", "compact"));
  }

  @Override
  protected ConnectorFactory connector() {
    return new UpsertKafkaConnector();
  }

  @Override
  protected TableDescriptor table() {
    return Topics.table(
        SCHEMA,
        Map.of(),
        List.of(0),
        Topics.options(
            broker,
            "keys-" + topics,
            Map.of("format", "", "key.format", "json", "value.format", "json")));
  }

  @Override
  protected TestContext context() {
    return context;
  }

  @Override
  protected Object[] row(int number) {
    return new Object[] {number, "row"};
  }

  @Override
  protected String expected(int number) {
    return "{\"id\":%d}={\"id\":%d,\"text\":\"row\"}".formatted(number, number);
  }

  /** As a reader of the compacted topic has them; a key that is gone shows as such. */
  @Override
  protected List<String> written() {
    Map<String, @Nullable String> last = new LinkedHashMap<>();
    new Records(Map.of("bootstrap.servers", broker.bootstrap()))
        .read("keys-" + topics)
        .forEach(record -> last.put(record.key(), record.value()));
    return last.entrySet().stream().map(Map.Entry::toString).toList();
  }

  @Test
  void aKeyHasItsLastRowAndOneThatGoesATombstone() {
    try (Feed sink = Feed.open(connector().sink(table(), context).orElseThrow())) {
      BatchBuilder builder = new BatchBuilder(SCHEMA);
      add(builder, 1, "first", ChangeKind.INSERT);
      add(builder, 2, "first", ChangeKind.INSERT);
      add(builder, 1, "first", ChangeKind.UPDATE_BEFORE);
      add(builder, 1, "second", ChangeKind.UPDATE_AFTER);
      add(builder, 2, "first", ChangeKind.DELETE);
      sink.give(builder.build());
      sink.flushAll();
    }
    assertThat(written())
        .containsExactlyInAnyOrder("{\"id\":1}={\"id\":1,\"text\":\"second\"}", "{\"id\":2}=null");
  }

  @Test
  void aRowThatItsFormatCannotHoldLeavesTheOneBefore() {
    context.refuse(List.of(1, "second"));
    try (Feed sink = Feed.open(connector().sink(table(), context).orElseThrow())) {
      BatchBuilder builder = new BatchBuilder(SCHEMA);
      add(builder, 1, "first", ChangeKind.INSERT);
      add(builder, 2, "first", ChangeKind.INSERT);
      add(builder, 1, "second", ChangeKind.UPDATE_AFTER);
      sink.give(builder.build());
      sink.flushAll();
    }
    assertThat(written())
        .containsExactly(
            "{\"id\":1}={\"id\":1,\"text\":\"first\"}", "{\"id\":2}={\"id\":2,\"text\":\"first\"}");
    assertThat(context.malformed()).hasSize(1);
  }

  private static void add(BatchBuilder builder, int id, String text, ChangeKind change) {
    builder.column(0).addInt(id);
    builder.column(1).addString(text);
    builder.endRow(change);
  }

  @Test
  void itIsNotRead() {
    assertThatThrownBy(() -> connector().source(table(), context))
        .hasMessageContaining("table readings: connector 'upsert-kafka' is written, not read");
  }
}
