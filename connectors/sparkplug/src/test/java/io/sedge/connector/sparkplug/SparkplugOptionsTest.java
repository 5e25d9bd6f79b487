package io.sedge.connector.sparkplug;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused before anything is opened, and in which words. */
final class SparkplugOptionsTest {
  private static final Schema SCHEMA =
      Schema.builder().add("value", Type.DOUBLE).add("node", Type.STRING).build();
  private static final Map<Integer, String> METADATA = Map.of(1, "edge_node_id");

  private final TestContext context = new TestContext(Path.of(""));

  private static Map<String, String> options(String... more) {
    Map<String, String> options = new HashMap<>(Map.of("url", "mqtt://broker:1883"));
    for (int i = 0; i < more.length; i += 2) {
      options.put(more[i], more[i + 1]);
    }
    return options;
  }

  private void assertWrong(TableDescriptor table, String message) {
    assertThatExceptionOfType(ConnectorException.class)
        .isThrownBy(() -> new SparkplugConnector().source(table, context))
        .withMessageContaining(message)
        .satisfies(e -> assertThat(e.kind()).isEqualTo(ConnectorException.Kind.USER));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          url                  | http://broker | does not begin with mqtt:// or mqtts://
          group                | a/b           | has 'a/b'; a name is a level of a topic
          group                | a;+           | has '+'; a name is a level of a topic
          edge-node            | a;a           | has 'a' twice
          edge-node            | a;            | has ''; a name is a level of a topic
          device               | +             | has '+'; a name is a level of a topic
          metrics              | a;;b          | has an empty name
          host-id              | a#            | is no name
          rebirth.min-interval | 1 ms          | is not in 100 ms to 10 min
          rebirth.min-interval | 1 h           | is not in 100 ms to 10 min
          queue-capacity       | 0             | is not between 1 and 10000000
          max-payload          | 1 gb          | is not in 1 to 134217728 bytes
          fields.value.metric  | speed         | needs 'rows' = 'message'
          shard.by             | node          | needs 'shard.values' too
          shard.values         | a             | needs 'shard.by' too
          """)
  void aValueThatCannotBeMeantIsRefused(String key, String value, String message) {
    assertWrong(Tables.table(SCHEMA, METADATA, options(key, value)), message);
  }

  @Test
  void optionsThatContradictEachOtherAreRefused() {
    assertWrong(
        Tables.table(
            SCHEMA, METADATA, options("shard.by", "node", "shard.values", "a", "edge-node", "b")),
        "'edge-node' = 'b' and 'shard.values' both say which edge nodes are read");
    assertWrong(
        Tables.table(SCHEMA, METADATA, options("shard.by", "value", "shard.values", "a")),
        "is no column METADATA FROM 'edge_node_id'");
    assertWrong(
        Tables.table(SCHEMA, METADATA, options("rows", "message", "metrics", "a")),
        "here columns are metrics");
    assertWrong(
        Tables.table(SCHEMA, METADATA, options("rows", "message", "fields.speed.metric", "a")),
        "names no column that is a metric");
  }

  @Test
  void columnsThatCannotHoldWhatTheyAreForAreRefused() {
    assertWrong(
        Tables.table(
            Schema.builder().add("name", Type.STRING).build(), Map.of(0, "name"), options()),
        "no column has the value");
    assertWrong(
        Tables.table(Schema.builder().add("value", Type.DATE).build(), options()),
        "column `value` is DATE, but a DateTime needs a TIMESTAMP_LTZ(3)");
    assertWrong(
        Tables.table(
            Schema.builder().add("value", Type.DOUBLE).add("seq", Type.STRING).build(),
            Map.of(1, "seq"),
            options()),
        "column `seq` is STRING, but METADATA FROM 'seq' is INT");
    assertWrong(
        Tables.table(
            Schema.builder().add("value", Type.DOUBLE).add("d", Type.STRING.notNull()).build(),
            Map.of(1, "device_id"),
            options()),
        "column `d` is NOT NULL, but not every row has a 'device_id'");
    assertWrong(
        Tables.table(
            Schema.builder().add("value", Type.DOUBLE.notNull()).add("t", Type.STRING).build(),
            options()),
        "column `value` is NOT NULL, but a value goes to one of 2 columns");
    assertWrong(
        Tables.table(
            Schema.builder().add("speed", Type.DOUBLE.notNull()).build(),
            options("rows", "message")),
        "column `speed` is NOT NULL, but a message has only what changed");
    assertWrong(
        Tables.table(
            Schema.builder().add("a", Type.DOUBLE).add("b", Type.DOUBLE).build(),
            options("rows", "message", "fields.a.metric", "b")),
        "are both metric 'b'");
    assertWrong(
        Tables.table(
            Schema.builder().add("a", Type.DOUBLE).add("q", Type.INT).build(),
            Map.of(1, "quality"),
            options("rows", "message")),
        "which is of one metric, but 'rows' = 'message'");
  }

  @Test
  void thereIsNoSink() {
    assertThat(new SparkplugConnector().sink(Tables.table(SCHEMA, options()), context)).isEmpty();
  }
}
