package io.sedge.placement.internal;

import io.sedge.placement.Device;
import io.sedge.placement.Health;
import io.sedge.placement.Policy;
import io.sedge.placement.Refusal;
import io.sedge.placement.Refusal.Reason;
import io.sedge.placement.Shard;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Says why a device does not run a shard: filters first, cheapest first, then what T would be. */
final class Refusals {
  private final Assignment assignment;
  private final Instance instance;
  private final Policy policy;

  /** Guesses are not told. */
  private final boolean allMeasured;

  private final Measured measured;

  Refusals(Assignment assignment, Policy policy) {
    this.assignment = assignment;
    instance = assignment.instance;
    this.policy = policy;
    measured = new Measured(assignment);
    allMeasured = measured.isAll();
  }

  /** For each device but the one that the shard is on. */
  List<Refusal> of(int shard) {
    List<Refusal> refusals = new ArrayList<>();
    for (int d = 0; d < instance.devices.size(); d++) {
      if (d != assignment.at(shard)) {
        refusals.add(of(shard, d));
      }
    }
    return refusals;
  }

  private Refusal of(int shard, int d) {
    Device device = instance.devices.get(d);
    Shard wanted = instance.shards.get(shard);
    if (device.health() == Health.GONE) {
      return refusal(device, Reason.GONE, "is gone");
    }
    if (device.health() == Health.DRAINING) {
      return refusal(device, Reason.DRAINING, "is being drained");
    }
    if (!device.labels().entrySet().containsAll(wanted.requiredLabels().entrySet())) {
      return refusal(device, Reason.LABEL, label(device, wanted));
    }
    String unfit = wanted.unfit().get(device.name());
    if (unfit != null) {
      return refusal(device, Reason.UNFIT, "cannot run it: " + unfit);
    }
    if (!(instance.speed(shard, d) > 0)) {
      return refusal(device, Reason.NO_SPEED, "has no speed for " + wanted.algorithm());
    }
    if (wanted.memoryBytes() > device.memoryBytes()) {
      return refusal(
          device,
          Reason.MEMORY_TOO_SMALL,
          "has "
              + megabytes(device.memoryBytes())
              + " of memory, the shard needs "
              + megabytes(wanted.memoryBytes()));
    }
    if (!instance.mayTake(shard, d)) {
      return refusal(device, Reason.SUSPECT, "does not answer in time and gets no further shard");
    }
    if (!assignment.fits(shard, d)) {
      return refusal(
          device,
          Reason.MEMORY_FULL,
          "has "
              + megabytes(assignment.free(d))
              + " of "
              + megabytes(device.memoryBytes())
              + " of memory free, the shard needs "
              + megabytes(wanted.memoryBytes()));
    }
    return byMakespan(shard, d);
  }

  /** For a shard that is placed, on a device that could take it. */
  private Refusal byMakespan(int shard, int d) {
    Device device = instance.devices.get(d);
    int at = assignment.at(shard);
    double now = assignment.makespan();
    double there = assignment.level(d) + instance.time(shard, d);
    double then = there;
    for (int other = 0; other < instance.devices.size(); other++) {
      double level = assignment.level(other);
      if (other != d) {
        then = Math.max(then, other == at ? level - instance.time(shard, at) : level);
      }
    }
    String busy =
        String.format(
            Locale.ROOT,
            "does %.0f readings/s of it and would be %s busy with it",
            instance.speed(shard, d),
            percent(there));
    boolean told = allMeasured && measured.knowsSpeed(shard);
    if (!told) {
      busy = "could run it; how busy it would be is not measured yet";
    }
    double gain = now - then;
    if (gain < -1e-9 * now) {
      return refusal(
          device,
          Reason.MAKESPAN_RISES,
          told ? busy + ", more than the fullest device now (" + percent(now) + ")" : busy);
    }
    if (gain <= 1e-9 * now) {
      String fullest =
          assignment.level(at) < now * (1 - 1e-9) ? ", as another device is the fullest" : "";
      return refusal(
          device,
          Reason.NO_GAIN,
          told ? busy + "; the fullest stays " + percent(now) + " busy" + fullest : busy);
    }
    return refusal(
        device, Reason.NOT_WORTH_A_MOVE, told ? busy + "; " + notWorth(shard, now, then) : busy);
  }

  private String notWorth(int shard, double now, double then) {
    return String.format(
        Locale.ROOT,
        "the fullest would be %s instead of %s busy, which is not worth a move of %.2f s (shards"
            + " move where %.0f %% can be saved, from %.0f %% above the bound, if a device is over"
            + " %.0f %% busy)",
        percent(then),
        percent(now),
        instance.price[shard],
        100 * policy.leastGain(),
        100 * policy.trigger(),
        100 * policy.calm());
  }

  private static String label(Device device, Shard shard) {
    Map<String, String> missing = new TreeMap<>(shard.requiredLabels());
    missing
        .entrySet()
        .removeIf(label -> label.getValue().equals(device.labels().get(label.getKey())));
    List<String> texts = new ArrayList<>();
    missing.forEach(
        (name, value) -> {
          String has = device.labels().get(name);
          texts.add(name + "=" + value + (has == null ? "" : " (it has " + name + "=" + has + ")"));
        });
    return "lacks " + String.join(", ", texts);
  }

  static String megabytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
  }

  private static String percent(double busy) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * busy);
  }

  private static Refusal refusal(Device device, Reason reason, String text) {
    return new Refusal(device.name(), reason, text);
  }
}
