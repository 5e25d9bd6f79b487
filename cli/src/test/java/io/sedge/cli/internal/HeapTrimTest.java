package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When a device has its heap collected, so that it does not grow to its limit. */
class HeapTrimTest {
  private static final long MB = 1L << 20;
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration PAUSE = Duration.ofMillis(30);

  @Test
  void aHeapThatHasNotGrownIsLeftAlone() {
    assertThat(HeapTrim.isDue(22 * MB, 20 * MB, LONG, PAUSE)).isFalse();
    assertThat(HeapTrim.isDue(20 * MB, 20 * MB, LONG, PAUSE)).isFalse();
  }

  @Test
  void whatHasGrownByAFewMegabytesIsCollected() {
    assertThat(HeapTrim.isDue(23 * MB, 20 * MB, LONG, PAUSE)).isTrue();
    assertThat(HeapTrim.isDue(HeapTrim.GROWTH_BYTES, 0, LONG, PAUSE))
        .as("after the start")
        .isTrue();
  }

  /** The pause is as long as what is alive is large. */
  @Test
  void aLargeHeapMayGrowByMore() {
    assertThat(HeapTrim.isDue(44 * MB, 40 * MB, LONG, PAUSE)).isFalse();
    assertThat(HeapTrim.isDue(45 * MB, 40 * MB, LONG, PAUSE)).isTrue();
    assertThat(HeapTrim.isDue(412 * MB, 400 * MB, LONG, PAUSE)).isFalse();
    assertThat(HeapTrim.isDue(450 * MB, 400 * MB, LONG, PAUSE)).isTrue();
  }

  @Test
  void howeverFastItGrowsThereIsTimeBetween() {
    assertThat(HeapTrim.isDue(100 * MB, 20 * MB, Duration.ofSeconds(19), PAUSE)).isFalse();
    assertThat(HeapTrim.isDue(100 * MB, 20 * MB, Duration.ofSeconds(20), PAUSE)).isTrue();
  }

  @Test
  void itTakesASmallPartOfTheTime() {
    Duration second = Duration.ofSeconds(1);
    assertThat(HeapTrim.isDue(100 * MB, 20 * MB, Duration.ofSeconds(499), second)).isFalse();
    assertThat(HeapTrim.isDue(100 * MB, 20 * MB, Duration.ofSeconds(500), second)).isTrue();
    Duration stopped = Duration.ofHours(1); // In the midst of it.
    assertThat(HeapTrim.isDue(100 * MB, 20 * MB, Duration.ofMinutes(10), stopped)).isTrue();
  }

  /** The others of a site would take the device for gone. */
  @Test
  void aProcessThatIsHeldUpIsLeftAlone() {
    assertThat(HeapTrim.isHeldUp(Duration.ofMillis(110))).isFalse();
    assertThat(HeapTrim.isHeldUp(Duration.ofMillis(800))).isTrue();
  }
}
