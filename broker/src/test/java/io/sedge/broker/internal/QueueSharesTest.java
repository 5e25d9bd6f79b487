package io.sedge.broker.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueueSharesTest {
  private static final long HEAP = 128L << 20;

  /** Each that comes has less, as those before keep theirs. */
  @Test
  void whatWaitsForAllFitsIntoTheHeap() {
    QueueShares shares = new QueueShares(HEAP, 100_000);
    long messages = 0;
    for (int sessions = 0; sessions < 32; sessions++) {
      messages += shares.limit(sessions);
    }
    assertThat(messages * 400).isLessThan(HEAP * 3 / 4);
    assertThat(shares.limit(0)).isBetween(5_000L, 15_000L);
    assertThat(shares.limit(1_000_000)).isEqualTo(100);
  }

  @Test
  void noClientHasMoreThanWasSaid() {
    assertThat(new QueueShares(Long.MAX_VALUE, 100_000).limit(3)).isEqualTo(100_000);
    assertThat(new QueueShares(HEAP, 10).limit(3)).isEqualTo(10);
  }
}
