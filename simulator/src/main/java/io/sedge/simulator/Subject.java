package io.sedge.simulator;

import io.sedge.simulator.internal.BuildingScene;
import io.sedge.simulator.internal.CityScene;
import io.sedge.simulator.internal.FarmScene;
import io.sedge.simulator.internal.GridScene;
import io.sedge.simulator.internal.LineScene;
import io.sedge.simulator.internal.PlantScene;
import io.sedge.simulator.internal.Scene;
import io.sedge.simulator.internal.TrafficScene;
import io.sedge.simulator.internal.WardScene;
import java.util.Locale;

/** What can be simulated. docs/plant.md and docs/fields.md say what is modelled. */
public enum Subject {
  /** Pumps, valves and tanks. */
  PLANT,
  /** Two production lines with presses and mills. */
  LINE,
  /** Air, noise and car parks of three districts. */
  CITY,
  /** Two crossings with signals. */
  TRAFFIC,
  /** Patients at bedside monitors. */
  WARD,
  /** A transformer with houses, chargers and a solar roof behind it. */
  GRID,
  /** Two fields with drip irrigation, a tank and its pump. */
  FARM,
  /** Two floors of meeting rooms with ventilation. */
  BUILDING;

  /** The first level of its topics, and what people call it: {@code plant}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  Scene begin(Scene.Start start) {
    return switch (this) {
      case PLANT -> new PlantScene(start);
      case LINE -> new LineScene(start);
      case CITY -> new CityScene(start);
      case TRAFFIC -> new TrafficScene(start);
      case WARD -> new WardScene(start);
      case GRID -> new GridScene(start);
      case FARM -> new FarmScene(start);
      case BUILDING -> new BuildingScene(start);
    };
  }
}
