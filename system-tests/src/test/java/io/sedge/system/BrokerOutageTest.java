package io.sedge.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.mqtt.testkit.Await;
import io.sedge.connector.mqtt.testkit.Mosquitto;
import io.sedge.system.testkit.Counted;
import io.sedge.system.testkit.Readings;
import io.sedge.system.testkit.Sedge;
import io.sedge.system.testkit.SedgeProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The broker is killed under load, and comes back after a while. */
@Timeout(900)
final class BrokerOutageTest {
  private static final int WINDOW = 500;

  /** What it lost of the last second, the job has: it was sent before it was acknowledged. */
  private static final List<String> SAVES_EACH_SECOND =
      List.of(
          "allow_anonymous true",
          "autosave_on_changes false",
          "autosave_interval 1",
          "max_inflight_messages 0");

  private static final Duration STANDSTILL = Duration.ofSeconds(8);

  @TempDir private Path data;
  @TempDir private Path directory;

  @Test
  void nothingIsLostWhileTheBrokerIsAwayForSeconds() {
    nothingIsLost(Duration.ofSeconds(5), 20_000, 2_000);
  }

  @Test
  @Tag("long")
  void nothingIsLostWhileTheBrokerIsAwayForHalfAMinute() {
    nothingIsLost(Duration.ofSeconds(30), 120_000, 2_000);
  }

  /**
   * What the broker has acknowledged and not saved has been sent to the job, and is lost with the
   * connection if the job has not read it yet, as on a machine that is busy.
   */
  private static void awaitStandstill(SedgeProcess job, Counted shown) {
    job.until(
        () -> {
          long before = shown.different();
          LockSupport.parkNanos(STANDSTILL.toNanos());
          return shown.different() == before;
        },
        () -> "the job has read what it was sent");
  }

  /**
   * The publisher sends again what the broker had not acknowledged when it was killed, at most its
   * window: those may come twice, which is MQTT's QoS 1. Nothing else may, and nothing may be
   * missing.
   */
  private void nothingIsLost(Duration away, int count, int perSecond) {
    Sedge sedge = Sedge.in(directory);
    try (Mosquitto mosquitto = Mosquitto.start(data, SAVES_EACH_SECOND)) {
      sedge.script(
          "outage.sql",
          Readings.table(mosquitto.port(), "outage", "", "")
              + """
              CREATE TABLE kept (sensor STRING, seq BIGINT)
                WITH ('connector' = 'filesystem', 'path' = 'kept', 'format' = 'csv');
              INSERT INTO kept SELECT sensor, seq FROM readings;
              SELECT sensor, seq FROM readings;
              """);
      try (SedgeProcess job = sedge.startPiped(Map.of(), "run", "outage.sql", "--output", "json")) {
        Counted shown = new Counted();
        shown.readAll(job.reader());
        Readings.awaitSubscription(mosquitto.port(), job, shown);
        try (Readings readings = Readings.publish(mosquitto.port(), count, perSecond, "")) {
          job.until(() -> shown.different() >= count / 3, () -> "a third of the readings");
          mosquitto.halt();
          awaitStandstill(job, shown);
          mosquitto.kill();
          long begin = System.nanoTime();
          job.awaitMessage("lost the connection to " + mosquitto.url());
          job.awaitMessage("cannot connect to " + mosquitto.url() + ": nobody listens there");
          Await.until(
              away.multipliedBy(2), () -> System.nanoTime() - begin >= away.toNanos(), () -> away);
          mosquitto.start();
          job.awaitMessage("connected to " + mosquitto.url() + " after ");
          job.until(
              () -> shown.different() == count,
              () -> "all readings; of %,d missing: %s".formatted(count, shown.missing(count)));
          readings.settle();
        }
        job.interrupt();
        assertThat(job.exitCode()).isZero();
        job.awaitMessage("readings in");
        Counted kept = Counted.files(directory.resolve("kept"));
        assertThat(kept.missing(count)).isEmpty();
        assertThat(kept.total()).isBetween((long) count, (long) count + WINDOW);
        assertThat(shown.total()).isEqualTo(kept.total());
        System.out.printf(
            "broker away for %s: %,d readings, %,d rows%n%s%n", away, count, kept.total(), job);
      }
    }
  }
}
