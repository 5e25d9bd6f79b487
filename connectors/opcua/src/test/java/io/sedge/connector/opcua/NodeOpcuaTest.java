package io.sedge.connector.opcua;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.opcua.testkit.Drain;
import io.sedge.connector.opcua.testkit.NodeOpcua;
import io.sedge.connector.testkit.Feed;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads and writes a server that is neither ours nor of the library that we use. */
final class NodeOpcuaTest {
  private static final Schema LEVELS =
      Schema.builder().add("tank", Type.STRING).add("level", Type.DOUBLE).build();
  private static final Schema SWITCHES =
      Schema.builder().add("tank", Type.STRING).add("pump", Type.BOOLEAN).build();

  @TempDir private Path directory;

  private static TableDescriptor table(
      NodeOpcua server, Schema schema, String nodes, Map<String, String> more) {
    Map<String, String> options =
        new HashMap<>(Map.of("url", server.url(), "nodes", nodes, "sampling-interval", "100 ms"));
    options.putAll(more);
    return Tables.table(schema, options);
  }

  // Over a connection without security, and then, once its certificate is trusted, an encrypted
  // one.
  @Test
  void levelsAreReadAndAPumpIsSwitchedOn() throws IOException {
    try (NodeOpcua server = NodeOpcua.start()) {
      TestContext context = TestContext.live(directory);
      OpcUaConnector connector = new OpcUaConnector();
      TableDescriptor levels = table(server, LEVELS, "ns=1;s={tank}.level", Map.of());
      TableDescriptor switches = table(server, SWITCHES, "ns=1;s={tank}.pump", Map.of());
      try (SourceReader reader = connector.source(levels, context).orElseThrow().open();
          Feed feed = Feed.open(connector.sink(switches, context).orElseThrow())) {
        Drain drain = new Drain(reader, context);
        List<Object> first =
            List.copyOf(drain.nextWhere("tank 1", row -> "tank1".equals(row.getFirst())));
        feed.give(new BatchBuilder(SWITCHES).addRow("tank1", true).build());
        feed.flushAll();
        assertThat(context.malformed()).isEmpty();
        double low = (Double) first.get(1);
        assertThat(
                drain.nextWhere(
                    "a level that rises",
                    row -> "tank1".equals(row.getFirst()) && (Double) row.get(1) > low + 1))
            .isNotNull();
      }
      checkSecured(server, connector);
    }
  }

  private void checkSecured(NodeOpcua server, OpcUaConnector connector) {
    TestContext context = TestContext.live(directory);
    Map<String, String> secure = new HashMap<>(Map.of("security-policy", "Basic256Sha256"));
    String nodes = "ns=1;s=tank1.level";
    Schema schema = Schema.builder().add("level", Type.DOUBLE).build();
    String[] told = {""};
    try (SourceReader reader =
        connector.source(table(server, schema, nodes, secure), context).orElseThrow().open()) {
      assertThatExceptionOfType(ConnectorException.class)
          .isThrownBy(() -> new Drain(reader, context).next(1))
          .satisfies(e -> told[0] = String.valueOf(e.getMessage()));
    }
    Matcher fingerprint =
        Pattern.compile("'server.fingerprint' = '([0-9a-f]{64})'").matcher(told[0]);
    assertThat(fingerprint.find()).as(told[0]).isTrue();
    secure.put("server.fingerprint", fingerprint.group(1));
    try (SourceReader reader =
        connector.source(table(server, schema, nodes, secure), context).orElseThrow().open()) {
      Drain drain = new Drain(reader, context);
      // The server does not know us yet: it lets us in, or says no and is tried again.
      drain.pollUntil(
          "a value, or a word about our certificate",
          () ->
              reader.counters().readings() > 0
                  || context.reports().stream()
                      .anyMatch(r -> r.contains("does not trust this device's certificate")));
    }
  }
}
