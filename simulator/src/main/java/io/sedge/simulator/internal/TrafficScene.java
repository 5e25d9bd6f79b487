package io.sedge.simulator.internal;

import io.sedge.simulator.Fault;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * Two crossings of a main and a side road. Signals have a cycle of 60 s: the main road is green for
 * as long as its set-point says, the side road for the rest but 4 s, in which nobody is. Cars come
 * by chance, and leave the line at one each two seconds (1,800 an hour, the usual saturation flow
 * of a lane).
 */
public final class TrafficScene extends Scene {
  static final double STEP = 0.1;

  private static final double CYCLE = 60;

  /** Seconds of a cycle in which nobody is green: half of it after each green. */
  private static final double LOST = 4;

  private static final double CARS_A_SECOND = 0.5;
  private static final double RUSH = 2;

  private final SplittableRandom random;
  private final Map<String, Crossing> crossings = new LinkedHashMap<>();
  private double time;

  public TrafficScene(Start start) {
    super(start, STEP);
    random = new SplittableRandom(start.seed());
    addCrossing("crossing-1");
    addCrossing("crossing-2");
  }

  private void addCrossing(String name) {
    Crossing crossing = new Crossing();
    crossings.put(name, crossing);
    addApproach(name + "/main", crossing.main);
    addApproach(name + "/side", crossing.side);
    add(name + "/main/green", new Sensor.Kind("s", 0, 1), () -> crossing.green);
    add(
        name + "/main/green",
        new SetPoint(10, 46, () -> crossing.green, seconds -> crossing.green = seconds));
  }

  private void addApproach(String name, Approach approach) {
    add(name + "/arrived", new Sensor.Kind("1", 0, 1), () -> approach.arrived);
    add(name + "/queue", new Sensor.Kind("1", 0, 1), () -> approach.queue);
  }

  @Override
  void advance() {
    time += STEP;
    double phase = time % CYCLE;
    crossings.values().forEach(crossing -> crossing.step(phase));
  }

  @Override
  void apply(Fault fault, String target, boolean on) {
    if (fault != Fault.RUSH) {
      throw new IllegalArgumentException(fault + " does not befall crossings");
    }
    String crossing = target.substring(0, target.indexOf('/'));
    Objects.requireNonNull(crossings.get(crossing)).side.rush = on;
  }

  /** Two roads that share the time. */
  private final class Crossing {
    private final Approach main = new Approach(0.24);
    private final Approach side = new Approach(0.09);

    /** Of the main road, seconds. */
    private double green = 40;

    void step(double phase) {
      main.step(phase < green);
      side.step(phase >= green + LOST / 2 && phase < CYCLE - LOST / 2);
    }
  }

  /** One road with its queue. */
  private final class Approach {
    private final double usual;
    private boolean rush;
    private long arrived;
    private double queue;

    /**
     * @param usual cars a second
     */
    Approach(double usual) {
      this.usual = usual;
    }

    void step(boolean green) {
      if (random.nextDouble() < usual * (rush ? RUSH : 1) * STEP) {
        arrived++;
        queue++;
      }
      queue = green ? Math.max(0, queue - CARS_A_SECOND * STEP) : queue;
    }
  }
}
