package io.sedge.connector.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.broker.BrokerTls;
import io.sedge.broker.EmbeddedBroker;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.SourceReader;
import io.sedge.connector.mqtt.testkit.Await;
import io.sedge.connector.mqtt.testkit.Certificates;
import io.sedge.connector.mqtt.testkit.Mosquitto;
import io.sedge.connector.mqtt.testkit.Poller;
import io.sedge.connector.mqtt.testkit.ReadingsTable;
import io.sedge.connector.testkit.Feed;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Mutual TLS, with certificates that the test makes. */
@Timeout(180)
final class MqttTlsTest {
  @TempDir static Path directory;
  private static Certificates certificates;

  private final TestContext context = TestContext.live(directory);

  @BeforeAll
  static void certificates() throws Exception {
    certificates = new Certificates(directory);
  }

  private static EmbeddedBroker broker() {
    return EmbeddedBroker.builder()
        .host("0.0.0.0")
        .tls(
            new BrokerTls(
                certificates.file("broker.p12"),
                Certificates.PASSWORD,
                certificates.file("trust.p12"),
                Certificates.PASSWORD))
        .start();
  }

  private SourceReader source(String url, String... options) {
    return new MqttConnector().source(ReadingsTable.at(url, options), context).orElseThrow().open();
  }

  private void carries(String url) {
    String[] tls = {
      "tls.ca", "authority.pem", "tls.certificate", "client.pem", "tls.key", "client-key.pem"
    };
    Batch row = new BatchBuilder(ReadingsTable.SCHEMA).addRow("a", "b", 5L).build();
    try (SourceReader reader = source(url, tls);
        Feed sink =
            Feed.open(
                new MqttConnector().sink(ReadingsTable.at(url, tls), context).orElseThrow())) {
      Poller poller = new Poller(reader, 1);
      Await.until(
          Duration.ofSeconds(20),
          () -> {
            if (sink.flush()) {
              sink.offer(row);
            }
            return poller.poll();
          },
          context::reports);
      assertThat(poller.rows().getFirst()).containsExactly("a", "b", 5L);
    }
  }

  @Test
  void clientCertificatesAreShownToTheEmbeddedBroker() {
    try (EmbeddedBroker broker = broker()) {
      carries("mqtts://localhost:" + broker.port());
      assertThat(context.reports()).isEmpty();
    }
  }

  @Test
  void clientCertificatesAreShownToMosquitto(@TempDir Path data) throws Exception {
    try (Mosquitto mosquitto = secured(data)) {
      carries("mqtts://localhost:" + mosquitto.port());
    }
  }

  private static Mosquitto secured(Path data) throws Exception {
    for (String name : List.of("authority.pem", "broker.pem", "broker-key.pem")) {
      Files.copy(certificates.file(name), data.resolve(name));
    }
    return Mosquitto.start(
        data,
        List.of(
            "allow_anonymous false",
            "cafile " + data.resolve("authority.pem"),
            "certfile " + data.resolve("broker.pem"),
            "keyfile " + data.resolve("broker-key.pem"),
            "require_certificate true",
            "use_identity_as_username true"));
  }

  /** It may be mended while the job runs, so it is reported and tried again. */
  @Test
  void aBrokerThatNobodyVouchesForIsNotTalkedTo() {
    try (EmbeddedBroker broker = broker();
        SourceReader reader =
            source("mqtts://localhost:" + broker.port(), "tls.ca", "stranger.pem")) {
      Poller poller = new Poller(reader, 1);
      poller.until(() -> context.reports().size() >= 2);
      assertThat(context.reports())
          .allMatch(report -> report.contains("cannot connect to mqtts://localhost"))
          .allMatch(report -> report.contains("TLS failed"))
          .allMatch(report -> report.contains("'tls.ca' is to name the file of its authority"));
    }
  }

  @Test
  void aBrokerWithAnotherNameIsNotTalkedTo() {
    try (EmbeddedBroker broker = broker();
        SourceReader reader =
            source("mqtts://127.0.0.2:" + broker.port(), "tls.ca", "authority.pem")) {
      Poller poller = new Poller(reader, 1);
      poller.until(() -> !context.reports().isEmpty());
      assertThat(context.reports().getFirst()).contains("certificate is for another host");
    }
  }

  @Test
  void whoTalksTlsToAPortThatDoesNotIsTold(@TempDir Path data) throws Exception {
    try (EmbeddedBroker embedded = EmbeddedBroker.builder().start();
        Mosquitto mosquitto = Mosquitto.start(data, List.of("allow_anonymous true"))) {
      for (int port : new int[] {embedded.port(), mosquitto.port()}) {
        assertThat(toldAt("mqtts://localhost:" + port, "tls.ca", "authority.pem"))
            .contains("does the broker talk without TLS at this port? Then write mqtt://");
      }
    }
  }

  @Test
  void whoTalksWithoutTlsToAPortThatDoesIsTold(@TempDir Path data) throws Exception {
    try (EmbeddedBroker embedded = broker();
        Mosquitto mosquitto = secured(data)) {
      for (int port : new int[] {embedded.port(), mosquitto.port()}) {
        assertThat(toldAt("mqtt://localhost:" + port))
            .contains("does the broker talk nothing but TLS at this port? Then write mqtts://");
      }
    }
  }

  /** What is reported first. */
  private String toldAt(String url, String... options) {
    TestContext told = TestContext.live(directory);
    try (SourceReader reader =
        new MqttConnector().source(ReadingsTable.at(url, options), told).orElseThrow().open()) {
      new Poller(reader, 1).until(() -> !told.reports().isEmpty());
      return told.reports().getFirst();
    }
  }

  @Test
  void aClientWithoutACertificateOrWithAStrangersIsTurnedAway() {
    try (EmbeddedBroker broker = broker();
        SourceReader without =
            source("mqtts://localhost:" + broker.port(), "tls.ca", "authority.pem");
        SourceReader stranger =
            source(
                "mqtts://localhost:" + broker.port(),
                "tls.ca",
                "authority.pem",
                "tls.certificate",
                "stranger.pem",
                "tls.key",
                "stranger-key.pem")) {
      Poller one = new Poller(without, 1);
      Poller two = new Poller(stranger, 1);
      one.until(
          () -> {
            two.poll();
            return context.reports().size() >= 4;
          });
      assertThat(context.reports()).allMatch(report -> report.contains("cannot connect"));
    }
  }

  @Test
  void filesThatCannotBeUsedAreNamed() throws Exception {
    Files.writeString(directory.resolve("empty.pem"), "nothing\n");
    String url = "mqtts://localhost:8883";
    assertThatThrownBy(() -> source(url, "tls.ca", "absent.pem"))
        .isInstanceOf(ConnectorException.class)
        .hasMessageStartingWith("table readings: 'tls.ca' = 'absent.pem' cannot be read");
    assertThatThrownBy(() -> source(url, "tls.ca", "empty.pem"))
        .isInstanceOf(ConnectorException.class)
        .hasMessageStartingWith("table readings: 'tls.ca' = 'empty.pem'");
    assertThatThrownBy(() -> source(url, "tls.certificate", "client.pem", "tls.key", "client.pem"))
        .isInstanceOf(ConnectorException.class)
        .hasMessageContaining("openssl pkcs8 -topk8 -nocrypt");
  }
}
