package io.sedge.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.mqtt.testkit.Mosquitto;
import io.sedge.system.testkit.Counted;
import io.sedge.system.testkit.Memory;
import io.sedge.system.testkit.Readings;
import io.sedge.system.testkit.Sedge;
import io.sedge.system.testkit.SedgeProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A publisher that is ten times as fast as the job, which waits for whoever reads its output. MQTT
 * has nothing that slows a publisher at QoS 1, so what the job does not take waits in the broker,
 * whose memory grows; that of the job does not.
 */
@Timeout(1200)
final class OverloadTest {
  private static final int TIMES = 10;
  private static final int HEAP_MIB = 64;

  /** The heap, and as much again for code, classes, threads and buffers, and some more. */
  private static final long MOST_MIB = 240;

  @TempDir private Path data;
  @TempDir private Path directory;

  @Test
  void memoryIsBoundedAndNothingIsLostForSeconds() {
    memoryIsBoundedAndNothingIsLost(10, 6_000, 4);
  }

  @Test
  @Tag("long")
  void memoryIsBoundedAndNothingIsLostForTenMinutes() {
    memoryIsBoundedAndNothingIsLost(600, 2_000, 10);
  }

  private void memoryIsBoundedAndNothingIsLost(int seconds, int perSecond, int parts) {
    int count = seconds * perSecond;
    Sedge sedge = Sedge.in(directory);
    try (Mosquitto mosquitto =
        Mosquitto.startForgetful(
            data, List.of("allow_anonymous true", "max_inflight_messages 0"))) {
      sedge.script(
          "overload.sql",
          Readings.table(mosquitto.port(), "overload", ", filler STRING", "")
              + "SELECT sensor, seq, filler FROM readings;");
      try (SedgeProcess job =
          sedge.startPiped(
              Map.of("SEDGE_HEAP", HEAP_MIB + "m"), "run", "overload.sql", "--output", "json")) {
        Counted shown = new Counted();
        shown.readAll(job.reader());
        Readings.awaitSubscription(mosquitto.port(), job, shown);
        shown.pace(perSecond / TIMES);
        Memory memory = new Memory(job);
        try (memory;
            Readings readings =
                Readings.publish(
                    mosquitto.port(),
                    count,
                    perSecond,
                    ",\"filler\":\"%s\"".formatted("x".repeat(1000)))) {
          readings.settle();
          job.awaitMessage("the job, which takes fewer than come");
        }
        int behind = count - shown.different();
        shown.pace(Long.MAX_VALUE);
        job.until(
            () -> shown.different() == count,
            () -> "all readings; of %,d missing: %s".formatted(count, shown.missing(count)));
        long peak = job.peakKiB() / 1024;
        job.interrupt();
        assertThat(job.exitCode()).isZero();
        System.out.printf(
            "%d times too fast for %d s: %,d readings, %,d rows, %,d behind; MiB resident %s, peak"
                + " %d%n%s%n",
            TIMES, seconds, count, shown.total(), behind, memory.medians(parts), peak, job);
        assertThat(behind).isGreaterThan(count / 2);
        assertThat(shown.total()).isEqualTo(count);
        assertThat(peak).isLessThan(MOST_MIB);
        List<Long> medians = memory.medians(parts);
        assertThat(medians.getLast()).isLessThan(medians.get(parts / 2) + HEAP_MIB / 2);
      }
    }
  }
}
