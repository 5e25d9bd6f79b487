package io.sedge.connector.mqtt.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.mqtt.testkit.Await;
import io.sedge.connector.mqtt.testkit.FakeBroker;
import io.sedge.mqtt.BrokerAddress;
import io.sedge.mqtt.Client;
import io.sedge.mqtt.Connection;
import io.sedge.mqtt.ConnectionSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class ConnectionTest {
  private final CompletableFuture<Connection> opened = new CompletableFuture<>();
  private final List<String> told = new CopyOnWriteArrayList<>();

  /** Its clock is read when the connection is made, and not yet called one. */
  private final class ClosingContext implements ConnectorContext {
    @Override
    public InstantSource clock() {
      CompletableFuture.runAsync(opened.join()::close).join();
      return InstantSource.system();
    }

    @Override
    public Path directory() {
      return Path.of(".");
    }

    @Override
    public void wakeUp() {}

    @Override
    public void malformed(String table, String origin, byte[] payload, String reason) {}

    @Override
    public void report(Severity severity, String message) {
      told.add(message);
    }
  }

  private final class Telling implements Connection.Listener {
    @Override
    public void connected(boolean first, boolean sessionPresent) {
      told.add("connected");
    }

    @Override
    public void disconnected() {
      told.add("disconnected");
    }

    @Override
    public void failed() {
      told.add("failed");
    }
  }

  /** Else the broker would go on sending to it, and no other reader get the session for good. */
  @Test
  void aConnectionThatIsClosedWhileItIsMadeIsEndedAndNobodyHearsOfIt() {
    try (FakeBroker broker = new FakeBroker(FakeBroker.Moment.SUBSCRIBED, new byte[0])) {
      Connection connection =
          new Connection(
              new ConnectionSettings(
                  "readings",
                  BrokerAddress.parse(broker.url()),
                  true,
                  "one",
                  null,
                  null,
                  null,
                  null,
                  60,
                  Duration.ofSeconds(60),
                  Duration.ofMillis(20),
                  Duration.ofMillis(20)),
              new ClosingContext(),
              new Telling());
      opened.complete(connection);
      connection.open(new Client.Begin(true, 0, true, 10, 65_536));
      Await.until(
          Duration.ofSeconds(60),
          () -> broker.disconnects() > 0,
          () -> broker.connections() + " connections, " + told);
      assertThat(told).isEmpty();
      assertThat(connection.isConnected()).isFalse();
      assertThat(broker.connections()).isOne();
    }
  }
}
