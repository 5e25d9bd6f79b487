package io.sedge.site.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetriesTest {
  private final Retries<String> retries = new Retries<>();
  private long now;

  /** The delays in seconds of so many failures, each at the time of the next attempt. */
  private List<Long> delays(int times, boolean unfit) {
    List<Long> delays = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      long delay = retries.failed("task", now, "no key", unfit).toNanos();
      now += delay - 1;
      assertThat(retries.isDue("task", now)).isFalse();
      assertThat(retries.unfit(now).isEmpty()).isEqualTo(!unfit);
      now++;
      assertThat(retries.isDue("task", now)).isTrue();
      assertThat(retries.unfit(now)).isEmpty();
      delays.add(delay / 1_000_000_000);
    }
    return delays;
  }

  @Test
  void whatFailsIsTriedAgainEveryHalfMinuteInTheEnd() {
    assertThat(delays(8, false)).containsExactly(1L, 2L, 4L, 8L, 16L, 30L, 30L, 30L);
  }

  /** Each attempt takes the task from a device that can do it. */
  @Test
  void whatTheDeviceIsUnfitForIsTriedAgainEveryTenMinutesInTheEnd() {
    assertThat(delays(12, true))
        .containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 64L, 128L, 256L, 512L, 600L, 600L);
    assertThat(delays(1, false)).as("another failure").containsExactly(30L);
  }
}
