package io.sedge.site.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StallDetectorTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;

  private final StallDetector stalls = new StallDetector();
  private long now = 5 * SECOND;
  private int beats;

  /** Beats for a time, during which the process runs for the first part of each period. */
  private double beat(long nanos, long periodNanos, long runsNanos) {
    long end = now + nanos;
    while (now < end) {
      now += stalls.beat(now, StallDetector.LONGEST_BEAT_NANOS);
      beats++;
      long phase = now % periodNanos;
      now += phase < runsNanos ? 0 : periodNanos - phase;
    }
    now += stalls.beat(now, StallDetector.LONGEST_BEAT_NANOS);
    return stalls.take(now);
  }

  @Test
  void whoIsNeverStoppedRunsAllTheTime() {
    assertThat(beat(SECOND, MILLI, MILLI)).isEqualTo(1);
    assertThat(beats).isLessThan(70);
  }

  /** Of a container's quota, of slices of a host's processor, of a process that is stopped. */
  @ParameterizedTest
  @CsvSource({"100, 25", "100, 60", "80, 4", "80, 20", "40, 10", "1000, 500"})
  void halfASecondIsEnoughToSeeWhichPartIsLeft(long periodMillis, long runsMillis) {
    double _ = beat(SECOND, periodMillis * MILLI, runsMillis * MILLI);
    double part = (double) runsMillis / periodMillis;
    assertThat(beat(SECOND, periodMillis * MILLI, runsMillis * MILLI))
        .isCloseTo(part, Offset.offset(0.06));
  }

  /** On a busy machine threads wait for their turn; that others are busy is known without it. */
  @Test
  void someMillisecondsAreNoHalt() {
    Random random = new Random(1);
    for (int i = 0; i < 1_000; i++) {
      now += stalls.beat(now, StallDetector.LONGEST_BEAT_NANOS) + random.nextLong(10 * MILLI);
    }
    assertThat(stalls.take(now)).isEqualTo(1);
  }

  /** Tasks are held to the part at once: a pause of the collector must not cost them anything. */
  @Test
  void oneBeatThatIsLateIsNoHalt() {
    double _ = beat(SECOND, MILLI, MILLI);
    now += 20 * MILLI;
    assertThat(beat(SECOND / 2, MILLI, MILLI)).isEqualTo(1);
    now += 100 * MILLI;
    assertThat(beat(SECOND / 2, MILLI, MILLI)).isLessThan(0.9);
  }

  /** Before half a second is over. */
  @Test
  void haltsThatFollowEachOtherAreSeenAtOnce() {
    double _ = beat(SECOND, MILLI, MILLI);
    now += 200 * MILLI;
    double _ = beat(50 * MILLI, MILLI, MILLI);
    assertThat(stalls.recent()).as("one halt, however long").isEqualTo(1);
    double _ = beat(SECOND, MILLI, MILLI);
    double _ = beat(400 * MILLI, 80 * MILLI, 20 * MILLI);
    assertThat(stalls.recent()).isCloseTo(0.25, Offset.offset(0.06));
    double _ = beat(400 * MILLI, 80 * MILLI, 60 * MILLI);
    assertThat(stalls.recent()).as("of the last ones").isCloseTo(0.75, Offset.offset(0.1));
    double _ = beat(SECOND, MILLI, MILLI);
    assertThat(stalls.recent()).as("over").isEqualTo(1);
  }

  @Test
  void whoIsWokenTooEarlyWaitsForTheRest() {
    long wait = stalls.beat(now, StallDetector.LONGEST_BEAT_NANOS);
    assertThat(stalls.beat(now + 5 * MILLI, StallDetector.LONGEST_BEAT_NANOS))
        .isEqualTo(wait - 5 * MILLI);
    assertThat(stalls.take(now + 5 * MILLI)).isEqualTo(1);
  }

  @Test
  void afterAHaltItLooksCloselyForAWhileOnly() {
    double _ = beat(SECOND, MILLI, MILLI);
    now += 200 * MILLI;
    double _ = beat(SECOND, MILLI, MILLI);
    beats = 0;
    assertThat(beat(SECOND, MILLI, MILLI)).isEqualTo(1);
    assertThat(beats).isLessThan(70);
  }

  /** A process that rests is asked seldom; once it is halted, as closely as any. */
  @Test
  void seldomBeatsSeeHaltsToo() {
    long period = 80 * MILLI;
    long runs = 20 * MILLI;
    double part = 1;
    for (long end = now + 20 * SECOND; now < end; ) {
      now += stalls.beat(now, SECOND / 2);
      if (now % period >= runs) {
        now += period - now % period; // halted until the next period
      }
      if (now % SECOND < 50 * MILLI) {
        part = Math.min(part, stalls.recent());
      }
    }
    assertThat(part).isLessThan(0.5);
  }
}
