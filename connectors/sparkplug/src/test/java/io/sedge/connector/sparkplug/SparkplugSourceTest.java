package io.sedge.connector.sparkplug;

import static io.sedge.connector.sparkplug.testkit.Messages.defined;
import static io.sedge.connector.sparkplug.testkit.Messages.value;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Arrays.asList;
import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import io.sedge.broker.EmbeddedBroker;
import io.sedge.connector.Division;
import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.mqtt.testkit.Await;
import io.sedge.connector.mqtt.testkit.CuttableLink;
import io.sedge.connector.sparkplug.testkit.Drain;
import io.sedge.connector.sparkplug.testkit.Messages;
import io.sedge.connector.sparkplug.testkit.MetricTable;
import io.sedge.connector.sparkplug.testkit.PlainNode;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reading over a broker; each test has a group of its own. */
@Timeout(180)
final class SparkplugSourceTest {
  private static EmbeddedBroker broker;

  @TempDir private Path directory;
  private TestContext context;
  private String group;

  @BeforeAll
  static void startBroker() {
    broker = EmbeddedBroker.builder().start();
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  @BeforeEach
  void begin(TestInfo test) {
    context = TestContext.live(directory);
    group = test.getTestMethod().orElseThrow().getName();
  }

  private PlainNode node(String name, long bdSeq) {
    return new PlainNode(broker.port(), group, name, bdSeq, defined("speed", 1, 10.0));
  }

  private Source source(TableDescriptor table) {
    return new SparkplugConnector().source(table, context).orElseThrow();
  }

  private SourceReader open(String url, String... options) {
    String[] all = new String[options.length + 2];
    all[0] = "group";
    all[1] = group;
    System.arraycopy(options, 0, all, 2, options.length);
    return source(MetricTable.at(url, all)).open();
  }

  private static List<Object> row(String node, Object value) {
    return asList(node, null, "speed", value);
  }

  @Test
  void aHostThatIsNewAsksTheEdgeNodesOfItsTableForTheirBirths() {
    try (PlainNode node = node("n", 0);
        SourceReader reader = open(broker.url(), "edge-node", "n")) {
      Drain drain = new Drain(reader, context);
      drain.expect(row("n", 10.0));
      assertThat(node.rebirths()).isOne();
      node.data(value(1, 11.0));
      node.deviceBirth("press", defined("force", 2, 1.5));
      node.deviceData("press", value(2, 2.5));
      drain.expect(
          row("n", 11.0), List.of("n", "press", "force", 1.5), List.of("n", "press", "force", 2.5));
      assertThat(reader.counters().dropped()).isZero();
      assertThat(context.malformed()).isEmpty();
    }
  }

  @Test
  void anEdgeNodeThatNobodyNamedIsAskedWhenItSpeaks() {
    try (PlainNode node = node("n", 0);
        SourceReader reader = open(broker.url())) {
      Drain drain = new Drain(reader, context);
      drain.pollUntil(
          "a birth that is asked for",
          () -> {
            if (node.rebirths() == 0) {
              node.data(value(1, 11.0));
            }
            return node.rebirths() > 0 && !drain.rows().isEmpty();
          });
      assertThat(drain.rows().getFirst()).isEqualTo(row("n", 10.0));
      assertThat(reader.counters().dropped()).isPositive();
    }
  }

  @Test
  void rowsHaveWhatTheMessageSays() {
    Schema schema =
        Schema.builder()
            .add("value", Type.DOUBLE)
            .add("group_id", Type.STRING)
            .add("message_type", Type.STRING)
            .add("datatype", Type.STRING)
            .add("quality", Type.INT)
            .add("is_null", Type.BOOLEAN)
            .add("is_historical", Type.BOOLEAN)
            .add("seq", Type.INT)
            .add("ts", Type.timestampLtz(3))
            .build();
    TableDescriptor table =
        Tables.table(
            schema,
            Map.of(
                1,
                "group_id",
                2,
                "message_type",
                3,
                "datatype",
                4,
                "quality",
                5,
                "is_null",
                6,
                "is_historical",
                7,
                "seq",
                8,
                "timestamp"),
            Map.of("url", broker.url(), "group", group, "edge-node", "n"));
    try (PlainNode node = node("n", 0);
        SourceReader reader = source(table).open()) {
      Drain drain = new Drain(reader, context);
      long micros = Messages.MILLIS * 1000;
      drain.expect(List.of(10.0, group, "NBIRTH", "Double", 192, false, false, 0, micros));
      node.data(
          value(1, 1.0).toBuilder().setIsHistorical(true).setTimestamp(5).build(),
          value(1, 2.0).toBuilder().setIsNull(true).clearDoubleValue().build());
      drain.expect(
          List.of(1.0, group, "NDATA", "Double", 192, false, true, 1, 5_000L),
          asList(null, group, "NDATA", "Double", 192, true, false, 1, micros));
    }
  }

  @Test
  void messagesAreRowsWithMetricsAsColumns() {
    TableDescriptor table =
        Tables.table(
            Schema.builder()
                .add("speed", Type.DOUBLE)
                .add("force", Type.DOUBLE)
                .add("ts", Type.timestampLtz(3))
                .build(),
            Map.of(2, "timestamp"),
            Map.of(
                "url",
                broker.url(),
                "group",
                group,
                "edge-node",
                "n",
                "rows",
                "message",
                "fields.force.metric",
                "Axis/Force"));
    try (PlainNode node =
            new PlainNode(
                broker.port(),
                group,
                "n",
                0,
                defined("speed", 1, 10.0),
                defined("Axis/Force", 2, 20.0),
                defined("else", 3, 30.0));
        SourceReader reader = source(table).open()) {
      Drain drain = new Drain(reader, context);
      long micros = Messages.MILLIS * 1000;
      drain.expect(asList(10.0, 20.0, micros));
      node.data(value(3, 1.0));
      node.data(value(2, 21.0));
      // What was stored comes with several values of a metric in a message.
      node.data(
          value(1, 11.0).toBuilder().setTimestamp(1).build(),
          value(1, 12.0).toBuilder().setTimestamp(2).build());
      drain.expect(
          asList(null, 21.0, micros), asList(11.0, null, 1_000L), asList(12.0, null, 2_000L));
    }
  }

  @Test
  void metricsAndDevicesAreChosenByName() {
    try (PlainNode node =
            new PlainNode(
                broker.port(),
                group,
                "n",
                0,
                defined("Axis1/Speed", 1, 1.0),
                defined("Axis1/Load", 2, 2.0));
        SourceReader reader =
            open(
                broker.url(), "edge-node", "n", "metrics", "Axis*/Speed", "device", "press;mill")) {
      Drain drain = new Drain(reader, context);
      drain.pollUntil("a birth that is asked for", () -> node.rebirths() > 0);
      node.deviceBirth("press", defined("Axis1/Speed", 3, 3.0), defined("Axis1/Load", 4, 4.0));
      node.deviceBirth("oven", defined("Axis1/Speed", 5, 5.0));
      node.deviceData("oven", value(5, 6.0));
      node.deviceData("press", value(3, 7.0));
      drain.expect(
          List.of("n", "press", "Axis1/Speed", 3.0), List.of("n", "press", "Axis1/Speed", 7.0));
      assertThat(reader.counters().dropped()).isZero();
    }
  }

  @Test
  void aMissingMessageIsSaidAndTheEdgeNodeAskedForItsBirth() {
    try (PlainNode node = node("n", 0);
        SourceReader reader = open(broker.url(), "edge-node", "n")) {
      Drain drain = new Drain(reader, context);
      drain.expect(row("n", 10.0));
      node.data(value(1, 11.0));
      node.lose();
      node.data(value(1, 13.0));
      drain.expect(row("n", 11.0), row("n", 13.0), row("n", 10.0));
      assertThat(node.rebirths()).isEqualTo(2);
      assertThat(reader.counters().dropped()).isOne();
      drain.expectReport("1 messages or more are missing between");
    }
  }

  @Test
  void anEdgeNodeThatStartsAgainIsReadOn() {
    try (SourceReader reader = open(broker.url(), "edge-node", "n", "stale-rows", "true")) {
      Drain drain = new Drain(reader, context);
      try (PlainNode node = node("n", 7)) {
        drain.pollUntil("a poll", () -> true);
        node.birth();
        drain.pollUntil("a birth", () -> drain.rows().contains(row("n", 10.0)));
        drain.rows().clear();
        node.die();
        drain.pollUntil("a death", () -> drain.rows().contains(row("n", null)));
        drain.rows().clear();
      }
      try (PlainNode node = node("n", 8)) {
        node.birth();
        node.data(value(1, 12.0));
        drain.expect(row("n", 10.0), row("n", 12.0));
      }
    }
  }

  @Test
  void aCutConnectionIsSaidWithItsTimesAndRepairedByABirth() {
    try (PlainNode node = node("n", 0);
        CuttableLink link = new CuttableLink(broker.port());
        SourceReader reader = open(link.url(), "edge-node", "n", "reconnect.min-delay", "50 ms")) {
      Drain drain = new Drain(reader, context);
      drain.expect(row("n", 10.0));
      link.down();
      drain.expectReport("lost the connection");
      node.data(value(1, 11.0));
      link.up();
      drain.expect(row("n", 10.0));
      drain.expectReport("nothing was read from " + link.url());
      node.data(value(1, 12.0));
      drain.expect(row("n", 12.0));
    }
  }

  // What another device goes on with says until when was read, and whom to ask.
  @Test
  void whoTakesOverSaysWhatWasMissedAndAsksForBirths() {
    byte[] position;
    try (PlainNode node = node("n", 0)) {
      try (SourceReader first = open(broker.url())) {
        Drain drain = new Drain(first, context);
        drain.pollUntil(
            "a birth",
            () -> {
              node.birth();
              return !drain.rows().isEmpty();
            });
        position = first.position();
      }
      int before = node.rebirths();
      try (SourceReader second = open(broker.url())) {
        second.seek(position);
        Drain drain = new Drain(second, context);
        drain.expect(row("n", 10.0));
        assertThat(node.rebirths()).isEqualTo(before + 1);
        drain.expectReport("nothing was read from " + broker.url());
      }
    }
  }

  @Test
  void aHostSaysThatItIsOnlineAndItsWillThatItIsNot() {
    List<String> said = new CopyOnWriteArrayList<>();
    Mqtt5AsyncClient watcher =
        Mqtt5Client.builder().serverHost("127.0.0.1").serverPort(broker.port()).buildAsync();
    watcher.connect().join();
    watcher
        .subscribeWith()
        .topicFilter("spBv1.0/STATE/" + group)
        .qos(MqttQos.AT_LEAST_ONCE)
        .callback(message -> said.add(new String(message.getPayloadAsBytes(), UTF_8)))
        .send()
        .join();
    try (CuttableLink link = new CuttableLink(broker.port())) {
      try (SourceReader reader =
          open(link.url(), "host-id", group, "reconnect.min-delay", "50 ms")) {
        Drain drain = new Drain(reader, context);
        drain.pollUntil("online", () -> said.size() >= 1);
        assertThat(said.getFirst()).matches("\\{\"online\":true,\"timestamp\":\\d+}");
        link.cut();
        drain.pollUntil("its will, and online again", () -> said.size() >= 3);
        // The will is of the time of the connection that it ends (5.13).
        assertThat(said.get(1)).isEqualTo(said.getFirst().replace("true", "false"));
        assertThat(said.get(2)).matches("\\{\"online\":true,\"timestamp\":\\d+}");
        assertThat(said.get(2)).isNotEqualTo(said.getFirst());
        int before = said.size();
        // The will of a connection that is long gone; who hears it is online all the same.
        watcher
            .publishWith()
            .topic("spBv1.0/STATE/" + group)
            .qos(MqttQos.AT_LEAST_ONCE)
            .payload("{\"timestamp\" : 1, \"online\" : false}".getBytes(UTF_8))
            .send()
            .join();
        drain.pollUntil("online once more", () -> said.size() >= before + 2);
        assertThat(said.getLast()).isEqualTo(said.get(2));
      }
      Await.until(
          Duration.ofSeconds(30), () -> said.getLast().startsWith("{\"online\":false"), () -> said);
    } finally {
      watcher.disconnect().join();
    }
  }

  @Test
  void aShardIsAnEdgeNode() {
    TableDescriptor table =
        MetricTable.at(
            broker.url(),
            "group",
            group,
            "shard.by",
            "node",
            "shard.values",
            "a;b",
            "client-id",
            group);
    Source whole = source(table);
    assertThat(whole.division()).isEqualTo(new Division.ByKey(0, List.of("a", "b")));
    try (PlainNode a = node("a", 0);
        PlainNode b = node("b", 0);
        SourceReader first = whole.shard("a").open();
        SourceReader second = whole.shard("b").open()) {
      Drain ofA = new Drain(first, context);
      Drain ofB = new Drain(second, context);
      ofA.expect(row("a", 10.0));
      ofB.expect(row("b", 10.0));
      b.data(value(1, 2.0));
      a.data(value(1, 1.0));
      ofA.expect(row("a", 1.0));
      ofB.expect(row("b", 2.0));
    }
  }

  @Test
  void aPayloadThatIsTooLargeOrNoneIsMalformedAndReadingGoesOn() {
    try (PlainNode node = node("n", 0);
        SourceReader reader = open(broker.url(), "edge-node", "n", "max-payload", "200 bytes")) {
      Drain drain = new Drain(reader, context);
      drain.expect(row("n", 10.0));
      node.data(defined("x".repeat(300), 5, 1.0));
      node.data(value(1, 11.0));
      drain.pollUntil("the next row", () -> drain.rows().contains(row("n", 11.0)));
      assertThat(context.malformed())
          .singleElement()
          .satisfies(
              one -> {
                assertThat(one.origin()).isEqualTo("spBv1.0/" + group + "/NDATA/n");
                assertThat(one.reason()).contains("'max-payload' is 200");
              });
      assertThat(reader.counters().malformed()).isOne();
    }
  }
}
