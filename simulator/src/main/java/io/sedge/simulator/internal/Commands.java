package io.sedge.simulator.internal;

import io.sedge.simulator.CommandOutcome;
import io.sedge.simulator.Fault;
import io.sedge.simulator.Simulation;
import io.sedge.simulator.Subject;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Commands on their way from the network to the simulation. {@link #arrived} may be called from any
 * thread; the rest belongs to the simulation's.
 */
public final class Commands {
  private static final int MAX_WAITING = 1024;
  private static final int MAX_SHOWN = 100;
  private static final String FAULT = "sim/fault/";

  private final Simulation simulation;
  private final Consumer<String> log;
  private final BlockingQueue<Command> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
  private final AtomicLong refused = new AtomicLong();
  private long obeyed;

  private record Command(String topic, OptionalDouble number, String shown) {}

  public Commands(Simulation simulation, Consumer<String> log) {
    this.simulation = simulation;
    this.log = log;
  }

  /** What to subscribe to. */
  static List<String> topicFilters(Subject subject) {
    return List.of(subject.text() + "/+/+/set/+", subject.text() + "/+/+/rate/+", FAULT + "#");
  }

  public void arrived(String topic, byte[] payload) {
    if (!waiting.offer(new Command(topic, Payloads.number(payload), shown(payload)))) {
      refuse("%s: %d commands wait already".formatted(topic, MAX_WAITING));
    }
  }

  /** Obeys what has arrived. */
  public void obey() {
    for (Command command = waiting.poll(); command != null; command = waiting.poll()) {
      if (command.number().isEmpty()) {
        refuse(
            "%s: '%s' is not a number, on or off, or {\"value\": …}"
                .formatted(command.topic(), command.shown()));
      } else {
        obey(command.topic(), command.number().getAsDouble());
      }
    }
  }

  private static String shown(byte[] payload) {
    return new String(
        Arrays.copyOf(payload, Math.min(payload.length, MAX_SHOWN)), StandardCharsets.UTF_8);
  }

  private void obey(String topic, double number) {
    if (topic.startsWith(FAULT)) {
      String[] nameAndTarget = topic.substring(FAULT.length()).split("/", 2);
      Optional<Fault> fault = Fault.named(nameAndTarget[0]);
      if (fault.isEmpty()) {
        refuse(
            "'%s' is not one of %s".formatted(nameAndTarget[0], Fault.list(simulation.subject())));
      } else {
        fault(fault.get(), Arrays.stream(nameAndTarget).skip(1).findFirst(), number != 0);
      }
      return;
    }
    // SUBJECT/ZONE/MACHINE/set|rate/QUANTITY
    String[] parts = topic.split("/", -1);
    String name = parts[1] + "/" + parts[2] + "/" + parts[4];
    tell(
        parts[3].equals("rate")
            ? simulation.samplingRate(name, number)
            : simulation.setPoint(name, number));
  }

  /** Switches a fault; without a target it is the fault's first. */
  public void fault(Fault fault, Optional<String> target, boolean on) {
    tell(simulation.fault(fault, target, on));
  }

  private void tell(CommandOutcome outcome) {
    switch (outcome) {
      case CommandOutcome.Obeyed done -> {
        obeyed++;
        log.accept(
            "%s: %s -> %s%s"
                .formatted(
                    done.what(), done.from(), done.to(), done.limited() ? " (the limit)" : ""));
      }
      case CommandOutcome.Refused not -> refuse(not.why());
    }
  }

  private void refuse(String why) {
    refused.incrementAndGet();
    log.accept("refused: " + why);
  }

  public long obeyed() {
    return obeyed;
  }

  public long refused() {
    return refused.get();
  }
}
