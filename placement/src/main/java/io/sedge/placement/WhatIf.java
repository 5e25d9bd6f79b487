package io.sedge.placement;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What would happen if devices were lost.
 *
 * @param lost their names
 * @param makespanNow T with them, as planned
 * @param after the plan without them
 */
public record WhatIf(Set<String> lost, double makespanNow, Plan after) {

  /** Copies the set. */
  public WhatIf {
    lost = Set.copyOf(lost);
  }

  /** Moves that the loss would bring about, in the order of the shards' names. */
  public List<Move> moves() {
    return after.moves();
  }

  /** A few lines for people. */
  public String text() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "Without %s the fullest device would be %.1f %% busy (now %.1f %%); %d shards would"
                + " move.",
            String.join(", ", new TreeSet<>(lost)),
            100 * after.makespan(),
            100 * makespanNow,
            after.moves().size()));
    if (after.makespan() > 1) {
      text.append("\n  The site would fall behind: it has too little speed for its load.");
    }
    TreeMap<String, Integer> taken = new TreeMap<>();
    after.moves().forEach(move -> taken.merge(move.to(), 1, Integer::sum));
    taken.forEach(
        (device, count) -> text.append("\n  ").append(device).append(" takes ").append(count));
    after.unplaced().forEach(unplaced -> text.append("\n  ").append(unplaced.text()));
    return text.toString();
  }
}
