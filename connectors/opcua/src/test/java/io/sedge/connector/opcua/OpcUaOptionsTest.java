package io.sedge.connector.opcua;

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

/** What is wrong is said without a server. */
final class OpcUaOptionsTest {
  private final TestContext context = new TestContext(Path.of(""));

  private static Map<String, String> options(String... more) {
    Map<String, String> options =
        new HashMap<>(Map.of("url", "opc.tcp://plc:4840", "nodes", "ns=2;s={machine}.flow"));
    for (int i = 0; i < more.length; i += 2) {
      options.put(more[i], more[i + 1]);
    }
    return options;
  }

  private static final Schema SCHEMA =
      Schema.builder().add("machine", Type.STRING).add("value", Type.DOUBLE).build();

  private void assertWrong(TableDescriptor table, String message) {
    assertThatExceptionOfType(ConnectorException.class)
        .isThrownBy(() -> new OpcUaConnector().source(table, context))
        .withMessageContaining(message)
        .satisfies(
            e ->
                org.assertj.core.api.Assertions.assertThat(e.kind())
                    .isEqualTo(ConnectorException.Kind.USER));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          url                 | http://plc         | does not begin with opc.tcp://
          url                 | opc.tcp://a:b@plc  | 'opc.tcp://…@plc' has a user in it
          url                 | opc.tcp://         | write opc.tcp://host:4840
          nodes               | Line1.Temp         | which is no node id; write ns=2;s=Line1.Temp
          nodes               | ns=2;i=x           | which is no node id: numbers are i=2258
          nodes               | ns=2;i=*           | only identifiers that are text (s=…) can be a pattern
          nodes               | ns=2;s={m}.flow    | has {m}, but the columns are machine, value
          nodes               | ns=2;s={machine    | has a { or } without the other
          nodes               | ns=2;s={machine}{machine} | has {machine} twice
          nodes               | /Objects//Temp     | with an empty name
          browse.root         | ns=2;s=*           | is not one node id
          queue-size          | 0                  | is not between 1 and 100000
          deadband.absolute   | -1                 | is not above 0
          deadband.percent    | 101                | is above 100
          server.fingerprint  | ab                 | needs a 'security-policy' other than None
          shard.by            | value              | is no {column} of each entry of 'nodes'
          shard.values        | a;b                | needs 'shard.by' too
          sink.max-age        | 1 s                | is for a table that is written
          reconnect.max-delay | 1 ms               | is less than 'reconnect.min-delay'
          password            | x                  | 'password' is given without 'username'
          username            | x                  | needs a 'security-policy' other than None
          """)
  void aWrongOptionIsSaid(String key, String value, String message) {
    assertWrong(Tables.table(SCHEMA, options(key, value)), message);
  }

  @Test
  void aFingerprintHas64Digits() {
    assertWrong(
        Tables.table(
            SCHEMA, options("security-policy", "Basic256Sha256", "server.fingerprint", "ab:cd")),
        "has 'ab:cd', which is no SHA-256 fingerprint of 64 hexadecimal digits");
  }

  @Test
  void columnsThatCannotHoldValuesAreRefused() {
    assertWrong(
        Tables.table(Schema.builder().add("machine", Type.STRING).build(), options()),
        "one column has the value");
    assertWrong(
        Tables.table(
            Schema.builder()
                .add("machine", Type.STRING)
                .add("a", Type.DOUBLE)
                .add("b", Type.DOUBLE)
                .build(),
            options()),
        "here are `a`, `b`");
    assertWrong(
        Tables.table(
            Schema.builder().add("machine", Type.INT).add("value", Type.DOUBLE).build(), options()),
        "a part of a node id is a STRING");
    assertWrong(
        Tables.table(
            Schema.builder()
                .add("machine", Type.STRING)
                .add("value", Type.row(java.util.List.of("x"), java.util.List.of(Type.INT)))
                .build(),
            options()),
        "structures cannot be read yet");
    assertWrong(
        Tables.table(
            Schema.builder()
                .add("machine", Type.STRING)
                .add("value", Type.DOUBLE)
                .add("ts", Type.STRING)
                .build(),
            Map.of(2, "source-timestamp"),
            options()),
        "but METADATA FROM 'source-timestamp' is TIMESTAMP_LTZ(3)");
  }
}
