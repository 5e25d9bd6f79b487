package io.sedge.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.system.testkit.PlantClient;
import io.sedge.system.testkit.Sedge;
import io.sedge.system.testkit.SedgeProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of docs/fields.md: something goes wrong, and the job commands what helps. */
@Timeout(300)
final class FieldsTest {
  private static final Pattern VALUE = Pattern.compile("\"value\": ?([-0-9.]+)");

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
    try (SedgeProcess job = job(script);
        SedgeProcess simulation =
            sedge.start("simulate", subject, "--broker", url, "--speed", "60", "--fault", fault)) {
      simulation.awaitMessage(obeyed);
      job.until(() -> !job.out().isEmpty(), () -> "the first row");
      assertThat(job.out().getFirst()).contains("\"" + column + "\"");
      end(job, simulation);
    }
  }

  /** Frost comes while a field is watered, and goes. */
  @Test
  void aDryFieldIsWateredUnlessThereIsFrost() throws Exception {
    try (PlantClient farm = PlantClient.at(url, "farm/hollow/+/+", "farm-warnings/hollow");
        SedgeProcess job = job("agriculture/irrigation.sql");
        SedgeProcess simulation = fast("farm")) {
      farm.await("farm/hollow/valve/open", reading -> value(reading) == 1);
      farm.breakDown("cold-snap");
      farm.await("farm-warnings/hollow", warning -> warning.contains("\"frost\":true"));
      farm.await("farm/hollow/valve/open", reading -> value(reading) == 0);
      farm.repair("cold-snap");
      farm.await("farm-warnings/hollow", warning -> warning.contains("\"frost\":false"));
      farm.await("farm/hollow/valve/open", reading -> value(reading) == 1);
      farm.await("farm/hollow/soil/moisture", reading -> value(reading) > 22.5);
      awaitRow(job, ".*\"field\":\"hollow\",.*\"m3\":[1-9].*");
      awaitRow(job, ".*\"field\":\"slope\",.*\"m3\":0.0.*");
      end(job, simulation);
    }
  }

  /** Two full rooms get more air, but that the damper of one is stuck until it is repaired. */
  @Test
  void aFullRoomGetsAirAndAStuckDamperIsReported() throws Exception {
    String maintenance = "building-maintenance/floor-2/room-201";
    try (PlantClient building =
            PlantClient.at(url, "building/+/+/airflow", "building/+/+/set/damper", maintenance);
        SedgeProcess job = job("buildings/ventilation.sql");
        SedgeProcess simulation =
            fast(
                "building",
                "--fault=stuck-damper@1s",
                "--fault=full-house@1s",
                "--fault=full-house:floor-2/room-201@1s")) {
      building.await("building/floor-1/room-101/set/damper", command -> value(command) == 100);
      building.await("building/floor-1/room-101/airflow", reading -> value(reading) > 340);
      String report = building.await(maintenance, row -> row.contains("\"stuck\":true"));
      assertThat(report).contains("\"damper\":100.0").containsPattern("\"airflow\":(8|9|10)\\d");
      awaitRow(job, ".*\"room\":\"room-101\",.*\"people\":12.*\"category\":\"II\".*");
      building.repair("stuck-damper");
      building.await("building/floor-2/room-201/airflow", reading -> value(reading) > 340);
      building.await(maintenance, row -> row.contains("\"stuck\":false"));
      end(job, simulation);
    }
  }

  private static SedgeProcess job(String script) {
    String path = Sedge.project().resolve("examples").resolve(script).toString();
    return Sedge.in(directory).start("run", path, "--var", "BROKER=" + url, "--output", "json");
  }

  /** An hour of its time passes in 3.6 s. */
  private static SedgeProcess fast(String subject, String... faults) {
    List<String> command = new ArrayList<>(List.of("simulate", subject, "--broker", url));
    command.addAll(List.of("--speed", "1000", "--rate", "0.02"));
    command.addAll(List.of(faults));
    return Sedge.in(directory).start(command.toArray(String[]::new));
  }

  private static double value(String payload) {
    Matcher number = VALUE.matcher(payload);
    assertThat(number.find()).as(payload).isTrue();
    return Double.parseDouble(number.group(1));
  }

  private static void awaitRow(SedgeProcess job, String form) {
    job.until(() -> job.out().stream().anyMatch(row -> row.matches(form)), () -> form);
  }

  private static void end(SedgeProcess job, SedgeProcess simulation) {
    job.interrupt();
    assertThat(job.exitCode()).as(job::toString).isZero();
    simulation.interrupt();
    assertThat(simulation.exitCode()).as(simulation::toString).isZero();
    simulation.awaitMessage(", 0 refused");
  }
}
