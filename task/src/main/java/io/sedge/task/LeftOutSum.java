package io.sedge.task;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The sum of what several tasks have left out, by the reasons. One thread.
 *
 * <p>Of each reason the first sample is kept. Of more than {@link #MAX_REASONS} different reasons
 * the others are counted together.
 */
public final class LeftOutSum {
  /** How many reasons are told apart. */
  public static final int MAX_REASONS = 200;

  private final Map<LeftOut.Key, LeftOut> reasons = new LinkedHashMap<>();
  private long others;

  /** Adds what was left out for one reason. */
  public void add(LeftOut out) {
    LeftOut known = reasons.get(out.key());
    if (known != null) {
      reasons.put(out.key(), known.plus(out.count()));
    } else if (reasons.size() < MAX_REASONS) {
      reasons.put(out.key(), out);
    } else {
      others += out.count();
    }
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
