package io.sedge.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.Backoff;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

final class OutageTest {
  private static final long HOUR = Duration.ofHours(1).toMillis();

  /** Takes nothing off the delays. */
  private static final RandomGenerator NONE = () -> 0;

  private final Outage outage =
      new Outage(new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30), NONE));
  private long now;
  private int said;

  private Duration fail(boolean lost) {
    Outage.Step step = outage.failed(lost, now);
    said += step.said() ? 1 : 0;
    now += step.delay().toMillis();
    return step.delay();
  }

  @Test
  void attemptsBecomeRarerUpToTheLongestDelay() {
    assertThat(fail(false)).isEqualTo(Duration.ofMillis(500));
    assertThat(fail(false)).isEqualTo(Duration.ofSeconds(1));
    assertThat(fail(false)).isEqualTo(Duration.ofSeconds(2));
    for (int i = 0; i < 100; i++) {
      assertThat(fail(false)).isLessThanOrEqualTo(Duration.ofSeconds(30));
    }
    assertThat(fail(false)).isEqualTo(Duration.ofSeconds(30));
  }

  /** A weekend without a broker must not fill the disk of a gateway. */
  @Test
  void aLongOutageIsSaidFewTimes() {
    while (now < 60 * HOUR) {
      fail(false);
    }
    assertThat(said).isBetween(60, 80);
  }

  /** A broker that takes connections and drops them: a wrong ACL, a second client of this name. */
  @Test
  void aBrokerThatDropsEveryConnectionAtOnceIsTriedEverMoreRarelyAndSaidFewTimes() {
    int reports = 0;
    int attempts = 0;
    while (now < 60 * HOUR) {
      reports += outage.connected(now).isPresent() ? 1 : 0;
      now += 20;
      fail(true);
      attempts++;
    }
    assertThat(attempts).isLessThan(60 * 120 + 10);
    assertThat(said).isBetween(60, 80);
    assertThat(reports).isBetween(said - 1, said);
  }

  @Test
  void aConnectionThatHeldIsTakenUpAgainAtOnceAndItsLossIsSaid() {
    for (int i = 0; i < 20; i++) {
      fail(false);
    }
    assertThat(outage.connected(now)).isEqualTo(Optional.of(20));
    now += Outage.HELD.toMillis();
    said = 0;
    assertThat(fail(true)).isEqualTo(Duration.ofMillis(500));
    assertThat(said).isOne();
    assertThat(outage.connected(now)).isEqualTo(Optional.of(0));
  }

  @Test
  void theEndOfAnOutageIsSaidWithTheAttemptsThatFailed() {
    fail(true);
    fail(false);
    fail(false);
    assertThat(outage.connected(now)).isEqualTo(Optional.of(2));
    assertThat(outage.connected(now)).isEmpty();
  }
}
