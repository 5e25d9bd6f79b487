package io.sedge.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class SubjectTest {
  private static final Instant START = Instant.parse("2026-03-01T06:00:00Z");

  private static List<SensorReading> run(Simulation simulation, double seconds) {
    List<SensorReading> readings = new ArrayList<>();
    simulation.step(seconds, readings::add);
    return readings;
  }

  @ParameterizedTest
  @EnumSource
  void theSameSeedGivesTheSameReadings(Subject subject) {
    List<SensorReading> readings = run(new Simulation(subject, 5, START, 1), 60);
    assertThat(run(new Simulation(subject, 5, START, 1), 60)).isEqualTo(readings);
    assertThat(run(new Simulation(subject, 6, START, 1), 60)).isNotEqualTo(readings);
    assertThat(readings)
        .hasSize(60 * new Simulation(subject, 5, START, 1).sensors().size())
        .allSatisfy(reading -> assertThat(reading.value()).isFinite());
  }

  @ParameterizedTest
  @EnumSource
  void eachFaultOfASubjectBefallsItsTargetsAndNoOtherSubject(Subject subject) {
    Simulation simulation = new Simulation(subject, 5, START, 1);
    for (Fault fault : Fault.values()) {
      CommandOutcome outcome = simulation.fault(fault, Optional.empty(), true);
      if (fault.befalls(subject)) {
        assertThat(outcome).as(fault.text()).isInstanceOf(CommandOutcome.Obeyed.class);
      } else {
        assertThat(outcome)
            .isEqualTo(
                new CommandOutcome.Refused(
                    "%s has no %s; there are %s"
                        .formatted(subject.text(), fault.text(), Fault.list(subject))));
      }
    }
  }

  /** After five minutes, beside the same scene without it. */
  @ParameterizedTest
  @CsvSource({
    "LINE, jam, line-1/press, line-1/press/parts, -400, -50",
    "LINE, tool-wear, line-2/mill, line-2/mill/vibration, 2, 5",
    "LINE, tool-wear, line-2/mill, line-2/mill/scrap, 10, 60",
    "CITY, inversion, centre, harbour/air/pm2_5, 20, 200",
    "CITY, public-event, harbour, harbour/parking/free, -400, -100",
    "CITY, public-event, centre, centre/noise/level, 8, 20",
    "TRAFFIC, rush, crossing-1/side, crossing-1/side/arrived, 10, 60",
    "TRAFFIC, rush, crossing-1/side, crossing-1/side/queue, 3, 90",
    "WARD, sepsis, room-1/bed-2, room-1/bed-2/heart_rate, 40, 60",
    "WARD, sepsis, room-1/bed-2, room-1/bed-2/oxygen_saturation, -7, -5",
    "GRID, heat-wave, feeder-1, feeder-1/transformer-1/oil_temperature, 9, 14",
    "GRID, evening-peak, feeder-1, feeder-1/transformer-1/load, 15, 80",
    "FARM, cold-snap, hollow, slope/air/temperature, -0.8, -0.7",
    "BUILDING, full-house, floor-1/room-101, floor-1/room-101/co2, 60, 140"
  })
  void faultsShow(
      Subject subject, String fault, String target, String sensor, double least, double most) {
    Simulation healthy = new Simulation(subject, 5, START, 1);
    Simulation ill = new Simulation(subject, 5, START, 1);
    ill.fault(Fault.named(fault).orElseThrow(), Optional.of(target), true);
    run(healthy, 300);
    run(ill, 300);
    assertThat(ill.truth(sensor) - healthy.truth(sensor)).isBetween(least, most);
  }

  /** What a job says to it helps: so with the set-point, beside without, five minutes later. */
  @ParameterizedTest
  @CsvSource({
    "LINE, tool-wear, line-2/mill/feed, 60, line-2/mill/vibration, -5, -1",
    "CITY, public-event, harbour/sign/full, 1, harbour/parking/free, 50, 400",
    "TRAFFIC, rush, crossing-1/main/green, 26, crossing-1/side/queue, -90, -2",
    "GRID, heat-wave, feeder-1/charger-1/limit, 0, feeder-1/transformer-1/load, -30, -20",
    "FARM, pump-failure, hollow/valve/open, 1, hollow/soil/moisture, 0.1, 0.2",
    "BUILDING, full-house, floor-1/room-101/damper, 100, floor-1/room-101/co2, -90, -10"
  })
  void commandsHelp(
      Subject subject,
      String fault,
      String setPoint,
      double value,
      String sensor,
      double least,
      double most) {
    Simulation alone = new Simulation(subject, 5, START, 1);
    Simulation helped = new Simulation(subject, 5, START, 1);
    alone.fault(Fault.named(fault).orElseThrow(), Optional.empty(), true);
    helped.fault(Fault.named(fault).orElseThrow(), Optional.empty(), true);
    run(alone, 60);
    run(helped, 60);
    assertThat(helped.setPoint(setPoint, value)).isInstanceOf(CommandOutcome.Obeyed.class);
    run(alone, 300);
    run(helped, 300);
    assertThat(helped.truth(sensor) - alone.truth(sensor)).isBetween(least, most);
  }

  @Test
  void aFaultOfAnotherSubjectCannotBePlanned() {
    assertThatThrownBy(
            () ->
                new SimulationOptions(
                    Subject.CITY,
                    URI.create("mqtt://localhost:1883"),
                    Optional.empty(),
                    1,
                    1,
                    1,
                    Optional.empty(),
                    List.of(
                        new PlannedFault(
                            Fault.LEAK, Optional.empty(), Duration.ofSeconds(1), Optional.empty())),
                    Optional.empty()))
        .hasMessage(
            "city has no leak; there are inversion, public-event, sensor-drift, sensor-frozen,"
                + " sensor-dropout");
  }
}
