package io.sedge.engine.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.operator.Plans.Reading;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.PlanNode.Watermark.PerKey;
import io.sedge.engine.plan.Window;
import io.sedge.engine.testkit.OperatorHarness;
import io.sedge.engine.testkit.Rows;
import io.sedge.engine.testkit.StateImage;
import io.sedge.engine.testkit.TestFunctions;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tables of which each sensor has a clock of its own. Times are in seconds of event time. */
class WatermarkPerKeyTest {
  private static final long SECOND = 1_000_000;
  private static final long IDLE_AFTER = 60;
  private static final long HALF_AN_HOUR = 1800;

  private static final PerKey PER_SENSOR = new PerKey(0, IDLE_AFTER * SECOND);

  private static PlanNode readings(@Nullable PerKey perKey) {
    return new PlanNode.Watermark(
        new PlanNode.Scan("t", Plans.READINGS),
        2,
        TestFunctions.minus(2, Plans.TIME, SECOND),
        perKey);
  }

  /** The readings of each sensor in ten seconds: sensor, n, window_start, … */
  private static PlanNode counts(@Nullable PerKey perKey) {
    Schema schema =
        Plans.with(
            Rows.schema("sensor", Type.STRING, "n", Type.BIGINT.notNull()),
            "window_start",
            "window_end",
            "window_time");
    return new PlanNode.WindowAggregate(
        readings(perKey),
        new Window.Tumbling(10 * SECOND, 0),
        2,
        List.of(0),
        List.of(
            new AggregateCall(
                "COUNT", List.of(), List.of(), List.of(), -1, false, Type.BIGINT.notNull(), "n")),
        "UTC",
        0,
        schema);
  }

  private static Reading reading(String sensor, long second) {
    return new Reading(sensor, 1L, second * SECOND, 0);
  }

  /**
   * A reading of each sensor every second; one that has a clock of its own is ahead by half an
   * hour.
   */
  private static List<Reading> oneAhead(long from, long to, String ahead, String... others) {
    List<Reading> readings = new ArrayList<>();
    for (long second = from; second < to; second++) {
      readings.add(reading(ahead, second + HALF_AN_HOUR));
      for (String other : others) {
        readings.add(reading(other, second));
      }
    }
    return readings;
  }

  private static long counted(OperatorHarness.Result result, String sensor) {
    return result.rows("out").stream()
        .filter(row -> sensor.equals(row.get(0)))
        .mapToLong(row -> (Long) row.get(1))
        .sum();
  }

  private static OperatorHarness.Result run(PlanNode plan, List<Reading> readings) {
    return Plans.feed(Plans.harness(plan), "t", readings).run();
  }

  /** The watermark after readings that do not end. */
  private static long watermark(List<Reading> readings) {
    return Plans.harness(readings(PER_SENSOR))
            .offer("t", Plans.batch(readings))
            .run()
            .watermark("out")
        / SECOND;
  }

  @Test
  void aSensorThatIsAheadMakesNoReadingOfTheOthersLate() {
    List<Reading> readings = oneAhead(0, 300, "ahead", "a", "b");
    OperatorHarness.Result result = run(counts(PER_SENSOR), readings);
    for (String sensor : List.of("ahead", "a", "b")) {
      assertThat(counted(result, sensor)).as(sensor).isEqualTo(300);
    }
    assertThat(counted(run(counts(null), readings), "a")).as("with one watermark for all").isZero();
  }

  @Test
  void windowsAreGivenAsTheSensorFarthestBehindGoesOn() {
    assertThat(watermark(oneAhead(0, 300, "ahead", "a", "b"))).isEqualTo(298);
  }

  @Test
  void aClockThatIsSetForwardIsNotTakenForAnHourWithoutTheOthers() {
    List<Reading> readings = new ArrayList<>();
    for (long second = 0; second < 300; second++) {
      readings.add(reading("set", second < 150 ? second : second + HALF_AN_HOUR));
      readings.add(reading("a", second));
    }
    assertThat(counted(run(counts(PER_SENSOR), readings), "a")).isEqualTo(300);
  }

  @Test
  void aSensorThatIsSilentIsNotWaitedForForEver() {
    List<Reading> readings = new ArrayList<>(oneAhead(0, 100, "ahead", "a", "silent"));
    readings.addAll(oneAhead(100, 150, "ahead", "a"));
    assertThat(watermark(readings)).as("it may only be slow").isEqualTo(98);
    readings.addAll(oneAhead(150, 200, "ahead", "a"));
    assertThat(watermark(readings)).isEqualTo(198);
  }

  @Test
  void oneThatComesBackIsWaitedFor() {
    List<Reading> readings = new ArrayList<>(oneAhead(0, 100, "ahead", "a", "b"));
    readings.addAll(oneAhead(100, 300, "ahead", "a"));
    readings.add(reading("b", 100));
    readings.addAll(oneAhead(300, 310, "ahead", "a"));
    assertThat(watermark(readings)).as("b is behind").isEqualTo(298);
    readings.add(reading("b", 312));
    readings.addAll(oneAhead(310, 320, "ahead", "a"));
    assertThat(watermark(readings)).as("b counts").isEqualTo(311);
  }

