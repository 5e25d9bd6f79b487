package io.sedge.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.system.testkit.Sedge;
import io.sedge.system.testkit.SedgeProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of docs/fields.md: something goes wrong, and the job commands what helps. */
@Timeout(300)
final class FieldsTest {
  @TempDir private static Path directory;
  private static SedgeProcess broker;
  private static String url;

  @BeforeAll
  static void startBroker() throws Exception {
    broker = Sedge.in(directory).start("broker", "--port", "0");
    String line = broker.awaitMessage("the broker listens on mqtt://");
    url = line.substring(line.indexOf("mqtt://"));
  }

  @AfterAll
  static void endBroker() {
    if (broker != null) { // else the tests were skipped before
      broker.close();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "line, manufacturing/oee.sql, tool-wear@1m, line-2/mill/feed: 100.0 -> 60.0, oee",
    "city, city/districts.sql, public-event@1m, harbour/sign/full: 0.0 -> 1.0, noise_db",
    "traffic, traffic/signals.sql, rush@2m, crossing-1/main/green: , side_queue",
    "ward, ward/early-warning.sql, sepsis@30s, room-1/bed-2/heart_rate sampling rate: 1.0 -> 10.0,"
        + " score",
    "grid, energy/transformer.sql, evening-peak@1m, feeder-1/charger-3/limit: 11.0 -> 4.0, kwh"
  })
  void theJobOfAFieldCommandsWhatHelps(
      String subject, String script, String fault, String obeyed, String column) throws Exception {
    Sedge sedge = Sedge.in(directory);
    String path = Sedge.project().resolve("examples").resolve(script).toString();
    try (SedgeProcess job = sedge.start("run", path, "--var", "BROKER=" + url, "--output", "json");
        SedgeProcess simulation =
            sedge.start("simulate", subject, "--broker", url, "--speed", "60", "--fault", fault)) {
      simulation.awaitMessage(obeyed);
      job.until(() -> !job.out().isEmpty(), () -> "the first row");
      assertThat(job.out().getFirst()).contains("\"" + column + "\"");
      job.interrupt();
      assertThat(job.exitCode()).as(job::toString).isZero();
      simulation.interrupt();
      assertThat(simulation.exitCode()).as(simulation::toString).isZero();
      simulation.awaitMessage(", 0 refused");
    }
  }
}
