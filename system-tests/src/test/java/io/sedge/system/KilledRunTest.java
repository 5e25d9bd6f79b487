package io.sedge.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.mqtt.testkit.Mosquitto;
import io.sedge.system.testkit.Counted;
import io.sedge.system.testkit.Readings;
import io.sedge.system.testkit.Sedge;
import io.sedge.system.testkit.SedgeProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A run is killed in the middle and started again. State is in the process, so that of windows is
 * lost; readings are not: what was not acknowledged, which is what was not written, the broker
 * sends to the next run of the same client-id. How much comes again is up to the broker: no more
 * than the receive maximum by MQTT 5, whatever is queued by Mosquitto 2.0.11 after a first outage.
 */
@Timeout(900)
final class KilledRunTest {
  private static final int COUNT = 15_000;
  private static final int PER_SECOND = 2_000;
  private static final int KILLS = 2;

  @TempDir private Path data;
  @TempDir private Path directory;

  @Test
  void noReadingIsMissingAfterRunsThatWereKilled() {
    Sedge sedge = Sedge.in(directory);
    try (Mosquitto mosquitto = Mosquitto.startForgetful(data, List.of("allow_anonymous true"))) {
      sedge.script(
          "killed.sql",
          Readings.table(mosquitto.port(), "killed", "", "")
              + """
              CREATE TABLE kept (sensor STRING, seq BIGINT)
                WITH ('connector' = 'filesystem', 'path' = 'kept', 'format' = 'csv');
              INSERT INTO kept SELECT sensor, seq FROM readings;
              SELECT sensor, seq FROM readings;
              """);
      Counted shown = new Counted();
      SedgeProcess first = start(sedge, shown);
      try (first) {
        Readings.awaitSubscription(mosquitto.port(), first, shown);
      }
      try (Readings readings = Readings.publish(mosquitto.port(), COUNT, PER_SECOND, "")) {
        for (int kill = 1; kill <= KILLS; kill++) {
          int enough = kill * COUNT / (KILLS + 1);
          try (SedgeProcess job = start(sedge, shown)) {
            job.until(() -> shown.different() >= enough, () -> enough + " readings");
            job.kill();
          }
        }
        try (SedgeProcess job = start(sedge, shown)) {
          job.until(
              () -> shown.different() == COUNT,
              () -> "all readings; missing: " + shown.missing(COUNT));
          readings.settle();
          job.terminate();
          assertThat(job.exitCode()).as(job::toString).isZero();
        }
      }
    }
    Counted kept = Counted.files(directory.resolve("kept"));
    System.out.printf("killed %d times: %,d readings, %,d rows%n", KILLS, COUNT, kept.total());
    assertThat(kept.missing(COUNT)).isEmpty();
  }

  private static SedgeProcess start(Sedge sedge, Counted shown) {
    SedgeProcess job = sedge.startPiped(Map.of(), "run", "killed.sql", "--output", "json");
    shown.readAll(job.reader());
    return job;
  }
}
