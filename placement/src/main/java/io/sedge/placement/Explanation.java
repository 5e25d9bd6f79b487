package io.sedge.placement;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Why a shard runs where it runs.
 *
 * @param shard which
 * @param device where; null if nowhere
 * @param load its readings per second; empty while nothing is measured of it
 * @param speed of that device for it, readings per second; empty if nowhere, and while no device's
 *     speed for such work is measured
 * @param busyWithIt how busy that device is with all its shards that are measured; 0 if nowhere
 * @param makespan T of the site, as far as it is measured
 * @param refusals why not each of the other devices, in the order of their names
 */
public record Explanation(
    ShardId shard,
    @Nullable String device,
    OptionalDouble load,
    OptionalDouble speed,
    double busyWithIt,
    double makespan,
    List<Refusal> refusals) {

  /** Copies the list. */
  public Explanation {
    refusals = List.copyOf(refusals);
  }

  /** A few lines for people: the device with its figures, then a line for each other device. */
  public String text() {
    StringBuilder text = new StringBuilder("Shard ").append(shard);
    if (load.isPresent()) {
      text.append(String.format(Locale.ROOT, " (%.0f readings/s)", load.getAsDouble()));
    }
    text.append(device == null ? " runs nowhere" : " runs on " + device);
    if (load.isEmpty()) {
      text.append("; nothing is measured of it yet.");
    } else if (device == null) {
      text.append('.');
    } else if (speed.isEmpty()) {
      text.append("; how fast that is with it is not measured yet.");
    } else {
      text.append(
          String.format(
              Locale.ROOT,
              ", which does %.0f readings/s of it and is %.1f %% busy; the fullest device is %.1f"
                  + " %% busy.",
              speed.getAsDouble(),
              100 * busyWithIt,
              100 * makespan));
    }
    for (Refusal refusal : refusals) {
      text.append("\n  not ").append(refusal.device()).append(": ").append(refusal.text());
    }
    return text.toString();
  }
}
