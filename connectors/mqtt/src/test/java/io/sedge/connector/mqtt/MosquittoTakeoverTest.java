package io.sedge.connector.mqtt;

import io.sedge.connector.mqtt.testkit.Mosquitto;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** With a real Mosquitto. */
final class MosquittoTakeoverTest extends TakeoverBehaviour {
  private static Mosquitto mosquitto;

  @BeforeAll
  static void start(@TempDir Path data) {
    mosquitto =
        Mosquitto.start(
            data,
            List.of(
                "allow_anonymous true",
                "set_tcp_nodelay true",
                "autosave_interval 100000",
                "max_queued_messages 10000"));
  }

  @AfterAll
  static void stop() {
    if (mosquitto != null) {
      mosquitto.close();
    }
  }

  @Override
  int port() {
    return mosquitto.port();
  }
}
