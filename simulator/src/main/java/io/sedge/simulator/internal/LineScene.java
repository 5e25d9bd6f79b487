package io.sedge.simulator.internal;

import io.sedge.simulator.Fault;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * Two production lines, each with a press and a mill. A machine makes a part every two seconds at a
 * feed of 100 %, stops by itself now and then, and makes some scrap: more of it the more its tool
 * is worn, which a lower feed makes good in part.
 */
public final class LineScene extends Scene {
  static final double STEP = 0.1;

  /** Seconds for a part at full feed. */
  private static final double CYCLE = 2;

  private static final double SECONDS_BETWEEN_STOPS = 90;
  private static final double SECONDS_OF_A_STOP = 8;
  private static final double SCRAP = 0.015;
  private static final double SCRAP_OF_A_WORN_TOOL = 0.25;
  private static final double WEAR_SECONDS = 120;

  private final SplittableRandom random;
  private final Map<String, Machine> machines = new LinkedHashMap<>();

  public LineScene(Start start) {
    super(start, STEP);
    random = new SplittableRandom(start.seed());
    for (String line : new String[] {"line-1", "line-2"}) {
      for (String kind : new String[] {"press", "mill"}) {
        addMachine(line + "/" + kind);
      }
    }
  }

  private void addMachine(String name) {
    Machine machine = new Machine();
    machines.put(name, machine);
    add(name + "/running", new Sensor.Kind("1", 0, 1), () -> machine.runs() ? 1 : 0);
    add(name + "/parts", new Sensor.Kind("1", 0, 1), () -> machine.parts);
    add(name + "/scrap", new Sensor.Kind("1", 0, 1), () -> machine.scrap);
    add(name + "/power", new Sensor.Kind("kW", 0.05, 0.01), machine::power);
    add(name + "/vibration", new Sensor.Kind("mm/s", 0.05, 0.01), machine::vibration);
    add(name + "/feed", new Sensor.Kind("%", 0, 1), () -> machine.feed);
    add(name + "/feed", new SetPoint(50, 110, () -> machine.feed, feed -> machine.feed = feed));
  }

  @Override
  void advance() {
    machines.values().forEach(Machine::step);
  }

  @Override
  void apply(Fault fault, String target, boolean on) {
    Machine machine = Objects.requireNonNull(machines.get(target));
    switch (fault) {
      case JAM -> machine.jammed = on;
      case TOOL_WEAR -> machine.wear.set(on);
      default -> throw new IllegalArgumentException(fault + " does not befall a line");
    }
  }

  /** One machine with its tool. */
  private final class Machine {
    private final Worsening wear = new Worsening(WEAR_SECONDS);
    private boolean jammed;
    private boolean stopped;

    /** Percent of full speed. */
    private double feed = 100;

    /** How much of the next part is done. */
    private double done;

    private long parts;
    private long scrap;

    boolean runs() {
      return !jammed && !stopped;
    }

    double power() {
      return runs() ? 4 + 3 * feed / 100 + wear.part() : 0.8;
    }

    double vibration() {
      return runs() ? 1.2 + 4 * wear.part() * feed / 100 : 0.1;
    }

    void step() {
      wear.step(STEP);
      stopped =
          stopped
              ? random.nextDouble() >= STEP / SECONDS_OF_A_STOP
              : random.nextDouble() < STEP / SECONDS_BETWEEN_STOPS;
      if (!runs()) {
        return;
      }
      done += STEP / CYCLE * feed / 100;
      if (done >= 1) {
        done -= 1;
        parts++;
        double bad = SCRAP + SCRAP_OF_A_WORN_TOOL * wear.part() * Math.pow(feed / 100, 3);
        scrap += random.nextDouble() < bad ? 1 : 0;
      }
    }
  }
}
