package io.sedge.connector.mqtt.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class AscentTest {
  private final Ascent ascent = new Ascent();

  private void count(int first, int messages, int underWay) {
    for (int i = 0; i < messages; i++) {
      ascent.next(1 + (first + i - 1) % 65_535, underWay);
    }
  }

  @Test
  void whoCountsUpIsKnownAfterAWhileAlsoWhereIdentifiersBeginAnewAfterTheLast() {
    count(65_400, Ascent.LEAST, 20);
    assertThat(ascent.isCertain()).isFalse();
    count(65_400 + Ascent.LEAST, 1, 20);
    assertThat(ascent.isCertain()).isTrue();
  }

  /** A broker that uses the lowest free one goes as far up as messages are under way. */
  @Test
  void identifiersUnderWayAreNoProof() {
    for (int underWay = 1; underWay <= 1000; underWay++) {
      ascent.next(underWay, underWay);
      assertThat(ascent.isCertain()).isFalse();
    }
  }

  @Test
  void whoGoesBackDoesNotCountUp() {
    count(1, 1000, 1);
    assertThat(ascent.isCertain()).isTrue();
    ascent.next(500, 1);
    assertThat(ascent.isCertain()).isFalse();
  }
}
