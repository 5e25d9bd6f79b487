package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When a device has its heap collected, so that it does not grow to its limit. */
class HeapTrimTest {
  private static final long MB = 1L << 20;
  private static final Duration LONG = Duration.ofMinutes(5);

  @Test
  void aHeapThatHasNotGrownIsLeftAlone() {
    assertThat(HeapTrim.isDue(22 * MB, 20 * MB, LONG)).isFalse();
    assertThat(HeapTrim.isDue(20 * MB, 20 * MB, LONG)).isFalse();
  }

  @Test
  void whatHasGrownByAFewMegabytesIsCollected() {
    assertThat(HeapTrim.isDue(23 * MB, 20 * MB, LONG)).isTrue();
    assertThat(HeapTrim.isDue(HeapTrim.GROWTH_BYTES, 0, LONG)).as("after the start").isTrue();
  }

  /** The pause is as long as what is alive is large. */
  @Test
  void aLargeHeapMayGrowByMore() {
    assertThat(HeapTrim.isDue(44 * MB, 40 * MB, LONG)).isFalse();
    assertThat(HeapTrim.isDue(45 * MB, 40 * MB, LONG)).isTrue();
    assertThat(HeapTrim.isDue(412 * MB, 400 * MB, LONG)).isFalse();
    assertThat(HeapTrim.isDue(450 * MB, 400 * MB, LONG)).isTrue();
  }

  @Test
  void howeverFastItGrowsThereIsTimeBetween() {
    assertThat(HeapTrim.isDue(100 * MB, 20 * MB, Duration.ofSeconds(19))).isFalse();
    assertThat(HeapTrim.isDue(100 * MB, 20 * MB, Duration.ofSeconds(20))).isTrue();
  }
}
