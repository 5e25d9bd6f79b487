package io.sedge.bench.parts;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.bench.parts.ReadingLog.Stage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReadingLogTest {
  private final ReadingLog log = new ReadingLog(2, 0);

  /** Reading i is sent at 10 i + 10; two shards take turns. */
  @BeforeEach
  void send() {
    for (int i = 0; i < 10; i++) {
      assertThat(log.sent(10 * i + 10)).isEqualTo(i);
    }
  }

  @Test
  void theFirstIsTheFirstThatWasSentAfterwardsNotOneThatWasOnItsWay() {
    log.reached(Stage.COMMITTED, 2, 200); // sent at 30
    assertThat(log.first(Stage.COMMITTED, 0, 40)).isEqualTo(-1);
    log.reached(Stage.COMMITTED, 6, 300);
    log.reached(Stage.COMMITTED, 4, 310);
    assertThat(log.first(Stage.COMMITTED, 0, 40)).isEqualTo(260);
    assertThat(log.first(Stage.COMMITTED, 1, 40)).as("the other shard").isEqualTo(-1);
    assertThat(log.first(Stage.SHOWN, 0, 40)).as("nor is its row there").isEqualTo(-1);
  }

  @Test
  void theLongestWaitIsThatOfAnyReadingAndCountsFromWhenItWasSent() {
    log.reached(Stage.SHOWN, 4, 90); // sent at 50
    log.reached(Stage.SHOWN, 6, 80); // sent at 70
    log.reached(Stage.SHOWN, 8, 1000); // sent at 90
    assertThat(log.longestWait(Stage.SHOWN, 0, 50, 70)).isEqualTo(40);
    assertThat(log.longestWait(Stage.SHOWN, 0, 50, 90)).isEqualTo(910);
  }

  @Test
  void aReadingThatComesAgainWasThereTheFirstTime() {
    log.reached(Stage.SHOWN, 4, 90);
    log.reached(Stage.SHOWN, 4, 500);
    assertThat(log.first(Stage.SHOWN, 0, 50)).isEqualTo(40);
  }

  @Test
  void allOfSomeTimeAreThereWhenNoneIsMissing() {
    log.reached(Stage.SHOWN, 3, 90);
    assertThat(log.isComplete(Stage.SHOWN, 40, 50)).isFalse();
    log.reached(Stage.SHOWN, 4, 90);
    assertThat(log.isComplete(Stage.SHOWN, 40, 50)).isTrue();
  }
}
