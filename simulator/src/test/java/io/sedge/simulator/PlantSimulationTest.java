package io.sedge.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class PlantSimulationTest {
  private static final Instant START = Instant.parse("2026-03-01T06:00:00Z");

  private final Simulation healthy = new Simulation(Subject.PLANT, 7, START, 1);
  private final Simulation plant = new Simulation(Subject.PLANT, 7, START, 1);

  private static List<SensorReading> run(Simulation simulation, double seconds) {
    List<SensorReading> readings = new ArrayList<>();
    simulation.step(seconds, readings::add);
    return readings;
  }

  private static Stream<SensorReading> of(List<SensorReading> readings, String sensor) {
    return readings.stream().filter(reading -> reading.sensor().equals(sensor));
  }

  /** Lets both plants live, the one with the fault, and the same time without it. */
  private void befall(Fault fault, double seconds) {
    befall(fault, fault.targets().getFirst(), seconds);
  }

  private void befall(Fault fault, String target, double seconds) {
    assertThat(plant.fault(fault, Optional.of(target), true))
        .isInstanceOf(CommandOutcome.Obeyed.class);
    run(plant, seconds);
    run(healthy, seconds);
  }

  /** How much more a quantity is with the fault than without. */
  private double more(String sensor) {
    return plant.truth(sensor) - healthy.truth(sensor);
  }

  @Test
  void itBeginsWithTanksAtTheirSetPointsAndWarmBearings() {
    assertThat(plant.seconds()).isZero();
    assertThat(plant.truth("process/tank-1/level")).isCloseTo(1.5, within(0.15));
    assertThat(plant.truth("storage/tank-2/level")).isCloseTo(1.2, within(0.15));
    assertThat(plant.truth("process/tank-1/temperature")).isCloseTo(18, within(0.5));
    assertThat(plant.truth("process/pump-2/bearing_temperature")).isBetween(55.0, 75.0);
    assertThat(plant.truth("process/pump-2/vibration")).isLessThan(2.8);
    assertThat(plant.truth("process/valve-1/position")).isBetween(50.0, 95.0);
  }

  // Whoever debugs with it, and the files made with it, need the same numbers tomorrow.
  @Test
  void theSameSeedAndCommandsGiveTheSameReadings() {
    List<SensorReading> first = new ArrayList<>();
    List<SensorReading> second = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      if (i == 5) {
        plant.setPoint("process/pump-2/speed", 2000);
        healthy.setPoint("process/pump-2/speed", 2000);
      }
      plant.step(3, first::add);
    }
    run(healthy, 15).forEach(second::add);
    Simulation again = new Simulation(Subject.PLANT, 7, START, 1);
    List<SensorReading> third = new ArrayList<>();
    again.step(15, third::add);
    again.setPoint("process/pump-2/speed", 2000);
    // Steps of any length: time does not depend on how it is cut.
    for (int i = 0; i < 90; i++) {
      again.step(0.5, third::add);
    }
    assertThat(third).isEqualTo(first);
    assertThat(second).isNotEqualTo(first.subList(0, second.size()));
    assertThat(run(new Simulation(Subject.PLANT, 8, START, 1), 60)).isNotEqualTo(first);
  }

  @Test
  void readingsComeAtTheirRateInTheOrderOfTimeAndCountFromOne() {
    List<SensorReading> readings = run(new Simulation(Subject.PLANT, 1, START, 4), 10);
    assertThat(readings).hasSize(40 * plant.sensors().size());
    assertThat(readings)
        .isSortedAccordingTo(java.util.Comparator.comparingLong(SensorReading::timeMillis));
    List<SensorReading> level = of(readings, "process/tank-1/level").toList();
    assertThat(level).first().extracting(SensorReading::timeMillis).isEqualTo(START.toEpochMilli());
    assertThat(level.get(39).timeMillis()).isEqualTo(START.toEpochMilli() + 9_750);
    for (int i = 0; i < level.size(); i++) {
      assertThat(level.get(i).sequence()).isEqualTo(i + 1);
    }
  }

  @Test
  void sensorsShowTheTruthWithNoise() {
    List<SensorReading> readings = run(plant, 1);
    assertThat(readings).hasSameSizeAs(plant.sensors());
    List<SensorReading> later = run(plant, 600);
    double[] flow = of(later, "process/pump-2/flow").mapToDouble(SensorReading::value).toArray();
    assertThat(flow).hasSize(600);
    assertThat(java.util.Arrays.stream(flow).distinct().count()).isGreaterThan(100);
    assertThat(flow[599]).isCloseTo(plant.truth("process/pump-2/flow"), within(0.5));
  }

  @Test
  void aNewSamplingRateHoldsForItsSensorAlone() {
    run(plant, 10);
    assertThat(plant.samplingRate("process/pump-2/vibration", 50))
        .isEqualTo(
            new CommandOutcome.Obeyed("process/pump-2/vibration sampling rate", 1, 50, false));
    List<SensorReading> readings = run(plant, 10);
    assertThat(of(readings, "process/pump-2/vibration")).hasSizeBetween(499, 500);
    assertThat(of(readings, "process/pump-2/flow")).hasSize(10);
    assertThat(plant.samplingRate("process/pump-2/vibration", 1e9))
        .isEqualTo(
            new CommandOutcome.Obeyed("process/pump-2/vibration sampling rate", 50, 1000, true));
  }

  @Test
  void setPointsAreFollowed() {
    plant.setPoint("process/tank-1/level", 1.0);
    plant.setPoint("storage/tank-2/level", 1.6);
    plant.setPoint("process/tank-1/temperature", 21);
    run(plant, 900);
    assertThat(plant.truth("process/tank-1/level")).isCloseTo(1.0, within(0.15));
    assertThat(plant.truth("storage/tank-2/level")).isCloseTo(1.6, within(0.15));
    assertThat(plant.truth("process/tank-1/temperature")).isCloseTo(21, within(0.5));
  }

  @Test
  void aSlowerPumpMovesLessAndTakesLessCurrentAndStaysCooler() {
    plant.setPoint("process/pump-2/speed", 1900);
    run(plant, 600);
    run(healthy, 600);
    assertThat(plant.truth("process/pump-2/speed")).isCloseTo(1900, within(1.0));
    assertThat(more("process/pump-2/flow")).isLessThan(0.1);
    assertThat(more("process/pump-2/current")).isLessThan(-0.2);
    assertThat(more("process/pump-2/bearing_temperature")).isLessThan(-8);
    assertThat(more("process/valve-1/position")).as("opens to make up for it").isGreaterThan(3);
  }

  @Test
  void aCommandOutOfRangeGoesToTheLimitAndAnUnknownOneIsRefused() {
    assertThat(plant.setPoint("process/tank-1/level", 9))
        .isEqualTo(new CommandOutcome.Obeyed("process/tank-1/level", 1.5, 2.3, true));
    assertThat(plant.setPoint("process/tank-1/color", 1))
        .isEqualTo(
            new CommandOutcome.Refused(
                "process/tank-1/color has no set-point; there are process/tank-1/level,"
                    + " process/tank-1/temperature, storage/tank-2/level, process/pump-2/speed,"
                    + " storage/valve-2/position"));
    assertThat(plant.setPoint("process/tank-1/level", Double.NaN))
        .isInstanceOf(CommandOutcome.Refused.class);
    assertThat(plant.samplingRate("process/tank-9/level", 1))
        .isInstanceOf(CommandOutcome.Refused.class);
    assertThat(plant.fault(Fault.LEAK, Optional.of("storage/tank-2"), true))
        .isEqualTo(
            new CommandOutcome.Refused("leak cannot befall storage/tank-2, only process/tank-1"));
  }

  @Test
  void aWornBearingIsHotShakesAndCostsPowerWhileTheWaterFlowsAsBefore() {
    befall(Fault.BEARING_WEAR, 300);
    assertThat(more("process/pump-2/bearing_temperature")).isGreaterThan(30);
    assertThat(more("process/pump-2/vibration")).isGreaterThan(3);
    assertThat(more("process/pump-2/current")).isGreaterThan(0.02);
    assertThat(more("process/pump-2/flow")).isCloseTo(0, within(0.01));
    assertThat(more("intake/pump-1/bearing_temperature")).isCloseTo(0, within(0.01));
    // Slower is cooler: what a command can do about it.
    double hot = plant.truth("process/pump-2/bearing_temperature");
    plant.setPoint("process/pump-2/speed", 1800);
    run(plant, 300);
    assertThat(plant.truth("process/pump-2/bearing_temperature")).isLessThan(hot - 10);
    // A new bearing.
    plant.fault(Fault.BEARING_WEAR, Optional.of("process/pump-2"), false);
    run(plant, 1200);
    assertThat(plant.truth("process/pump-2/bearing_temperature")).isLessThan(60);
  }

  @Test
  void aBlockedStrainerMakesThePumpCavitate() {
    befall(Fault.CAVITATION, 60);
    assertThat(more("process/pump-2/suction_pressure")).isLessThan(-0.3);
    assertThat(plant.truth("process/pump-2/suction_pressure")).as("no tension").isGreaterThan(-1);
    assertThat(more("process/pump-2/flow")).isLessThan(-3);
    assertThat(more("process/pump-2/discharge_pressure")).isLessThan(-0.2);
    assertThat(more("process/pump-2/vibration")).isGreaterThan(0.5);
  }

  @Test
  void aBlockedFilterCostsPressureUntilTheTankRunsLow() {
    befall(Fault.BLOCKED_FILTER, 240);
    assertThat(more("intake/filter-1/differential_pressure")).isGreaterThan(0.5);
    assertThat(more("intake/pump-1/speed")).as("the controller tries").isGreaterThan(300);
    assertThat(more("intake/pump-1/discharge_pressure")).isGreaterThan(0.5);
    assertThat(more("intake/pump-1/flow")).isLessThan(-1);
    assertThat(more("process/tank-1/level")).isLessThan(-0.2);
  }

  @Test
  void aStuckValveStaysWhereItIsWhateverItsControllerWants() {
    double before = plant.truth("process/valve-1/position");
    befall(Fault.STUCK_VALVE, 200);
    assertThat(plant.truth("process/valve-1/position")).isEqualTo(before);
    assertThat(healthy.truth("process/valve-1/position")).isNotCloseTo(before, within(2.0));
    assertThat(plant.truth("process/valve-1/command")).isNotCloseTo(before, within(2.0));
    assertThat(Math.abs(more("storage/tank-2/level"))).isGreaterThan(0.05);
  }

  @Test
  void aLeakMustBeFedByTheFirstPump() {
    befall(Fault.LEAK, 300);
    double lost = plant.truth("intake/pump-1/flow") - plant.truth("process/pump-2/flow");
    assertThat(lost).as("5 cm² under 1.5 m, in m³/h").isCloseTo(6, within(2.0));
    assertThat(more("intake/pump-1/current")).isGreaterThan(0.3);
    assertThat(more("process/pump-2/flow")).isCloseTo(0, within(0.5));
  }

  // The plant believes its instruments: the tank overflows while all seems well.
  @Test
  void aDriftingLevelSensorMisleadsItsController() {
    befall(Fault.SENSOR_DRIFT, 300);
    double shown = of(run(plant, 1.5), "storage/tank-2/level").toList().getFirst().value();
    assertThat(shown - plant.truth("storage/tank-2/level")).isCloseTo(0.6, within(0.05));
    assertThat(more("storage/tank-2/level")).isLessThan(-0.3);
  }

  @Test
  void aFrozenSensorShowsTheSameForever() {
    befall(Fault.SENSOR_FROZEN, "process/pump-2/flow", 0);
    assertThat(of(run(plant, 300), "process/pump-2/flow").map(SensorReading::value).distinct())
        .hasSize(1);
    assertThat(of(run(healthy, 300), "process/pump-2/flow").map(SensorReading::value).distinct())
        .hasSizeGreaterThan(50);
  }

  @Test
  void aSensorThatDropsOutGivesATenthOfItsReadingsWithoutGapsInTheCount() {
    plant.fault(Fault.SENSOR_DROPOUT, Optional.of("process/pump-2/flow"), true);
    List<SensorReading> left = of(run(plant, 1_000), "process/pump-2/flow").toList();
    assertThat(left).hasSizeBetween(60, 140);
    assertThat(left.getLast().sequence()).isEqualTo(left.size());
  }

  @Test
  void whatIsNotPossibleIsRefusedAtTheStart() {
    assertThatThrownBy(() -> new Simulation(Subject.PLANT, 1, START, 5_000))
        .hasMessage("a rate of 5000.0 Hz is not between 0.01 and 1000.0");
    assertThatThrownBy(() -> plant.truth("process/tank-1/color"))
        .hasMessage("process/tank-1/color is no sensor");
  }
}
