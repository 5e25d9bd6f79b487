package io.sedge.simulator.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sedge.simulator.Fault;
import io.sedge.simulator.Subject;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Laws that hold whatever happens. */
final class PlantTest {
  private final PlantScene simulated = new PlantScene(new Scene.Start(3, 0, 1));
  private final Plant plant = simulated.plant();

  // What flows in and not out must be in the tanks, even when they run over or dry.
  @ParameterizedTest
  @MethodSource
  void noWaterAppearsOrVanishes(Fault fault) {
    simulated.fault(fault, fault.targets().getFirst(), true);
    double before = plant.tank1.volume() + plant.tank2.volume();
    double net = 0;
    for (int i = 0; i < 1_200 / Plant.STEP; i++) {
      simulated.step(Plant.STEP, reading -> {});
      net +=
          (plant.pump1.flow()
                  - plant.leak()
                  - plant.out()
                  - plant.tank1.overflow()
                  - plant.tank2.overflow())
              * Plant.STEP;
      assertThat(plant.tank1.level()).isBetween(0.0, Plant.TANK_HEIGHT);
      assertThat(plant.tank2.level()).isBetween(0.0, Plant.TANK_HEIGHT);
    }
    assertThat(plant.tank1.volume() + plant.tank2.volume() - before).isCloseTo(net, within(1e-9));
  }

  private static Stream<Fault> noWaterAppearsOrVanishes() {
    return Stream.of(Fault.values()).filter(fault -> fault.befalls(Subject.PLANT));
  }

  @Test
  void aTankThatIsFullRunsOver() {
    Tank tank = new Tank(0.5, 2, 0, 1.99, 20);
    double over = 0;
    for (int i = 0; i < 100; i++) {
      tank.step(1, 0.001, 20, 0, 0, 20);
      over += tank.overflow();
    }
    assertThat(tank.level()).isEqualTo(2);
    assertThat(over).isCloseTo(0.1 - 0.005, within(1e-9));
  }

  // 50 kW into 500 kg of water: 0.0239 K/s.
  @Test
  void heatGoesIntoTheWater() {
    Tank tank = new Tank(0.5, 2, 0, 1, 20);
    for (int i = 0; i < 1_000; i++) {
      tank.step(0.1, 0, 0, 0, 50_000, 20);
    }
    double expected = 50_000 * 100 / (0.5 * Water.DENSITY * Water.HEAT_CAPACITY);
    assertThat(tank.temperature()).isCloseTo(20 + expected, within(1e-6));
  }

  @Test
  void mixedWaterHasTheMeanTemperature() {
    Tank tank = new Tank(1, 3, 0, 1, 20);
    for (int i = 0; i < 100_000; i++) {
      tank.step(0.01, 0.001, 80, 0, 0, 20);
    }
    assertThat(tank.volume()).isCloseTo(2, within(1e-6));
    assertThat(tank.temperature()).isCloseTo(50, within(0.01));
  }

  // The affinity laws: flow with N, head with N², hydraulic power with N³.
  @Test
  void aPumpWithoutStaticHeadObeysTheAffinityLaws() {
    double[] flow = new double[2];
    double[] head = new double[2];
    double[] efficiency = new double[2];
    for (int i = 0; i < 2; i++) {
      Pump pump =
          new Pump(
              new Pump.Curve(26, 2.4e5, 0.005, 4), i == 0 ? 1 : 0.6, 20, new SplittableRandom(1));
      flow[i] = pump.pump(0, 2e5, 1);
      head[i] = pump.head();
      efficiency[i] = pump.efficiency();
    }
    assertThat(flow[1] / flow[0]).isCloseTo(0.6, within(1e-9));
    assertThat(head[1] / head[0]).isCloseTo(0.36, within(1e-9));
    assertThat(efficiency[1]).isCloseTo(efficiency[0], within(1e-9));
  }

  @Test
  void aPumpNeverFlowsBackAndTakesPowerEvenThen() {
    Pump pump = new Pump(new Pump.Curve(26, 2.4e5, 0.005, 4), 0.5, 20, new SplittableRandom(1));
    assertThat(pump.pump(20, 2e5, 1)).isZero();
    assertThat(pump.electricWatt()).isGreaterThan(0);
    assertThat(pump.current()).isGreaterThan(1.6);
  }

  @Test
  void wherePumpAndSystemCurveMeetTheHeadsAreEqual() {
    Pump pump = new Pump(new Pump.Curve(26, 2.4e5, 0.005, 4), 0.9, 20, new SplittableRandom(1));
    double flow = pump.pump(8, 1.9e5, 1);
    assertThat(pump.head()).isCloseTo(8 + 1.9e5 * flow * flow, within(1e-9));
    assertThat(pump.electricWatt() * pump.efficiency())
        .as("hydraulic power is what is left after the losses of motor and bearing")
        .isBetween(
            Water.DENSITY * Water.GRAVITY * flow * pump.head(),
            Water.DENSITY * Water.GRAVITY * flow * pump.head() * 1.35);
  }

  // IEC 60534: at 1 bar an open valve lets its Kvs through.
  @Test
  void anOpenValveLetsItsKvThroughAtOneBar() {
    ControlValve valve = new ControlValve(36, 1);
    double flow = Math.sqrt(Water.headOfBar(1) / valve.resistance());
    assertThat(flow * 3600).isCloseTo(36, within(1e-9));
    valve.want(0.5);
    for (int i = 0; i < 600; i++) {
      valve.step(0.01);
    }
    double half = Math.sqrt(Water.headOfBar(1) / valve.resistance());
    assertThat(flow / half).as("equal percentage: √50 at half").isCloseTo(7.07, within(0.01));
  }

  @Test
  void waterBoilsWhereItShould() {
    assertThat(Water.vapourPressure(100)).isCloseTo(101_325, within(500.0));
    assertThat(Water.vapourPressure(20)).isCloseTo(2_339, within(30.0));
  }

  @Test
  void aControllerAtItsLimitDoesNotWindUp() {
    Controller controller = new Controller(1, 10, 0, 1, 5, 0.5);
    for (int i = 0; i < 1_000; i++) {
      assertThat(controller.step(1, 0)).isEqualTo(1);
    }
    controller.setSetPoint(0);
    assertThat(controller.step(1, 5)).isZero();
  }
}
