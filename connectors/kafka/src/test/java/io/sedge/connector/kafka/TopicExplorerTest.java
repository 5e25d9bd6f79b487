package io.sedge.connector.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Explorer;
import io.sedge.connector.Findings;
import io.sedge.connector.Findings.Found;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.kafka.testkit.Broker;
import io.sedge.connector.kafka.testkit.KeyStores;
import io.sedge.connector.kafka.testkit.Records;
import io.sedge.connector.kafka.testkit.Records.Text;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What there is at a broker, for people who have no table yet. */
@Timeout(120)
final class TopicExplorerTest {
  private static final String PASSWORD = "kept-from-messages";
  private static final int MOST = 20;

  @TempDir Path directory;

  private final Explorer explorer = new KafkaConnector().explorer().orElseThrow();

  private Findings explored(String address, Optional<String> name, Map<String, String> more) {
    assertThat(explorer.isFor(address)).isTrue();
    Map<String, String> options = new HashMap<>(explorer.connection(address));
    options.putAll(more);
    return explorer.explore(
        new Explorer.Search(
            new TableDescriptor(
                "found", Schema.builder().build(), Map.of(), List.of(), List.of(), options, ""),
            name,
            MOST,
            Duration.ofSeconds(20)),
        TestContext.live(directory));
  }

  private String refused(String address, Optional<String> name, Map<String, String> more) {
    try {
      Findings found = explored(address, name, more);
      return "nothing is wrong: " + found;
    } catch (ConnectorException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static String address(Broker broker) {
    return "kafka://" + broker.bootstrap();
  }

  private static List<String> values(Found found) {
    return ((Findings.Records) found.content())
        .records().stream()
            .map(record -> new String(record.value(), StandardCharsets.UTF_8))
            .toList();
  }

  @Test
  void topicsAreListedAndTheNewestRecordsAreRead() throws Exception {
    try (Broker broker = Broker.start(directory.resolve("broker"))) {
      Map<String, Object> client = Map.of("bootstrap.servers", broker.bootstrap());
      broker.create("readings", 3, Map.of());
      broker.create("empty", 1, Map.of());
      Records records = new Records(client);
      List<Text> many = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        many.add(new Text(i % 2, 1_764_000_000_000L + i, "press", "{\"n\":%d}".formatted(i)));
      }
      many.add(new Text(0, 1_764_000_001_000L, "press", null));
      records.write("readings", many);

      Findings findings = explored(address(broker), Optional.empty(), Map.of());
      assertThat(findings.title()).isEqualTo("Kafka at " + broker.bootstrap());
      assertThat(findings.headings()).containsExactly("topic", "partitions", "records");
      assertThat(findings.found())
          .extracting(found -> found.name() + " " + found.facts())
          .containsExactly("empty [1, 0]", "readings [3, 501]");
      assertThat(findings.found().getFirst().content())
          .isEqualTo(new Findings.Unread("it is empty, so no columns are known"));
      Found readings = findings.found().get(1);
      assertThat(readings.options())
          .isEqualTo(Map.of("topic", "readings", "scan.startup.mode", "earliest-offset"));
      assertThat(values(readings))
          .as("the newest of both partitions")
          .hasSizeBetween(50, 100)
          .contains("{\"n\":499}", "{\"n\":498}")
          .doesNotContain("{\"n\":0}", "{\"n\":1}");
      assertThat(((Findings.Records) readings.content()).empty()).isEqualTo(1);
      assertThat(((Findings.Records) readings.content()).time()).isEqualTo("timestamp");
      assertThat(((Findings.Records) readings.content()).records().getFirst().key())
          .hasValueSatisfying(
              key -> assertThat(key).isEqualTo("press".getBytes(StandardCharsets.UTF_8)));

      assertThat(refused(address(broker), Optional.of("reading"), Map.of()))
          .isEqualTo(
              "Kafka at %s: there is no topic reading; did you mean readings?", broker.bootstrap());

      // Nothing is left at the broker: no group, and no topic of a name that was asked for.
      try (Admin admin = Admin.create(client)) {
        assertThat(admin.listGroups().all().get()).isEmpty();
        assertThat(admin.listTopics().names().get()).containsExactlyInAnyOrder("readings", "empty");
      }
    }
  }

  /** A broker that would make a topic for whoever asks for it. */
  @Test
  void aTopicIsNotMadeByAskingForIt() throws Exception {
    try (Broker broker =
        Broker.start(
            directory.resolve("broker"),
            "PLAINTEXT",
            Map.of("auto.create.topics.enable", "true"),
            List.of())) {
      assertThat(refused(address(broker), Optional.of("readings"), Map.of()))
          .endsWith("there is no topic readings; this user sees no topic at all");
      try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
        assertThat(admin.listTopics().names().get()).isEmpty();
      }
    }
  }

