package io.sedge.connector.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.broker.EmbeddedBroker;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.SourceReader;
import io.sedge.connector.mqtt.testkit.Poller;
import io.sedge.connector.mqtt.testkit.ReadingsTable;
import io.sedge.connector.testkit.Feed;
import io.sedge.connector.testkit.TestContext;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With the embedded broker. */
final class EmbeddedBrokerMqttTest extends BrokerBehaviour {
  private static EmbeddedBroker broker;

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.builder().start();
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @Override
  int port() {
    return broker.port();
  }

  /** Trying again for ever would hide it; nobody but a person can mend it. */
  @ParameterizedTest
  @ValueSource(strings = {"5", "3.1.1"})
  void aWrongLoginStopsTheReaderWithAMessage(String version, @TempDir Path files) throws Exception {
    Files.writeString(files.resolve("secret"), "s3cret\n");
    TestContext context = TestContext.live(files);
    try (EmbeddedBroker guarded = EmbeddedBroker.builder().login("ann", "s3cret").start()) {
      try (SourceReader reader =
          new MqttConnector()
              .source(
                  ReadingsTable.at(
                      guarded.url(),
                      "username",
                      "ann",
                      "password",
                      "guess",
                      "version",
                      version,
                      "client-id",
                      "bob"),
                  context)
              .orElseThrow()
              .open()) {
        Poller poller = new Poller(reader, 1);
        assertThatThrownBy(() -> poller.rows(1))
            .isInstanceOf(ConnectorException.class)
            .hasMessageContaining("refuses client 'bob'")
            .hasMessageContaining("check 'username', 'password'");
      }
      try (SourceReader reader =
          new MqttConnector()
              .source(
                  ReadingsTable.at(
                      guarded.url(),
                      "username",
                      "ann",
                      "password-file",
                      "secret",
                      "version",
                      version,
                      "client-id",
                      "bob"),
                  context)
              .orElseThrow()
              .open()) {
        reader.poll(0);
        Poller poller = new Poller(reader, 1);
        try (var publisher =
            Feed.open(
                new MqttConnector()
                    .sink(
                        ReadingsTable.at(
                            guarded.url(),
                            "username",
                            "ann",
                            "password",
                            "s3cret",
                            "retain",
                            "true"),
                        context)
                    .orElseThrow())) {
          var batch =
              new io.sedge.engine.column.BatchBuilder(ReadingsTable.SCHEMA)
                  .addRow("a", "b", 5L)
                  .build();
          assertThat(publisher.offer(batch)).isTrue();
          // Retained while it is being subscribed to, it may come both as new and as retained.
          assertThat(poller.rows(1)).isNotEmpty();
        }
      }
    }
  }
}
