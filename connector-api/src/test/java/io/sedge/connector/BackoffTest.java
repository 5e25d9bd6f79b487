package io.sedge.connector;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class BackoffTest {
  private static final Duration LEAST = Duration.ofMillis(500);
  private static final Duration MOST = Duration.ofSeconds(30);

  @Test
  void delaysDoubleUpToTheLongest() {
    Backoff backoff = Backoff.steady(LEAST, MOST);
    assertThat(backoff.delay(1)).isEqualTo(LEAST);
    assertThat(backoff.delay(2)).isEqualTo(Duration.ofSeconds(1));
    assertThat(backoff.delay(7)).isEqualTo(MOST);
    assertThat(backoff.delay(Integer.MAX_VALUE)).isEqualTo(MOST);
  }

  /** Clients that lost the same server must not all come back at once. */
  @Test
  void aRandomPartOfUpToAHalfIsTakenOff() {
    Backoff backoff = new Backoff(LEAST, MOST, new Random(1));
    for (int failures = 1; failures < 20; failures++) {
      Duration whole = Backoff.steady(LEAST, MOST).delay(failures);
      assertThat(backoff.delay(failures)).isBetween(whole.dividedBy(2), whole);
    }
  }
}
