package io.sedge.center.internal.people;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.identity.Rates;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** ASVS 2.2.1: a password is guessed 100 times an hour at most, and nobody is shut out by that. */
class AttemptsTest {
  private static final int WRONG = 100_000;

  private final AtomicLong nanos = new AtomicLong();
  private final Attempts attempts = new Attempts(nanos::get);

  private int taken(String name, String address, int times) {
    int taken = 0;
    for (int i = 0; i < times; i++) {
      taken += attempts.take(name, address) ? 1 : 0;
    }
    return taken;
  }

  @Test
  void fromOneAddressThereAreFiveAndOneMoreEachFiveMinutes() {
    assertThat(taken("anna", "10.0.0.1", WRONG)).isEqualTo(5);
    nanos.addAndGet(Duration.ofMinutes(5).toNanos());
    assertThat(taken("anna", "10.0.0.1", WRONG)).isEqualTo(1);
    assertThat(attempts.isLocked("anna")).isFalse();
    assertThat(taken("anna", "10.0.0.2", 1)).as("the person, elsewhere").isEqualTo(1);
  }

  @Test
  void oneAddressTriesNoMoreNamesThanItMay() {
    int taken = 0;
    for (int i = 0; i < WRONG; i++) {
      taken += taken("name " + i, "10.0.0.1", 1);
    }
    assertThat(taken).isEqualTo(20);
  }

  @Test
  void fromAnyNumberOfAddressesThereAreAHundredInAnHour() {
    assertThat(attempts.take("anna", "192.168.0.7")).isTrue();
    attempts.succeeded("anna", "192.168.0.7");
    attempts.loggedIn("anna", "192.168.0.7");
    int taken = 0;
    for (int second = 0; second < 3_600; second++) {
      taken += taken("anna", "10.0.%d.%d".formatted(second / 256, second % 256), 3);
      nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    }
    assertThat(taken).isBetween(90, 100);
    assertThat(attempts.isLocked("anna")).isTrue();
    assertThat(attempts.take("anna", "192.168.0.7"))
        .as("from where the person has logged in before")
        .isTrue();
    assertThat(taken("anna", "192.168.0.7", WRONG)).as("a thief there").isEqualTo(4);
  }

  /** What is remembered is bounded, and a flood of names does not make room for guesses. */
  @Test
  void aFloodOfNamesDoesNotMakeTheCenterForgetOne() {
    for (int i = 0; i < 20; i++) {
      var _ = taken("anna", "10.0.0." + i, 3);
    }
    assertThat(attempts.isLocked("anna")).isTrue();
    for (int i = 0; i < 4 * Rates.MAX_ADDRESSES; i++) {
      var _ = taken("name " + i, "10.1.%d.%d".formatted(i / 256, i % 256), 1);
    }
    assertThat(attempts.isLocked("anna")).isTrue();
  }

  @Test
  void theRightPasswordCostsNothing() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(attempts.take("anna", "10.0.0.1")).isTrue();
      attempts.succeeded("anna", "10.0.0.1");
    }
  }

  /** Who has one address of IPv6 has 2^64. */
  @Test
  void addressesOfOneNetworkOfIpv6AreOne() {
    int taken = 0;
    for (int i = 0; i < 100; i++) {
      taken += taken("anna", "2001:db8:0:1::%x".formatted(i), 1);
    }
    assertThat(taken).isEqualTo(5);
    assertThat(attempts.take("anna", "2001:db8:0:2::1")).isTrue();
  }
}
