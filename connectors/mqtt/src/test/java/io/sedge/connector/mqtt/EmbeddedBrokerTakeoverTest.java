package io.sedge.connector.mqtt;

import io.sedge.broker.EmbeddedBroker;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** With the embedded broker. */
final class EmbeddedBrokerTakeoverTest extends TakeoverBehaviour {
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
}
