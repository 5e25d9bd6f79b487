package io.sedge.system;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient.Mqtt5Publishes;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.sedge.system.testkit.Sedge;
import io.sedge.system.testkit.SedgeProcess;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The tour: broker, plant and job, each a process of its own. */
@Timeout(900)
final class PlantTest {
  @TempDir private Path directory;

  /** What a visitor sees: a bearing wears, gets hot, and the job slows the pump down. */
  @Test
  void aFaultIsAnsweredWithASetPointAndEachCommandEndsWithASummary() throws Exception {
    Sedge sedge = Sedge.in(directory);
    try (SedgeProcess broker = sedge.start("broker", "--port", "0")) {
      String line = broker.awaitMessage("the broker listens on mqtt://");
      String url = line.substring(line.indexOf("mqtt://"));
      String script = Sedge.project().resolve("examples/plant.sql").toString();
      try (SedgeProcess plant = sedge.start("simulate", "plant", "--broker", url, "--speed", "60");
          SedgeProcess job =
              sedge.start("run", script, "--var", "BROKER=" + url, "--output", "json")) {
        job.until(() -> job.out().size() > 1, () -> "the first windows");
        Mqtt5Publish setPoint = wearOut(url);
        assertThat(setPoint.getTopic()).hasToString("plant/process/pump-2/set/speed");
        assertThat(new String(setPoint.getPayloadAsBytes(), UTF_8)).contains("1800");
        end(job, "commands sent  1");
        end(plant, "2 commands obeyed, 0 refused");
      }
      broker.terminate();
      assertThat(broker.exitCode()).isZero();
      assertThat(broker.awaitMessage("the broker has stopped")).endsWith(", 0 dropped");
    }
  }

  /** Switches the fault on and waits for what the job says to it. */
  private static Mqtt5Publish wearOut(String url) throws InterruptedException {
    Mqtt5BlockingClient client =
        Mqtt5Client.builder()
            .identifier("test")
            .serverHost("127.0.0.1")
            .serverPort(Integer.parseInt(url.substring(url.lastIndexOf(':') + 1)))
            .buildBlocking();
    client.connect();
    try (Mqtt5Publishes publishes = client.publishes(MqttGlobalPublishFilter.ALL)) {
      client.subscribeWith().topicFilter("plant/+/+/set/+").qos(MqttQos.AT_LEAST_ONCE).send();
      client
          .publishWith()
          .topic("sim/fault/bearing-wear")
          .qos(MqttQos.AT_LEAST_ONCE)
          .payload("on".getBytes(UTF_8))
          .send();
      Optional<Mqtt5Publish> command = publishes.receive(120, TimeUnit.SECONDS);
      return command.orElseThrow(() -> new AssertionError("no set-point within two minutes"));
    } finally {
      client.disconnect();
    }
  }

  private static void end(SedgeProcess process, String summary) {
    process.interrupt();
    assertThat(process.exitCode()).as(process::toString).isZero();
    process.awaitMessage(summary);
  }
}
