package io.sedge.simulator;

import io.sedge.simulator.internal.CityScene;
import io.sedge.simulator.internal.GridScene;
import io.sedge.simulator.internal.LineScene;
import io.sedge.simulator.internal.PlantScene;
import io.sedge.simulator.internal.Scene;
import io.sedge.simulator.internal.TrafficScene;
import io.sedge.simulator.internal.WardScene;
import java.util.Locale;
import java.util.function.Function;

/** What can be simulated. docs/plant.md and docs/fields.md say what is modelled. */
public enum Subject {
  /** Pumps, valves and tanks. */
  PLANT(PlantScene::new),
  /** Two production lines with presses and mills. */
  LINE(LineScene::new),
  /** Air, noise and car parks of three districts. */
  CITY(CityScene::new),
  /** Two crossings with signals. */
  TRAFFIC(TrafficScene::new),
  /** Patients at bedside monitors. */
  WARD(WardScene::new),
  /** A transformer with houses, chargers and a solar roof behind it. */
  GRID(GridScene::new);

  private final Function<Scene.Start, Scene> begin;

  Subject(Function<Scene.Start, Scene> begin) {
    this.begin = begin;
  }

  /** The first level of its topics, and what people call it: {@code plant}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  Scene begin(Scene.Start start) {
    return begin.apply(start);
  }
}
