package io.sedge.site.api;

import static java.util.Objects.requireNonNull;

import io.sedge.task.LeftOut;
import io.sedge.task.LeftOutSum;
import java.util.List;

/**
 * What the tasks of a job have left out on a device, or on several, as far as an answer has room.
 *
 * @param reasons the most frequent first, {@link #MAX_REASONS} at most
 * @param others how many payloads and rows were left out for further reasons
 */
public record LeftOutPage(List<LeftOut> reasons, long others) {
  public static final LeftOutPage NOTHING = new LeftOutPage(List.of(), 0);

  public static final int MAX_REASONS = 100;

  /** Of all texts, with {@link #REASON_CHARACTERS} more for each reason. */
  public static final int MAX_CHARACTERS = 32 << 10;

  /** What a reason takes beside its texts. */
  public static final int REASON_CHARACTERS = 100;

  public LeftOutPage {
    reasons = List.copyOf(requireNonNull(reasons, "no reasons"));
    if (reasons.size() > MAX_REASONS) {
      throw new IllegalArgumentException(
          "%,d reasons, allowed are %,d".formatted(reasons.size(), MAX_REASONS));
    }
  }

  /** The most frequent reasons of a sum; the others are counted. */
  public static LeftOutPage of(LeftOutSum sum) {
    List<LeftOut> all = sum.reasons();
    int left = MAX_CHARACTERS;
    int shown = 0;
    while (shown < Math.min(all.size(), MAX_REASONS) && left >= length(all.get(shown))) {
      left -= length(all.get(shown));
      shown++;
    }
    long others = all.stream().skip(shown).mapToLong(LeftOut::count).sum();
    return new LeftOutPage(all.subList(0, shown), sum.others() + others);
  }

  private static int length(LeftOut out) {
    return REASON_CHARACTERS
        + out.table().length()
        + out.kind().length()
        + out.reason().length()
        + out.sample().length();
  }
}
