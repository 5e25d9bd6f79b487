package io.sedge.placement;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Why a shard runs where it runs.
 *
 * @param shard which
 * @param device where; null if nowhere
 * @param load its readings per second
 * @param speed of that device for it, readings per second; 0 if nowhere
 * @param busyWithIt how busy that device is with all its shards; 0 if nowhere
 * @param makespan T of the site
 * @param refusals why not each of the other devices, in the order of their names
 */
public record Explanation(
    ShardId shard,
    @Nullable String device,
    double load,
    double speed,
    double busyWithIt,
    double makespan,
    List<Refusal> refusals) {

  /** Copies the list. */
  public Explanation {
    refusals = List.copyOf(refusals);
  }

  /** A few lines for people: the device with its figures, then a line for each other device. */
  public String text() {
    StringBuilder text = new StringBuilder();
    if (device == null) {
      text.append(
          String.format(Locale.ROOT, "Shard %s (%.0f readings/s) runs nowhere.", shard, load));
    } else {
      text.append(
          String.format(
              Locale.ROOT,
              "Shard %s (%.0f readings/s) runs on %s, which does %.0f readings/s of it and is %.1f"
                  + " %% busy; the fullest device is %.1f %% busy.",
              shard,
              load,
              device,
              speed,
              100 * busyWithIt,
              100 * makespan));
    }
    for (Refusal refusal : refusals) {
      text.append("\n  not ").append(refusal.device()).append(": ").append(refusal.text());
    }
    return text.toString();
  }
}
