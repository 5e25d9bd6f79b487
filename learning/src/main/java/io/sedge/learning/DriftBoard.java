package io.sedge.learning;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the last window of each model of a job has shown, for those who look: as long as the job is
 * compiled, on the device that ends its windows. Any thread.
 *
 * <p>Bound: the models of a script, with their columns.
 */
public final class DriftBoard {
  private final Map<String, List<Drift>> latest = new ConcurrentHashMap<>();

  /**
   * Puts up what a window has shown, in the place of what was shown before: also if its event time
   * is earlier, as where history is read again or a clock was wrong.
   */
  void show(String model, List<Drift> drifts) {
    latest.put(model, List.copyOf(drifts));
  }

  /** What is there, by the names of models. */
  public List<Drift> latest() {
    return latest.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .flatMap(entry -> entry.getValue().stream())
        .toList();
  }
}
