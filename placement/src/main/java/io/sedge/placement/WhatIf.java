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
 * @param makespanNow T with them, as planned, as far as it is measured
 * @param makespanAfter T without them, as far as it is measured
 * @param unmeasured shards that neither counts, since their load or the speed of such work is not
 *     measured yet; 0 where that makes no difference
 * @param after the plan without them
 */
public record WhatIf(
    Set<String> lost, double makespanNow, double makespanAfter, int unmeasured, Plan after) {

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
    String names = String.join(", ", new TreeSet<>(lost));
    int moved = after.moves().size();
    if (makespanAfter == 0 && unmeasured > 0) {
      text.append(
          "Without %s %d shards would move; how busy the devices would be is not measured yet."
              .formatted(names, moved));
    } else {
      text.append(
          String.format(
              Locale.ROOT,
              "Without %s the fullest device would be %.1f %% busy (now %.1f %%); %d shards would"
                  + " move.",
              names,
              100 * makespanAfter,
              100 * makespanNow,
              moved));
      if (unmeasured > 0) {
        text.append(
            "\n  %d shards are not counted in that: how much they take is not measured yet."
                .formatted(unmeasured));
      }
    }
    if (makespanAfter > 1) {
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
