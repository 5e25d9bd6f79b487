package io.sedge.connector.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.kafka.testkit.Await;
import io.sedge.connector.kafka.testkit.Broker;
import io.sedge.connector.kafka.testkit.KeyStores;
import io.sedge.connector.kafka.testkit.Records;
import io.sedge.connector.kafka.testkit.Records.Text;
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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A broker that takes users with passwords alone, over TLS. */
final class KafkaSecurityTest {
  private static final Schema SCHEMA = Schema.builder().add("number", Type.INT).build();
  private static final String PASSWORD = "kept-from-messages";

  @TempDir static Path directory;

  private static Broker broker;
  private static KeyStores stores;

  private final TestContext context = TestContext.live(directory);

  @BeforeAll
  static void start() {
    stores = KeyStores.create(directory.resolve("stores"));
    Map<String, String> config = new HashMap<>();
    config.put("sasl.enabled.mechanisms", "SCRAM-SHA-256,PLAIN");
    config.put("listener.name.clients.scram-sha-256.sasl.jaas.config", login("scram.Scram", ""));
    config.put(
        "listener.name.clients.plain.sasl.jaas.config",
        "org.apache.kafka.common.security.plain.PlainLoginModule required user_plant=\"%s\";"
            .formatted(PASSWORD));
    config.put("ssl.keystore.location", stores.broker().toString());
    config.put("ssl.keystore.password", KeyStores.PASSWORD);
    broker =
        Broker.start(
            directory.resolve("broker"),
            "SASL_SSL",
            config,
            List.of("SCRAM-SHA-256=[name=plant,password=%s]".formatted(PASSWORD)));
    Map<String, Object> client = client("PLAIN", login("plain.Plain", PASSWORD));
    broker.create("readings", 1, Map.of(), client);
    new Records(client).write("readings", List.of(new Text(0, 1L, null, "{\"number\":5}")));
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  private static String login(String module, String password) {
    return "org.apache.kafka.common.security.%sLoginModule required username=\"plant\" password=\"%s\";"
        .formatted(module, password);
  }

  private static Map<String, Object> client(String mechanism, String login) {
    return Map.of(
        "bootstrap.servers",
        broker.bootstrap(),
        "security.protocol",
        "SASL_SSL",
        "sasl.mechanism",
        mechanism,
        "sasl.jaas.config",
        login,
        "ssl.truststore.location",
        stores.trusted().toString(),
        "ssl.truststore.password",
        KeyStores.PASSWORD);
  }

  private static TableDescriptor table(String mechanism, String login, Map<String, String> more) {
    Map<String, String> options = new HashMap<>();
    client(mechanism, login).forEach((key, value) -> options.put("properties." + key, "" + value));
    options.put("scan.startup.mode", "earliest-offset");
    options.put("scan.bounded.mode", "latest-offset");
    options.putAll(more);
    return Topics.table(SCHEMA, Map.of(), List.of(), Topics.options(broker, "readings", options));
  }

  @Test
  void usersWithTheirPasswordsReadAndWrite() {
    TableDescriptor scram = table("SCRAM-SHA-256", login("scram.Scram", PASSWORD), Map.of());
    try (SourceReader reader = Topics.open(new KafkaConnector(), scram, context)) {
      assertThat(Topics.read(reader, 1)).contains(List.of(5));
    }
    TableDescriptor plain =
        table(
            "PLAIN",
            login("plain.Plain", PASSWORD),
            Map.of("sink.delivery-guarantee", "exactly-once"));
    try (Feed sink = Feed.open(new KafkaConnector().sink(plain, context).orElseThrow())) {
      BatchBuilder builder = new BatchBuilder(SCHEMA);
      builder.addRow(6);
      sink.give(builder.build());
      sink.flushAll();
    }
  }

  @Test
  void aWrongPasswordEndsTheJobAndIsNotRepeated() {
    String wrong = "not-this-one";
    TableDescriptor table = table("SCRAM-SHA-256", login("scram.Scram", wrong), Map.of());
    try (SourceReader reader = Topics.open(new KafkaConnector(), table, context)) {
      assertThatThrownBy(() -> Topics.read(reader, 1))
          .isInstanceOf(ConnectorException.class)
          .hasMessageContaining("table readings: Kafka at " + broker.bootstrap())
          .hasMessageContaining("the login is refused")
          .hasMessageNotContaining(wrong);
    }
    Feed sink = Feed.open(new KafkaConnector().sink(table, context).orElseThrow());
    assertThatThrownBy(
            () -> {
              BatchBuilder builder = new BatchBuilder(SCHEMA);
              builder.addRow(7);
              sink.give(builder.build());
              sink.flushAll();
            })
        .isInstanceOf(ConnectorException.class)
        .hasMessageContaining("the login is refused")
        .hasMessageNotContaining(wrong);
    sink.close();
    assertThat(context.reports()).noneMatch(said -> said.contains(wrong));
  }

  @Test
  void aStoreThatCannotBeReadEndsTheJob() {
    Map<String, String> wrong = Map.of("properties.ssl.truststore.password", "not-this-one");
    TableDescriptor table = table("PLAIN", login("plain.Plain", PASSWORD), wrong);
    try (SourceReader reader = Topics.open(new KafkaConnector(), table, context)) {
      assertThatThrownBy(() -> Topics.read(reader, 1))
          .isInstanceOf(ConnectorException.class)
          .hasMessageContaining("cannot read its keys or certificates")
          .hasMessageContaining("see 'properties.ssl.*'")
          .hasMessageNotContaining("not-this-one");
    }
  }

  @Test
  void aBrokerThatNobodyTrustedVouchesForIsRefused() {
    Map<String, String> others =
        Map.of("properties.ssl.truststore.location", stores.others().toString());
    TableDescriptor table = table("PLAIN", login("plain.Plain", PASSWORD), others);
    try (SourceReader reader = Topics.open(new KafkaConnector(), table, context)) {
      assertThatThrownBy(() -> Topics.read(reader, 1))
          .isInstanceOf(ConnectorException.class)
          .hasMessageContaining("the TLS handshake fails")
          .hasMessageNotContaining(PASSWORD);
    }
  }

  /** A client without TLS would take an alert of the broker for a length of its. */
  @Test
  void aTableWithoutTlsIsRefusedByABrokerWithIt() {
    TableDescriptor table =
        Topics.table(
            SCHEMA,
            Map.of(),
            List.of(),
            Topics.options(broker, "readings", Map.of("scan.startup.mode", "earliest-offset")));
    try (SourceReader reader = Topics.open(new KafkaConnector(), table, context)) {
      assertThatThrownBy(() -> Topics.read(reader, 1))
          .isInstanceOf(ConnectorException.class)
          .hasMessage(
              "table readings: Kafka at %1$s: %1$s talks TLS alone: 'properties.security.protocol'"
                  + " is SSL, or SASL_SSL with a login there; with an authority of its own it needs"
                  + " 'properties.ssl.truststore.location' too",
              broker.bootstrap());
    }
  }

  /** Kafka's clients take the protocol in small letters, too. */
  @Test
  void theProtocolMayBeInSmallLetters() {
    TableDescriptor table =
        table(
            "PLAIN",
            login("plain.Plain", PASSWORD),
            Map.of("properties.security.protocol", "sasl_ssl"));
    try (SourceReader reader = Topics.open(new KafkaConnector(), table, context)) {
      assertThat(Topics.read(reader, 1)).contains(List.of(5));
    }
  }

  /** Kafka's client says only that it has waited. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nowhere.invalid:9092 | no broker answers: the name nowhere.invalid is not known; it is tried again
          localhost:1          | no broker answers: nothing listens at localhost:1 (connection refused); it is tried again
          """)
  void whyNoBrokerAnswersIsSaid(String servers, String said) {
    Map<String, String> options =
        Map.of(
            "properties.bootstrap.servers",
            servers,
            "scan.startup.mode",
            "earliest-offset",
            "properties.default.api.timeout.ms",
            "1500",
            "properties.request.timeout.ms",
            "1000");
    TableDescriptor table =
        Topics.table(SCHEMA, Map.of(), List.of(), Topics.options(broker, "readings", options));
    try (SourceReader reader = Topics.open(new KafkaConnector(), table, context)) {
      Await.until(
          said,
          () -> {
            assertThat(reader.poll(System.nanoTime())).isNull();
            return context.reports().stream().anyMatch(report -> report.contains(said));
          });
    }
  }
}