  @Test
  void ofLongRecordsAFewAreKept() {
    try (Broker broker = Broker.start(directory.resolve("broker"))) {
      broker.create("long", 1, Map.of());
      List<Text> records = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        records.add(new Text(0, 1L, null, "x".repeat(200_000)));
      }
      new Records(Map.of("bootstrap.servers", broker.bootstrap())).write("long", records);
      Found found = explored(address(broker), Optional.of("long"), Map.of()).found().getFirst();
      assertThat(values(found)).hasSize(2).allMatch(value -> value.length() == 200_000);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      textBlock =
          """
          kafka://nowhere.invalid:9092 ~ Kafka at nowhere.invalid:9092: the name nowhere.invalid is not known
          kafka://127.0.0.1:1 ~ Kafka at 127.0.0.1:1: nothing listens at 127.0.0.1:1 (connection refused)
          kafka://nowhere.invalid:9092,127.0.0.1:1 ~ Kafka at nowhere.invalid:9092,127.0.0.1:1: the name nowhere.invalid is not known; nothing listens at 127.0.0.1:1 (connection refused)
          kafka://plant ~ kafka://plant is not kafka://HOST:9092, or kafka://HOST:9092,HOST:9092
          """)
  void whatIsWrongWithAnAddressIsSaid(String address, String said) {
    assertThat(refused(address, Optional.empty(), Map.of())).isEqualTo(said);
  }

  @Test
  void somethingElseThatListensIsSaid() throws IOException {
    try (ServerSocket other = new ServerSocket(0)) {
      Thread.ofVirtual()
          .name("other")
          .start(
              () -> {
                while (!other.isClosed()) {
                  try (var socket = other.accept()) {
                    socket
                        .getOutputStream()
                        .write("220 hello\r\n".getBytes(StandardCharsets.UTF_8));
                  } catch (IOException e) {
                    return;
                  }
                }
              });
      String place = "localhost:" + other.getLocalPort();
      assertThat(refused("kafka://" + place, Optional.empty(), Map.of()))
          .isEqualTo("Kafka at %1$s: what answers at %1$s is no broker of Kafka", place);
    }
  }

  @Test
  void anAddressThatTheBrokerNamesAndNobodyReachesIsSaid() {
    try (Broker broker =
        Broker.start(
            directory.resolve("broker"),
            "PLAINTEXT",
            Map.of("advertised.listeners", "CLIENTS://broker.invalid:9092,OWN://127.0.0.1:9"),
            List.of())) {
      assertThat(refused(address(broker), Optional.empty(), Map.of()))
          .isEqualTo(
              "Kafka at %1$s: %1$s answers, but sends clients to its advertised.listeners, and the"
                  + " name broker.invalid is not known: set them, on the brokers, to what this"
                  + " machine reaches",
              broker.bootstrap());
    }
  }

  private static String login(String module, String password) {
    return "org.apache.kafka.common.security.%sLoginModule required username=\"plant\" password=\"%s\";"
        .formatted(module, password);
  }

  private static Map<String, String> sasl(String protocol, String password) {
    return Map.of(
        "properties.security.protocol",
        protocol,
        "properties.sasl.mechanism",
        "PLAIN",
        "properties.sasl.jaas.config",
        login("plain.Plain", password));
  }

  private static Map<String, String> users() {
    return Map.of(
        "sasl.enabled.mechanisms",
        "PLAIN",
        "listener.name.clients.plain.sasl.jaas.config",
        "org.apache.kafka.common.security.plain.PlainLoginModule required user_plant=\"%s\";"
            .formatted(PASSWORD));
  }

  @Test
  void whatIsWrongWithALoginIsSaid() {
    try (Broker broker =
        Broker.start(directory.resolve("broker"), "SASL_PLAINTEXT", users(), List.of())) {
      String place = broker.bootstrap();
      assertThat(refused(address(broker), Optional.empty(), Map.of()))
          .isEqualTo(
              "Kafka at %1$s: %1$s asks for a login (PLAIN): 'properties.security.protocol' is"
                  + " SASL_PLAINTEXT there, with 'properties.sasl.mechanism' and"
                  + " 'properties.sasl.jaas.config'",
              place);
      assertThat(refused(address(broker), Optional.empty(), sasl("SASL_PLAINTEXT", "not-this-one")))
          .startsWith("Kafka at %s: the login is refused (".formatted(place))
          .doesNotContain("not-this-one");
      assertThat(refused(address(broker), Optional.empty(), sasl("SASL_SSL", PASSWORD)))
          .isEqualTo(
              "Kafka at %1$s: %1$s talks without TLS, but 'properties.security.protocol' ="
                  + " 'SASL_SSL' asks for TLS: it is SASL_PLAINTEXT there",
              place);
      assertThat(
              explored(address(broker), Optional.empty(), sasl("SASL_PLAINTEXT", PASSWORD)).found())
          .isEmpty();
    }
  }

