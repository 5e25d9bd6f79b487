package io.sedge.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class FarmTest {
  private static final double TANK_M3 = 150;

  private final Simulation farm =
      new Simulation(Subject.FARM, 5, Instant.parse("2026-04-15T00:00:00Z"), 0.02);

  private void pass(double hours) {
    farm.step(3600 * hours, reading -> {});
  }

  private void open(String field, double open) {
    assertThat(farm.setPoint(field + "/valve/open", open))
        .isInstanceOf(CommandOutcome.Obeyed.class);
  }

  private double tank() {
    return farm.truth("yard/tank/level") / 100 * TANK_M3;
  }

  // 75 m³ on 5,000 m² are 15 mm, which are 5 % of 300 mm of soil; a spring night takes little.
  @Test
  void whatComesThroughTheValveIsInTheSoilAndNoLongerInTheTank() {
    farm.fault(Fault.PUMP_FAILURE, Optional.empty(), true);
    double before = farm.truth("hollow/soil/moisture");
    double full = tank();
    open("hollow", 1);
    pass(3);
    assertThat(farm.truth("hollow/valve/water")).isCloseTo(75, within(1e-6));
    assertThat(full - tank()).isCloseTo(75, within(1e-6));
    assertThat(farm.truth("hollow/soil/moisture") - before).isCloseTo(5, within(0.2));
    assertThat(farm.truth("slope/valve/water")).isZero();
    open("hollow", 0);
    pass(1);
    assertThat(farm.truth("hollow/valve/water")).isCloseTo(75, within(1e-6));
  }

  @Test
  void anEmptyTankGivesNothingUntilThePumpIsWell() {
    farm.fault(Fault.PUMP_FAILURE, Optional.empty(), true);
    double full = tank();
    open("hollow", 1);
    open("slope", 1);
    pass(6);
    assertThat(tank()).isCloseTo(0, within(1e-9));
    assertThat(farm.truth("yard/pump/power")).isZero();
    assertThat(farm.truth("hollow/valve/water") + farm.truth("slope/valve/water"))
        .isCloseTo(full, within(1e-6));
    open("hollow", 0);
    open("slope", 0);
    farm.fault(Fault.PUMP_FAILURE, Optional.empty(), false);
    pass(3);
    assertThat(tank()).isCloseTo(60, within(1e-6));
    assertThat(farm.truth("yard/pump/power")).isEqualTo(2.7);
    pass(10);
    assertThat(farm.truth("yard/tank/level")).isCloseTo(95, within(0.1));
    assertThat(farm.truth("yard/pump/power")).isZero();
  }

  @Test
  void leavesGetWetAtNightAndDryByDay() {
    pass(4);
    assertThat(farm.truth("hollow/leaf/wetness")).isEqualTo(100);
    assertThat(farm.truth("hollow/air/humidity")).isEqualTo(100);
    assertThat(farm.truth("hollow/air/temperature"))
        .isLessThan(farm.truth("slope/air/temperature") - 1);
    pass(8);
    assertThat(farm.truth("hollow/leaf/wetness")).isZero();
    assertThat(farm.truth("hollow/air/temperature"))
        .isCloseTo(farm.truth("slope/air/temperature"), within(1e-9));
  }

  @Test
  void aFieldWithoutWaterDriesEverSlowerAndNeverBeyondItsWiltingPoint() {
    double[] moisture = new double[31];
    for (int day = 0; day <= 30; day++) {
      moisture[day] = farm.truth("slope/soil/moisture");
      pass(24);
    }
    assertThat(moisture[0] - moisture[1]).isBetween(1.0, 2.0);
    assertThat(moisture[29] - moisture[30]).isBetween(0.0, 0.1);
    assertThat(moisture[30]).isBetween(8.0, 9.0);
  }

  @Test
  void aFieldThatIsWateredForLongDrains() {
    open("hollow", 1);
    pass(48);
    assertThat(farm.truth("hollow/soil/moisture")).isBetween(27.0, 45.0);
    open("hollow", 0);
    pass(48);
    assertThat(farm.truth("hollow/soil/moisture")).isBetween(23.0, 27.0);
  }

  // A fault of any sensor; but soil changes within hours.
  @Test
  void aSensorThatDriftsIsWrongByAFewPercentAfterHours() {
    double[] shown = {0};
    farm.fault(Fault.SENSOR_DRIFT, Optional.of("hollow/soil/moisture"), true);
    farm.step(
        6 * 3600,
        reading ->
            shown[0] =
                reading.sensor().equals("hollow/soil/moisture") ? reading.value() : shown[0]);
    assertThat(shown[0] - farm.truth("hollow/soil/moisture")).isCloseTo(3.6, within(0.6));
  }
}
