package io.sedge.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LeftOutSumTest {
  private final LeftOutSum sum = new LeftOutSum();

  private static LeftOut out(String kind, String reason, long count) {
    return new LeftOut("pumps", LeftOut.What.PAYLOAD, kind, reason, "of " + reason, count);
  }

  /** Two tasks meet the same fault at different places of their payloads. */
  @Test
  void reasonsOfOneKindAreAddedAndTheFirstSampleIsKept() {
    sum.add(out("at #", "at 7", 2));
    sum.add(out("empty", "empty", 4));
    sum.add(out("at #", "at 31", 3));
    assertThat(sum.reasons()).containsExactly(out("at #", "at 7", 5), out("empty", "empty", 4));
  }

  @Test
  void anotherTableIsAnotherReason() {
    sum.add(out("empty", "empty", 1));
    sum.add(new LeftOut("valves", LeftOut.What.PAYLOAD, "empty", "empty", "", 1));
    sum.add(new LeftOut("pumps", LeftOut.What.UNWRITTEN, "empty", "empty", "", 1));
    assertThat(sum.reasons()).hasSize(3);
  }

  /** Nothing is lost in silence: what is not told apart is counted. */
  @Test
  void whatIsNotAmongTheMostFrequentIsCountedTogetherWheneverItCame() {
    for (int i = 0; i < 300; i++) {
      sum.add(out("kind " + i, "reason", 2));
    }
    sum.add(out("late", "late", 4));
    sum.add(out("kind 299", "reason", 1));
    sum.keepMostFrequent(2);
    assertThat(sum.reasons()).containsExactly(out("late", "late", 4), out("kind 299", "reason", 3));
    assertThat(sum.others()).isEqualTo(2 * 299);
    LeftOutSum all = new LeftOutSum();
    all.addOthers(1);
    all.add(sum);
    assertThat(all.reasons()).isEqualTo(sum.reasons());
    assertThat(all.others()).isEqualTo(1 + 2 * 299);
  }
}
