package io.sedge.connector;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SilenceTest {
  private static final long SECOND = 1_000_000_000;

  private final Silence silence = new Silence();

  @Test
  void itLastsSinceItBegan() {
    silence.begin(7 * SECOND);
    silence.poll(8 * SECOND);
    silence.poll(9 * SECOND);
    assertThat(silence.nanos(9 * SECOND)).isEqualTo(2 * SECOND);
    assertThat(silence.nanos(9 * SECOND + 5)).isEqualTo(2 * SECOND + 5);
  }

  /** A process that was stopped finds what came meanwhile only when it has polled for a while. */
  @Test
  void aLongPauseBetweenTwoPollsCountsASecond() {
    silence.begin(0);
    silence.poll(100 * SECOND);
    assertThat(silence.nanos(100 * SECOND)).isEqualTo(SECOND);
    silence.poll(101 * SECOND);
    silence.poll(200 * SECOND);
    assertThat(silence.nanos(200 * SECOND)).isEqualTo(3 * SECOND);
  }

  @Test
  void aPauseBeforeItBeginsAnewIsForgotten() {
    silence.begin(0);
    silence.poll(100 * SECOND);
    silence.begin(200 * SECOND);
    assertThat(silence.nanos(200 * SECOND)).isZero();
    silence.poll(201 * SECOND);
    assertThat(silence.nanos(201 * SECOND)).isEqualTo(SECOND);
  }

  /** Its clock may begin anywhere, also below zero. */
  @Test
  void timesBelowZeroAreTimesToo() {
    silence.begin(-5 * SECOND);
    silence.poll(-4 * SECOND);
    assertThat(silence.nanos(-4 * SECOND)).isEqualTo(SECOND);
  }
}