  @Test
  void aLoginThatNobodyAsksForIsSaid() {
    try (Broker broker = Broker.start(directory.resolve("broker"))) {
      assertThat(refused(address(broker), Optional.empty(), sasl("SASL_PLAINTEXT", PASSWORD)))
          .isEqualTo(
              "Kafka at %1$s: %1$s takes no logins: 'properties.security.protocol' is PLAINTEXT"
                  + " there, without 'properties.sasl.*'",
              broker.bootstrap())
          .doesNotContain(PASSWORD);
    }
  }

  /** A client that talks without TLS to such an entrance would take an alert for a length. */
  @Test
  void whatIsWrongWithTlsIsSaid() {
    KeyStores stores = KeyStores.create(directory.resolve("stores"));
    Map<String, String> config = new HashMap<>(users());
    config.put("ssl.keystore.location", stores.broker().toString());
    config.put("ssl.keystore.password", KeyStores.PASSWORD);
    try (Broker broker = Broker.start(directory.resolve("broker"), "SASL_SSL", config, List.of())) {
      String place = broker.bootstrap();
      assertThat(refused(address(broker), Optional.empty(), Map.of()))
          .isEqualTo(
              "Kafka at %1$s: %1$s talks TLS alone: 'properties.security.protocol' is SSL, or"
                  + " SASL_SSL with a login there; with an authority of its own it needs"
                  + " 'properties.ssl.truststore.location' too",
              place);
      assertThat(refused(address(broker), Optional.empty(), sasl("SASL_SSL", PASSWORD)))
          .startsWith("Kafka at %s: the TLS handshake fails (".formatted(place));
      Map<String, String> trusting = new HashMap<>(sasl("SASL_SSL", PASSWORD));
      trusting.put("properties.ssl.truststore.location", stores.trusted().toString());
      trusting.put("properties.ssl.truststore.password", KeyStores.PASSWORD);
      assertThat(explored(address(broker), Optional.empty(), trusting).found()).isEmpty();
    }
  }

  /** Rights of a user: one topic may be read, one may only be seen, one may not be seen. */
  @Test
  void whatAUserMayNotDoIsSaidAndTheRestIsThere() throws Exception {
    Map<String, String> config = new HashMap<>(users());
    config.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
    config.put("super.users", "User:ANONYMOUS;User:admin");
    config.put(
        "listener.name.clients.plain.sasl.jaas.config",
        "org.apache.kafka.common.security.plain.PlainLoginModule required user_plant=\"%1$s\" user_admin=\"%1$s\";"
            .formatted(PASSWORD));
    try (Broker broker =
        Broker.start(directory.resolve("broker"), "SASL_PLAINTEXT", config, List.of())) {
      Map<String, Object> admin =
          Map.of(
              "bootstrap.servers",
              broker.bootstrap(),
              "security.protocol",
              "SASL_PLAINTEXT",
              "sasl.mechanism",
              "PLAIN",
              "sasl.jaas.config",
              login("plain.Plain", PASSWORD).replace("\"plant\"", "\"admin\""));
      for (String topic : List.of("hidden", "read", "seen")) {
        broker.create(topic, 1, Map.of(), admin);
        new Records(admin).write(topic, List.of(new Text(0, 1L, null, "{\"v\":1}")));
      }
      Rights.allow(admin, "read", "READ");
      Rights.allow(admin, "seen", "DESCRIBE");
      Map<String, String> plant = sasl("SASL_PLAINTEXT", PASSWORD);
      Findings findings = explored(address(broker), Optional.empty(), plant);
      assertThat(findings.found()).extracting(Found::name).containsExactly("read", "seen");
      assertThat(values(findings.found().getFirst())).containsExactly("{\"v\":1}");
      assertThat(findings.found().get(1).content())
          .isEqualTo(new Findings.Unread("this user may not read it: it needs the right READ"));
      assertThat(refused(address(broker), Optional.of("hidden"), plant))
          .isEqualTo(
              "Kafka at %s: this user may not see the topic hidden: it needs the right DESCRIBE,"
                  + " and READ to read it",
              broker.bootstrap());
    }
  }
}
