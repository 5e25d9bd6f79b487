package io.sedge.connector;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QuietTimeTest {
  private static final long SECOND = 1_000_000_000;

  private final QuietTime quietTime = new QuietTime();

  @Test
  void itLastsSinceItBegan() {
    quietTime.begin(7 * SECOND);
    quietTime.poll(8 * SECOND);
    quietTime.poll(9 * SECOND);
    assertThat(quietTime.nanos(9 * SECOND)).isEqualTo(2 * SECOND);
    assertThat(quietTime.nanos(9 * SECOND + 5)).isEqualTo(2 * SECOND + 5);
  }

  /** A process that was stopped finds what came meanwhile only when it has polled for a while. */
  @Test
  void aLongPauseBetweenTwoPollsCountsASecond() {
    quietTime.begin(0);
    quietTime.poll(100 * SECOND);
    assertThat(quietTime.nanos(100 * SECOND)).isEqualTo(SECOND);
    quietTime.poll(101 * SECOND);
    quietTime.poll(200 * SECOND);
    assertThat(quietTime.nanos(200 * SECOND)).isEqualTo(3 * SECOND);
  }

  @Test
  void aPauseBeforeItBeginsAnewIsForgotten() {
    quietTime.begin(0);
    quietTime.poll(100 * SECOND);
    quietTime.begin(200 * SECOND);
    assertThat(quietTime.nanos(200 * SECOND)).isZero();
    quietTime.poll(201 * SECOND);
    assertThat(quietTime.nanos(201 * SECOND)).isEqualTo(SECOND);
  }

  /** Its clock may begin anywhere, also below zero. */
  @Test
  void timesBelowZeroAreTimesToo() {
    quietTime.begin(-5 * SECOND);
    quietTime.poll(-4 * SECOND);
    assertThat(quietTime.nanos(-4 * SECOND)).isEqualTo(SECOND);
  }
}
