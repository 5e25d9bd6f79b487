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
  void moreReasonsThanAreToldApartAreCountedTogether() {
    for (int i = 0; i < LeftOutSum.MAX_REASONS + 10; i++) {
      sum.add(out("kind " + i, "reason", 2));
    }
    sum.add(out("kind 0", "reason", 1));
    assertThat(sum.reasons()).hasSize(LeftOutSum.MAX_REASONS).first().matches(o -> o.count() == 3);
    assertThat(sum.others()).isEqualTo(20);
    LeftOutSum all = new LeftOutSum();
    all.addOthers(1);
    all.add(sum);
    assertThat(all.reasons()).isEqualTo(sum.reasons());
    assertThat(all.others()).isEqualTo(21);
  }
}
