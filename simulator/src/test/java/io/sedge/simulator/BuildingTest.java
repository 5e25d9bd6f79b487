package io.sedge.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BuildingTest {
  private static final String ROOM = "floor-2/room-201";

  private final Simulation building =
      new Simulation(Subject.BUILDING, 5, Instant.parse("2026-01-15T08:00:00Z"), 0.02);

  private void pass(double hours) {
    building.step(3600 * hours, reading -> {});
  }

  private void damper(String room, double percent) {
    assertThat(building.setPoint(room + "/damper", percent))
        .isInstanceOf(CommandOutcome.Obeyed.class);
  }

  private void fault(Fault fault, boolean on) {
    assertThat(building.fault(fault, Optional.of(ROOM), on))
        .isInstanceOf(CommandOutcome.Obeyed.class);
  }

  // Twelve people give 0.24 m³/h of CO2; in the end the air carries away as much.
  @ParameterizedTest
  @CsvSource({"25, 3089", "50, 1755", "100, 1089"})
  void aFullRoomHasTheCo2OfItsMassBalance(double percent, double ppm) {
    fault(Fault.FULL_HOUSE, true);
    damper(ROOM, percent);
    pass(16);
    assertThat(building.truth(ROOM + "/occupancy")).isEqualTo(12);
    assertThat(building.truth(ROOM + "/co2")).isCloseTo(ppm, within(5.0));
  }

  @Test
  void aStuckDamperStaysWhereItIsAndShowsWhatWasCommanded() {
    fault(Fault.STUCK_DAMPER, true);
    damper(ROOM, 100);
    pass(0.1);
    assertThat(building.truth(ROOM + "/damper")).isEqualTo(100);
    assertThat(building.truth(ROOM + "/airflow")).isEqualTo(90);
    fault(Fault.STUCK_DAMPER, false);
    pass(0.1);
    assertThat(building.truth(ROOM + "/airflow")).isEqualTo(360);
  }

  @Test
  void airCostsThePowerOfFansByTheCubeOfTheFlowAndHeat() {
    double heating = building.truth("floor-2/heating/power");
    assertThat(building.truth("floor-2/fan/power")).isCloseTo(0.03 + 0.4 / 64, within(1e-9));
    damper(ROOM, 100);
    damper("floor-2/room-202", 100);
    pass(0.1);
    assertThat(building.truth("floor-2/fan/power")).isCloseTo(0.43, within(1e-9));
    assertThat(building.truth("floor-2/heating/power")).isGreaterThan(heating + 0.3);
    assertThat(building.truth("floor-1/fan/power")).isCloseTo(0.03 + 0.4 / 64, within(1e-9));
  }

  @Test
  void roomsStayWarmAndPeopleMakeThemWarmer() {
    fault(Fault.FULL_HOUSE, true);
    for (int hour = 0; hour < 24; hour++) {
      pass(1);
      assertThat(building.truth("floor-1/room-101/temperature")).isBetween(19.0, 25.0);
    }
    assertThat(building.truth(ROOM + "/temperature"))
        .isBetween(building.truth("floor-1/room-101/temperature") + 2, 35.0);
  }

  @Test
  void meetingsBeginAndEnd() {
    int empty = 0;
    int hours = 200;
    for (int hour = 0; hour < hours; hour++) {
      pass(1);
      double people = building.truth("floor-1/room-102/occupancy");
      assertThat(people).isBetween(0.0, 6.0);
      empty += people == 0 ? 1 : 0;
    }
    assertThat(empty).isBetween(hours / 4, 3 * hours / 4);
  }
}
