package io.sedge.task;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The sum of what several tasks have left out, by the reasons. One thread.
 *
 * <p>Of each reason the first sample is kept. All reasons that are added are told apart: which of
 * them are frequent is known at the end only. Who adds again and again bounds them with {@link
 * #keepMostFrequent}.
 */
public final class LeftOutSum {
  private final Map<LeftOut.Key, LeftOut> reasons = new LinkedHashMap<>();
  private long others;

  /** Adds what was left out for one reason. */
  public void add(LeftOut out) {
    reasons.merge(out.key(), out, (known, more) -> known.plus(more.count()));
  }

  /** Adds what was left out for reasons that are not told apart. */
  public void addOthers(long count) {
    others += count;
  }

  /** Adds all of another sum. */
  public void add(LeftOutSum sum) {
    sum.reasons.values().forEach(this::add);
    addOthers(sum.others);
  }

  /** Counts all but the most frequent reasons together from now on. */
  public void keepMostFrequent(int most) {
    reasons().stream()
        .skip(most)
        .forEach(
            out -> {
              reasons.remove(out.key());
              others += out.count();
            });
  }

  /** The reasons, the most frequent first. */
  public List<LeftOut> reasons() {
    return reasons.values().stream()
        .sorted(Comparator.comparingLong(LeftOut::count).reversed())
        .toList();
  }

  /** How many payloads and rows were left out for reasons that are not told apart. */
  public long others() {
    return others;
  }
}
