package io.sedge.site.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.task.LeftOut;
import io.sedge.task.LeftOutSum;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SiteLeftOutTest {
  private static LeftOut out(String kind, String sample, long count) {
    return new LeftOut("pumps", LeftOut.What.PAYLOAD, kind, kind, sample, count);
  }

  @Test
  void theSameReasonOnSeveralDevicesIsOneAndTheMostFrequentComesFirst() {
    SiteLeftOut all =
        SiteLeftOut.of(
            new TreeMap<>(
                Map.of(
                    "b", new LeftOutPage(List.of(out("empty", "of b", 5), out("cut", "", 6)), 2),
                    "a", new LeftOutPage(List.of(out("empty", "of a", 3)), 1))),
            Map.of("c", "it is down"));
    assertThat(all)
        .isEqualTo(
            new SiteLeftOut(
                List.of(
                    new SiteLeftOut.Reason(out("empty", "of a", 8), List.of("a", "b")),
                    new SiteLeftOut.Reason(out("cut", "", 6), List.of("b"))),
                3,
                new TreeMap<>(Map.of("c", "it is down"))));
  }

  private static LeftOutPage page(String kind) {
    LeftOutSum sum = new LeftOutSum();
    for (int i = 0; i < LeftOutPage.MAX_REASONS; i++) {
      sum.add(out(kind + " " + i, "", 1));
    }
    return LeftOutPage.of(sum);
  }

  /** What most devices have a little of does not hide what one has a million of. */
  @Test
  void theMostFrequentComesFirstWhicheverDeviceHasMetIt() {
    LeftOutPage last = new LeftOutPage(List.of(out("flood", "", 1_000_000)), 0);
    SiteLeftOut all =
        SiteLeftOut.of(
            new TreeMap<>(Map.of("a", page("a"), "b", page("b"), "c", page("c"), "d", last)),
            Map.of());
    assertThat(all.reasons())
        .hasSize(LeftOutPage.MAX_REASONS)
        .startsWith(new SiteLeftOut.Reason(out("flood", "", 1_000_000), List.of("d")));
    assertThat(all.others()).isEqualTo(2 * LeftOutPage.MAX_REASONS + 1);
  }

  /** An answer has to come in time over a slow link: what has no room is counted. */
  @Test
  void anAnswerIsBoundedInReasonsAndInCharacters() {
    LeftOutSum many = new LeftOutSum();
    LeftOutSum large = new LeftOutSum();
    for (int i = 0; i < LeftOutPage.MAX_REASONS + 10; i++) {
      many.add(out("kind " + i, "", 1));
      large.add(out("kind " + i, "x".repeat(400), 1));
    }
    LeftOutPage page = LeftOutPage.of(many);
    assertThat(page.reasons()).hasSize(LeftOutPage.MAX_REASONS);
    assertThat(page.others()).isEqualTo(10);
    LeftOutPage cut = LeftOutPage.of(large);
    assertThat(cut.toString().length()).isLessThan(LeftOutPage.MAX_CHARACTERS);
    assertThat(cut.reasons().size() + cut.others()).isEqualTo(LeftOutPage.MAX_REASONS + 10);
  }
}
