package io.sedge.connector.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.mqtt.testkit.ReadingsTable;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a person is told of options that do not fit; read them aloud. */
final class MqttOptionsTest {
  @TempDir Path directory;

  static Stream<Arguments> wrongForASource() {
    return Stream.of(
        wrong("'url' = 'host:1883' does not begin with mqtt:// or mqtts://", "url", "host:1883"),
        wrong("'url' = 'mqtt://' is not an address like mqtt://host:1883", "url", "mqtt://"),
        wrong(
            "'url' = 'mqtt://…@h' must not hold a login; use 'username' and 'password'",
            "url",
            "mqtt://ann:x@h"),
        wrong(
            "'url' = 'mqtt://…@h:99999999999' names no host; write it as mqtt://host:1883",
            "url",
            "mqtt://ann:x@h:99999999999"),
        wrong(
            "'url' = 'mqtt://h:1883/a' goes on after the port; write it as mqtt://host:1883",
            "url",
            "mqtt://h:1883/a"),
        wrong("'qos' = '3' is not one of 0, 1, 2", "qos", "3"),
        wrong(
            "'topic' = 'plant/{zone}/m-{machine}' has 'm-{machine}' in 'plant/{zone}/m-{machine}':"
                + " a column must be a whole level, as in plant/{zone}",
            "topic",
            "plant/{zone}/m-{machine}"),
        wrong("'topic' = 'a/#/b' has # before the end of 'a/#/b'", "topic", "a/#/b"),
        wrong("'topic' = 'a;' has an empty pattern", "topic", "a;"),
        wrong(
            "'topic' = '{zone}/{zone}' has {zone} twice in '{zone}/{zone}'",
            "topic",
            "{zone}/{zone}"),
        wrong(
            "'topic' = 'plant/{area}' has {area}, but the columns are zone, machine, number",
            "topic",
            "plant/{area}"),
        wrong(
            "'topic' = 'a/{zone};+/b' has patterns that a topic can fit both, 'a/{zone}' and '+/b':"
                + " a broker may send its messages twice",
            "topic",
            "a/{zone};+/b"),
        wrong(
            "'overflow' = 'drop-newest' needs 'qos' = '0': at QoS 1 nothing is dropped; use"
                + " 'block'",
            "overflow",
            "drop-newest"),
        wrong(
            "'version' = '3.1.1' with 'qos' = '1' needs a 'client-id': an MQTT 3.1.1 broker keeps a"
                + " session for ever, under that name; or use version 5, or 'clean-start' ="
                + " 'true', which loses what is published while the connection is down",
            "version",
            "3.1.1"),
        wrong(
            "'share-group' = 'g' needs 'version' = '5'",
            "share-group",
            "g",
            "version",
            "3.1.1",
            "client-id",
            "c"),
        wrong("'receive-maximum' = '0' is not in 1 to 65535", "receive-maximum", "0"),
        wrong(
            "'queue-capacity' = '5' is less than 'receive-maximum' = '6': what the broker may send"
                + " must have room",
            "queue-capacity",
            "5",
            "receive-maximum",
            "6"),
        wrong("'tls.ca' = 'ca.pem' needs an 'url' that begins with mqtts://", "tls.ca", "ca.pem"),
        wrong(
            "'tls.key' = 'k.pem' needs 'tls.certificate' too",
            "url",
            "mqtts://h",
            "tls.key",
            "k.pem"),
        wrong(
            "'reconnect.max-delay' = '1 ms' is less than 'reconnect.min-delay'",
            "reconnect.max-delay",
            "1 ms"),
        wrong(
            "'payload.columns' = 'value' names 'value', but the columns are zone, machine, number",
            "payload.columns",
            "value"),
        wrong(
            "'payload.columns' = 'number;number' names 'number' twice",
            "payload.columns",
            "number;number"),
        wrong(
            "'payload.columns' = 'zone;number' names 'zone', which comes from 'topic' already",
            "payload.columns",
            "zone;number"),
        wrong("'shard.by' = 'zone' needs 'shard.values' too", "shard.by", "zone"),
        wrong("'shard.values' = 'a;b' needs 'shard.by' too", "shard.values", "a;b"),
        wrong(
            "'shard.by' = 'number' must be a {column} of every 'topic', and"
                + " 'plant/{zone}/{machine}' has no {number}",
            "shard.by",
            "number",
            "shard.values",
            "1"),
        wrong(
            "'shard.by' = 'machine' must be a {column} of every 'topic', and 'site/{zone}' has no"
                + " {machine}",
            "topic",
            "plant/{zone}/{machine};site/{zone}",
            "shard.by",
            "machine",
            "shard.values",
            "1"),
        wrong(
            "'shard.values' = 'a;b/c' has 'b/c'; a value is a level of a topic: not empty, without"
                + " + # or /, of at most 100 bytes",
            "shard.by",
            "zone",
            "shard.values",
            "a;b/c"),
        wrong(
            "'shard.values' = 'a;;b' has ''; a value is a level of a topic: not empty, without + #"
                + " or /, of at most 100 bytes",
            "shard.by",
            "zone",
            "shard.values",
            "a;;b"),
        wrong(
            "'shard.values' = 'a; b;a' has 'a' twice",
            "shard.by",
            "zone",
            "shard.values",
            "a; b;a"),
        wrong(
            "'shard.by' = 'zone' and 'share-group' both divide the messages; leave one out",
            "shard.by",
            "zone",
            "shard.values",
            "a;b",
            "share-group",
            "g"),
        wrong(
            "'keep-alive' = '1 d' is more than 65535 s, the most that MQTT allows",
            "keep-alive",
            "1 d"));
  }

