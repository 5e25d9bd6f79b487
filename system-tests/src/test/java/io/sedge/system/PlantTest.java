package io.sedge.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.system.testkit.PlantClient;
import io.sedge.system.testkit.Sedge;
import io.sedge.system.testkit.SedgeProcess;
import java.nio.file.Path;
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
        try (PlantClient client = PlantClient.at(url, "plant/+/+/set/+")) {
          client.breakDown("bearing-wear");
          client.await("plant/process/pump-2/set/speed", text -> text.contains("1800"));
        }
        end(job, "commands sent  1");
        end(plant, "2 commands obeyed, 0 refused");
      }
      broker.terminate();
      assertThat(broker.exitCode()).isZero();
      assertThat(broker.awaitMessage("the broker has stopped")).endsWith(", 0 dropped");
    }
  }

  private static void end(SedgeProcess process, String summary) {
    process.interrupt();
    assertThat(process.exitCode()).as(process::toString).isZero();
    process.awaitMessage(summary);
  }
}
