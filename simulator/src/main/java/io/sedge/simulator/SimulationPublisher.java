package io.sedge.simulator;

import io.sedge.simulator.internal.Audit;
import io.sedge.simulator.internal.Commands;
import io.sedge.simulator.internal.MqttLink;
import io.sedge.simulator.internal.Payloads;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs a simulation and publishes its readings over MQTT 5 at QoS 1, on {@code
 * SUBJECT/ZONE/MACHINE/QUANTITY} as {@code {"ts": 1767225600000, "value": 12.3, "seq": 1}}.
 *
 * <p>It obeys what is published on
 *
 * <ul>
 *   <li>{@code SUBJECT/ZONE/MACHINE/set/QUANTITY}: a set-point,
 *   <li>{@code SUBJECT/ZONE/MACHINE/rate/QUANTITY}: a sensor's sampling rate in hertz,
 *   <li>{@code sim/fault/NAME} or {@code sim/fault/NAME/TARGET}: a fault, on or off;
 * </ul>
 *
 * as a bare number, {@code on} or {@code off}, or as {@code {"value": …}}.
 *
 * <p>A broker that does not keep up slows the simulation down: so many readings at most are on
 * their way ({@link MqttLink#MAX_IN_FLIGHT}), and none is given up. While the broker is away it
 * tries again, and the simulation stands still.
 *
 * <p>{@link #run} belongs to one thread, once; {@link #stop} may be called from any.
 */
public final class SimulationPublisher {
  /** Commands take effect, and readings go out, at steps of so much simulated time at most. */
  private static final double CHUNK_SECONDS = 0.1;

  /** Real time between looks at the clock. */
  private static final long TICK_NANOS = 5_000_000;

  /** If the simulation is so far behind, it gives up catching up. */
  private static final double MAX_LAG_SECONDS = 2;

  private static final long DRAIN_SECONDS = 30;

  private final SimulationOptions options;
  private final InstantSource clock;
  private final Consumer<String> log;
  private volatile boolean stopped;

  /**
   * @param clock what the simulated clock starts from
   * @param log takes what people may want to know: connections, commands, faults; called from
   *     several threads
   */
  public SimulationPublisher(SimulationOptions options, InstantSource clock, Consumer<String> log) {
    this.options = options;
    this.clock = clock;
    this.log = log;
  }

  /** Makes {@link #run} come to its end soon. */
  public void stop() {
    stopped = true;
  }

  /**
   * Connects, runs until the duration is over or {@link #stop} is called, and waits for the last
   * acknowledgements.
   *
   * @throws IOException if the broker cannot be reached at the start, or the audit not be written
   */
  public SimulationReport run() throws IOException, InterruptedException {
    Simulation simulation =
        new Simulation(options.subject(), options.seed(), clock.instant(), options.rateHz());
    Commands commands = new Commands(simulation, log);
    Audit audit = new Audit();
    try (MqttLink link = MqttLink.connect(options, commands::arrived, log)) {
      Run run = new Run(simulation, commands, link, audit);
      run.loop();
      link.drain(DRAIN_SECONDS, TimeUnit.SECONDS);
      SimulationReport report =
          audit.report(commands.obeyed(), commands.refused(), simulation.seconds());
      if (options.audit().isPresent()) {
        Audit.write(report, options.audit().get());
      }
      return report;
    }
  }

  /** One run, on its thread. */
  private final class Run {
    private final Simulation simulation;
    private final Commands commands;
    private final MqttLink link;
    private final Audit audit;
    private final Queue<Switch> switches;
    private final double end;
    private long began = System.nanoTime();
    private @Nullable InterruptedException interrupted;

    Run(Simulation simulation, Commands commands, MqttLink link, Audit audit) {
      this.simulation = simulation;
      this.commands = commands;
      this.link = link;
      this.audit = audit;
      this.switches = new ArrayDeque<>(Switch.inOrder(options.faults()));
      this.end = options.duration().map(length -> length.toNanos() / 1e9).orElse(Double.MAX_VALUE);
    }

    void loop() throws InterruptedException {
      while (!stopped && simulation.seconds() < end - 1e-6) {
        commands.obey();
        throwSwitches();
        double now = (System.nanoTime() - began) / 1e9 * options.speed();
        double ahead = Math.min(Math.min(now, end) - simulation.seconds(), CHUNK_SECONDS);
        long before = System.nanoTime();
        simulation.step(Math.max(0, ahead), this::publish);
        if (interrupted != null) {
          throw interrupted;
        }
        rest(now, before);
      }
    }

    private void rest(double now, long before) throws InterruptedException {
      double lag = (now - simulation.seconds()) / options.speed();
      if (lag > MAX_LAG_SECONDS) {
        began += Math.round(lag * 1e9);
        log.accept(
            "the simulation is %.1f s behind, because this machine or the broker does not keep up; it"
                    .formatted(lag)
                + " goes on from here");
      } else if (lag * options.speed() < CHUNK_SECONDS) {
        LockSupport.parkNanos(this, TICK_NANOS - (System.nanoTime() - before));
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }

    private void publish(SensorReading reading) {
      if (interrupted != null) {
        return;
      }
      try {
        if (link.awaitRoom(() -> stopped)) {
          audit.sent(reading);
          link.publish(
              options.subject().text() + "/" + reading.sensor(),
              Payloads.of(reading),
              ok -> audit.done(reading, ok));
        }
      } catch (InterruptedException e) {
        interrupted = e;
      }
    }

    private void throwSwitches() {
      for (Switch next = switches.peek();
          next != null && next.seconds() <= simulation.seconds();
          next = switches.peek()) {
        switches.remove();
        commands.fault(next.fault().fault(), next.fault().target(), next.on());
      }
    }
  }

  /** A fault's beginning or end. */
  private record Switch(PlannedFault fault, boolean on, double seconds) {
    static List<Switch> inOrder(List<PlannedFault> faults) {
      List<Switch> all = new ArrayList<>();
      for (PlannedFault fault : faults) {
        all.add(new Switch(fault, true, fault.begin().toNanos() / 1e9));
        fault.end().ifPresent(end -> all.add(new Switch(fault, false, end.toNanos() / 1e9)));
      }
      all.sort(Comparator.comparingDouble(Switch::seconds));
      return all;
    }
  }
}