  static Stream<Arguments> wrongForASink() {
    return Stream.of(
        wrong(
            "'topic' = 'a/+/{zone}' has a wildcard; a sink needs text or {column} in its place",
            "topic",
            "a/+/{zone}"),
        wrong("'topic' = 'a;b' has several patterns; a sink writes to one", "topic", "a;b"),
        wrong("'max-in-flight' = '70000' is not in 1 to 65535", "max-in-flight", "70000"));
  }

  private static Arguments wrong(String message, String... options) {
    return Arguments.of("table readings: " + message, options);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wrongForASource")
  void aSourceSaysWhatIsWrongAndWhatToDo(String message, String[] options) {
    TableDescriptor table = ReadingsTable.at("mqtt://127.0.0.1:1", options);
    assertThatThrownBy(() -> new MqttConnector().source(table, TestContext.live(directory)))
        .isInstanceOf(ConnectorException.class)
        .hasMessage(message)
        .extracting(thrown -> ((ConnectorException) thrown).kind())
        .isEqualTo(ConnectorException.Kind.USER);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wrongForASink")
  void aSinkSaysWhatIsWrongAndWhatToDo(String message, String[] options) {
    TableDescriptor table = ReadingsTable.at("mqtt://127.0.0.1:1", options);
    assertThatThrownBy(() -> new MqttConnector().sink(table, TestContext.live(directory)))
        .isInstanceOf(ConnectorException.class)
        .hasMessage(message);
  }

  @Test
  void partsOfATopicAreStringsOrIntegers() {
    Schema schema = Schema.builder().add("zone", Type.DOUBLE).add("number", Type.BIGINT).build();
    TableDescriptor table =
        Tables.table(schema, Map.of("url", "mqtt://h", "topic", "a/{zone}", "format", "csv"));
    assertThatThrownBy(() -> new MqttConnector().source(table, TestContext.live(directory)))
        .hasMessage(
            "table readings: 'topic' = 'a/{zone}' has {zone}, which is DOUBLE; a part of a topic"
                + " can be a STRING or an integer");
  }

  @Test
  void aShardKeyIsAString() {
    Schema schema = Schema.builder().add("line", Type.INT).add("number", Type.BIGINT).build();
    TableDescriptor table =
        Tables.table(
            schema,
            Map.of(
                "url",
                "mqtt://h",
                "topic",
                "a/{line}",
                "format",
                "csv",
                "shard.by",
                "line",
                "shard.values",
                "1;2"));
    assertThatThrownBy(() -> new MqttConnector().source(table, TestContext.live(directory)))
        .hasMessage("table readings: 'shard.by' = 'line' is INT; it must be a STRING");
  }

  @Test
  void passwordsDoNotShowInMessages() {
    TableDescriptor table =
        ReadingsTable.at("mqtt://127.0.0.1:1", "username", "ann", "password", "s3cret");
    assertThat(new MqttConnector().source(table, TestContext.live(directory)).orElseThrow())
        .asString()
        .doesNotContain("s3cret");
  }

  /** Else a script could have any file's first line sent to a broker of its own. */
  @ParameterizedTest
  @CsvSource({
    "password-file, mqtt://127.0.0.1:1",
    "tls.ca, mqtts://127.0.0.1:1",
    "tls.certificate, mqtts://127.0.0.1:1",
    "tls.key, mqtts://127.0.0.1:1"
  })
  void aFileThatMayNotBeReadIsRefused(String option, String url) {
    TestContext context =
        new TestContext(directory)
            .withFiles(
                (what, path, use) -> {
                  if (path.endsWith("secret")) {
                    throw new ConnectorException(
                        ConnectorException.Kind.USER, "%s: no %s".formatted(what, use));
                  }
                });
    TableDescriptor table = naming(option, url);
    assertThatThrownBy(() -> new MqttConnector().source(table, context))
        .isInstanceOf(ConnectorException.class)
        .hasMessage("table readings: '%s': no READ".formatted(option));
  }

  /** A certificate and its key are given together. */
  private static TableDescriptor naming(String option, String url) {
    return switch (option) {
      case "tls.certificate" ->
          ReadingsTable.at(url, "tls.certificate", "secret", "tls.key", "other");
      case "tls.key" -> ReadingsTable.at(url, "tls.certificate", "other", "tls.key", "secret");
      default -> ReadingsTable.at(url, option, "secret");
    };
  }
}
