package io.sedge.site.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.ledger.Measures;
import io.sedge.ledger.ProcessUse;
import io.sedge.ledger.TaskId;
import io.sedge.task.JobCounters;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class MeterTest {
  private static final TaskId TASK = new TaskId("job", "all");

  private static final Percentage ABOUT = Percentage.withPercentage(2);

  private final Meter meter = new Meter(() -> 1, 64 << 20, _ -> ProcessUse.UNKNOWN);
  private long seconds;
  private long readings;
  private double idle;
  private double cpu;

  /** A task that reads so much each second, and waits for readings for a part of it. */
  private double load(int times, long perSecond, double waits) {
    Measures measures = null;
    for (int i = 0; i < times; i++) {
      seconds++;
      readings += perSecond;
      idle += waits;
      meter.add(TASK, "algorithm", counters(), Instant.EPOCH);
      measures = take();
    }
    return measures == null ? 0 : measures.loads().getOrDefault(TASK.toString(), 0.0);
  }

  /** The speed that is told after a task has read and worked so much each second. */
  private double speed(int times, long perSecond, double cpuPerSecond) {
    double speed = 0;
    for (int i = 0; i < times; i++) {
      cpu += cpuPerSecond;
      var _ = load(1, perSecond, 0.5);
      meter.add(TASK, "algorithm", counters(), Instant.EPOCH);
      speed = take().speeds().getOrDefault("algorithm", 0.0);
    }
    return speed;
  }

  private Measures take() {
    return meter.take(seconds * 1_000_000_000, Map.of());
  }

  private JobCounters counters() {
    return new JobCounters(
        readings,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        Duration.ZERO,
        Duration.ofNanos((long) (idle * 1e9)),
        Duration.ofSeconds(seconds),
        Duration.ofNanos((long) (cpu * 1e9)),
        Long.MIN_VALUE,
        Map.of(),
        Map.of(),
        "");
  }

  @Test
  void aTaskThatWaitsForReadingsShowsWhatComes() {
    assertThat(load(30, 1000, 0.5)).isCloseTo(1000, ABOUT);
    assertThat(load(30, 250, 0.9)).isCloseTo(250, ABOUT);
  }

  /** It does a quarter of what it did, and never waits: as much comes as before. */
  @Test
  void aDeviceThatSlowsDoesNotLookAsIfLessCame() {
    assertThat(load(30, 1000, 0.5)).isCloseTo(1000, ABOUT);
    assertThat(load(10, 250, 0)).isCloseTo(1000, ABOUT);
  }

  /** A file is read as fast as can be: less of it is not less than it could be, for good. */
  @Test
  void whatItDoesCountsInTheEnd() {
    assertThat(load(30, 1000, 0)).isCloseTo(1000, ABOUT);
    assertThat(load(40, 250, 0)).isCloseTo(250, ABOUT);
  }

  @Test
  void moreCountsAtOnce() {
    assertThat(load(30, 1000, 0)).isCloseTo(1000, ABOUT);
    assertThat(load(1, 10_000, 0)).isGreaterThan(2000);
  }

  /** The device that it went to says nothing of it yet. */
  @Test
  void theLoadOfATaskThatHasGoneIsToldForSomeSeconds() {
    assertThat(load(30, 1000, 0.5)).isCloseTo(1000, ABOUT);
    for (int i = 0; i < 3; i++) {
      seconds++;
      assertThat(take().loads()).containsKey(TASK.toString());
    }
    seconds++;
    assertThat(take().loads()).isEmpty();
  }

  /** A device that is unfit for many tasks says so of one after the other. */
  @Test
  void theLoadOfATaskThatHasGoneIsToldAsLongHoweverOftenItIsTaken() {
    assertThat(load(30, 1000, 0.5)).isCloseTo(1000, ABOUT);
    for (int i = 0; i < 20; i++) {
      assertThat(take().loads()).containsKey(TASK.toString());
    }
    seconds += 4;
    assertThat(take().loads()).isEmpty();
  }

  @Test
  void aTaskThatHasNotBegunHasNoLoadYet() {
    meter.add(TASK, "algorithm", JobCounters.NONE, Instant.EPOCH);
    assertThat(take().loads()).isEmpty();
  }

  /** Its counters begin at zero again. */
  @Test
  void aTaskThatIsStartedAnewGoesOnWithItsLoad() {
    assertThat(load(30, 1000, 0.5)).isCloseTo(1000, ABOUT);
    seconds = 0;
    readings = 0;
    idle = 0;
    assertThat(load(5, 1000, 0.5)).isCloseTo(1000, ABOUT);
  }

  /** A thread that wakes for a reading takes more than the reading does. */
  @Test
  void aTaskThatDoesLittleDoesNotLookSlow() {
    assertThat(speed(600, 10, 0.01)).isZero();
    assertThat(speed(30, 10_000, 0.1)).isCloseTo(100_000, ABOUT);
    assertThat(speed(600, 10, 0.01)).as("it keeps what it has shown").isCloseTo(100_000, ABOUT);
  }

  /** Its first readings take a hundred times as long, since their code is loaded and compiled. */
  @Test
  void whatATaskDoesFirstDoesNotCount() {
    assertThat(speed(3, 10, 0.3)).isZero();
    assertThat(speed(3, 1_000, 0.1)).isCloseTo(10_000, ABOUT);
  }

  /** An algorithm that does three readings in a second of the processor is that slow. */
  @Test
  void aSlowAlgorithmIsKnownAsSuch() {
    assertThat(speed(10, 3, 0.9)).isCloseTo(3 / 0.9, ABOUT);
  }
}