  /** The gateway of all but one is away: what they send afterwards must not be late for ever. */
  @Test
  void thoseWhoAreBackCatchUpWithTheOneThatIsAhead() {
    List<Reading> readings = new ArrayList<>(oneAhead(0, 100, "ahead", "a", "b"));
    readings.addAll(oneAhead(100, 200, "ahead"));
    readings.addAll(oneAhead(200, 200 + HALF_AN_HOUR + 100, "ahead", "a", "b"));
    assertThat(counted(run(counts(PER_SENSOR), readings), "a")).isGreaterThanOrEqualTo(200);
    List<Reading> caughtUp = readings.subList(0, readings.size());
    assertThat(watermark(caughtUp)).isEqualTo(200 + HALF_AN_HOUR + 98);
  }

  @Test
  void aClockThatIsSetBackStopsTheOthersForAMinute() {
    List<Reading> readings = new ArrayList<>();
    for (long second = 7200; second < 7500; second++) {
      readings.add(reading("back", second < 7300 ? second : second - 7200));
      readings.add(reading("a", second));
    }
    assertThat(watermark(readings)).isEqualTo(7498);
    assertThat(counted(run(counts(PER_SENSOR), readings), "a")).isEqualTo(300);
  }

  @Test
  void oneThatIsFarBehindIsNotWaitedForFromTheFirstReadingOn() {
    List<Reading> readings = new ArrayList<>();
    for (long second = 7200; second < 7500; second++) {
      readings.add(reading("of 1970", second - 7200));
      readings.add(reading("a", second));
    }
    assertThat(watermark(readings)).isEqualTo(7498);
  }

  /** Of one that speaks seldom each step counts half of the time at most; that must not add up. */
  @Test
  void oneThatIsSilentIsMissedSoonByThoseWhoSpeakSeldom() {
    List<Reading> readings = new ArrayList<>();
    for (long second = 0; second < 20_000; second++) {
      if (second < 19_000) {
        readings.add(reading("each second", second));
      }
      if (second % 45 == 0) {
        readings.add(reading("seldom", second + 100));
      }
    }
    assertThat(watermark(readings)).isGreaterThan(19_900);
  }

  @Test
  void atFirstAllSensorsAreStillToBecomeKnown() {
    Reading first = reading("ahead", HALF_AN_HOUR);
    Reading second = reading("ahead", HALF_AN_HOUR + 20);
    assertThat(watermark(List.of(first, second))).isEqualTo(Long.MIN_VALUE / SECOND);
    assertThat(watermark(oneAhead(0, 60, "ahead", "a"))).isEqualTo(Long.MIN_VALUE / SECOND);
    assertThat(watermark(oneAhead(0, 62, "ahead", "a"))).isEqualTo(60);
  }

  /** Clocks that are off by up to an hour, sensors that pause, readings without a sensor. */
  @Test
  void whateverTheInputIsCutIntoTheResultIsTheSame() {
    for (int round = 0; round < 2; round++) {
      long seed = System.nanoTime();
      Random random = new Random(seed);
      long[] offsets = LongStream.generate(() -> random.nextLong(3600)).limit(6).toArray();
      List<Reading> readings = new ArrayList<>();
      for (long second = 0; second < 400; second++) {
        for (int sensor = 0; sensor < offsets.length; sensor++) {
          boolean pauses = (second / 100 + sensor) % 4 == 0;
          if (!pauses && random.nextInt(3) == 0) {
            String name = sensor == 0 ? null : "s" + sensor;
            readings.add(
                new Reading(name, 1L, (second + offsets[sensor]) * SECOND, readings.size()));
          }
        }
      }
      Collections.shuffle(readings.subList(0, 50), random);
      long given =
          run(counts(PER_SENSOR), readings).rows("out").stream()
              .mapToLong(row -> (Long) row.get(1))
              .sum();
      assertThat(given).as("seed %d", seed).isBetween(1L, (long) readings.size());
    }
  }

  /** State knows its plan by its text, which an update of the software must not change. */
  @Test
  void aPlanWithoutKeysHasTheTextThatItAlwaysHad() {
    PlanNode.Watermark plan = (PlanNode.Watermark) readings(null);
    assertThat(plan)
        .hasToString(
            "Watermark[input=%s, timeColumn=2, watermark=%s]"
                .formatted(plan.input(), plan.watermark()));
    assertThat(readings(PER_SENSOR).toString())
        .endsWith(", perKey=PerKey[column=0, idleAfter=60000000]]");
  }

  /** Names that are made up must not fill the memory. */
  @Test
  void soManySensorsAreWaitedForAndNoMore() {
    CountingSink sink = new CountingSink();
    Pipeline pipeline = Plans.compile(readings(PER_SENSOR), Map.of("out", sink));
    for (int i = 0; i < 30; i++) {
      List<Reading> batch = new ArrayList<>();
      for (int k = 0; k < 1000; k++) {
        batch.add(reading("made-up-%d-%d".formatted(i, k), 1));
      }
      assertThat(pipeline.source("t").offer(Plans.batch(batch))).isTrue();
    }
    assertThat(sink.rows()).isEqualTo(30_000);
    assertThat(StateImage.snapshotOf(pipeline).size()).isBetween(10_000, 10_010);
  }
}
