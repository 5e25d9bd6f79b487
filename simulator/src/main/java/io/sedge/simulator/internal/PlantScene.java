package io.sedge.simulator.internal;

import io.sedge.simulator.Fault;
import java.util.SplittableRandom;

/** The water plant of docs/plant.md. */
public final class PlantScene extends Scene {
  /** So long it runs before its beginning, until bearings and tanks are at their temperatures. */
  private static final double WARM_UP_SECONDS = 1_800;

  private final Plant plant;
  private final Sensor level1;
  private final Sensor level2;
  private final Sensor temperature1;

  public PlantScene(Start start) {
    super(start, Plant.STEP);
    plant = new Plant(new SplittableRandom(start.seed()));
    PlantSensors.add(plant, this);
    SetPoint.of(plant).forEach(this::add);
    level1 = sensor("process/tank-1/level");
    level2 = sensor("storage/tank-2/level");
    temperature1 = sensor("process/tank-1/temperature");
    for (int i = 0; i < Math.round(WARM_UP_SECONDS / Plant.STEP); i++) {
      advance();
    }
  }

  /** For tests: the plant itself. */
  Plant plant() {
    return plant;
  }

  /** Controllers get what the transmitters say, without the noise of single readings. */
  @Override
  void advance() {
    plant.step(
        new Plant.Measured(level1.transmitted(), level2.transmitted(), temperature1.transmitted()));
  }

  @Override
  void apply(Fault fault, String target, boolean on) {
    switch (fault) {
      case BEARING_WEAR ->
          (target.equals("intake/pump-1") ? plant.pump1 : plant.pump2).setWearing(on);
      case CAVITATION -> plant.setStrainerBlocked(on);
      case BLOCKED_FILTER -> plant.setFilterBlocking(on);
      case STUCK_VALVE ->
          (target.equals("process/valve-1") ? plant.valve1 : plant.valve2).setStuck(on);
      case LEAK -> plant.setLeaking(on);
      default -> throw new IllegalArgumentException(fault + " does not befall the plant");
    }
  }
}
