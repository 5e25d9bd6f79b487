package io.sedge.engine.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.CapacityException;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.operator.Plans.Reading;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.PlanNode.JoinKind;
import io.sedge.engine.testkit.OperatorHarness;
import io.sedge.engine.testkit.Rows;
import io.sedge.engine.testkit.StateImage;
import io.sedge.engine.testkit.TestFunctions;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class JoinTest {
  private static final Schema JOINED =
      Rows.schema(
          "sensor",
          Type.STRING,
          "value",
          Type.BIGINT,
          "ts",
          Plans.TIME,
          "sensor2",
          Type.STRING,
          "value2",
          Type.BIGINT,
          "ts2",
          Plans.TIME);

  private static final Expression LEFT_VALUE_GREATER =
      TestFunctions.greaterThan(
          TestFunctions.input(1, Type.BIGINT), TestFunctions.input(4, Type.BIGINT));

  private static PlanNode interval(
      JoinKind kind, long lower, long upper, long delay, boolean conditional) {
    return join(kind, lower, upper, delay, false, conditional);
  }

  private static PlanNode join(
      JoinKind kind, long lower, long upper, long delay, boolean ofWindows, boolean conditional) {
    return new PlanNode.IntervalJoin(
        Plans.readings("l", delay),
        Plans.readings("r", delay),
        kind,
        List.of(0),
        List.of(0),
        2,
        2,
        lower,
        upper,
        ofWindows,
        conditional ? Optional.of(LEFT_VALUE_GREATER) : Optional.empty(),
        JOINED);
  }

  private static List<Reading> withNullKeys(List<Reading> readings) {
    return readings.stream()
        .map(
            each ->
                each.arrival() % 17 == 3
                    ? new Reading(null, each.value(), each.time(), each.arrival())
                    : each)
        .toList();
  }

  private static boolean matches(
      Reading left, Reading right, long lower, long upper, boolean conditional) {
    long apart = left.time() - right.time();
    return left.sensor() != null
        && left.sensor().equals(right.sensor())
        && apart >= lower
        && apart <= upper
        && (!conditional
            || (left.value() != null && right.value() != null && left.value() > right.value()));
  }

  private static Map<List<@Nullable Object>, Integer> expected(
      JoinKind kind,
      List<Reading> lefts,
      List<Reading> rights,
      long lower,
      long upper,
      boolean on) {
    Map<List<@Nullable Object>, Integer> rows = new HashMap<>();
    for (Reading left : lefts) {
      for (Reading right : rights) {
        if (matches(left, right, lower, upper, on)) {
          rows.merge(left.row(right.row().toArray()), 1, Integer::sum);
        }
      }
    }
    if (kind == JoinKind.LEFT || kind == JoinKind.FULL) {
      lefts.stream()
          .filter(left -> rights.stream().noneMatch(r -> matches(left, r, lower, upper, on)))
          .forEach(left -> rows.merge(left.row(null, null, null), 1, Integer::sum));
    }
    if (kind == JoinKind.RIGHT || kind == JoinKind.FULL) {
      rights.stream()
          .filter(right -> lefts.stream().noneMatch(l -> matches(l, right, lower, upper, on)))
          .forEach(right -> rows.merge(padLeft(right), 1, Integer::sum));
    }
    return rows;
  }

  private static List<@Nullable Object> padLeft(Reading right) {
    List<@Nullable Object> row = new ArrayList<>();
    row.add(null);
    row.add(null);
    row.add(null);
    row.addAll(right.row());
    return row;
  }

  private static OperatorHarness feedBoth(
      PlanNode plan, List<Reading> lefts, List<Reading> rights) {
    OperatorHarness harness = Plans.harness(plan);
    for (int i = 0; i < Math.max(lefts.size(), rights.size()); i += 29) {
      if (i < lefts.size()) {
        harness.offer("l", Plans.batch(lefts.subList(i, Math.min(lefts.size(), i + 29))));
      }
      if (i < rights.size()) {
        harness.offer("r", Plans.batch(rights.subList(i, Math.min(rights.size(), i + 29))));
      }
    }
    return harness.advance("l", Long.MAX_VALUE).advance("r", Long.MAX_VALUE);
  }

  @ParameterizedTest
  @EnumSource(JoinKind.class)
  void rowsNearInTimeAreJoinedAndTheOthersFilledWithNulls(JoinKind kind) {
    long seed = System.nanoTime();
    for (boolean conditional : new boolean[] {false, true}) {
      for (long[] bounds : new long[][] {{-10, 10}, {0, 0}, {3, 12}, {-20, -5}}) {
        Random random = new Random(seed);
        // Off by up to 9 under a watermark 10 behind: a row at the watermark would already be late.
        List<Reading> lefts = withNullKeys(Plans.random(random, 150, 4, 9, 4));
        List<Reading> rights = withNullKeys(Plans.random(random, 170, 4, 9, 4));
        OperatorHarness.Result result =
            feedBoth(interval(kind, bounds[0], bounds[1], 10, conditional), lefts, rights)
                .seed(seed)
                .run();
        assertThat(result.materialized("out"))
            .as("seed %d, bounds %d to %d", seed, bounds[0], bounds[1])
            .isEqualTo(expected(kind, lefts, rights, bounds[0], bounds[1], conditional));
        assertThat(result.watermark("out")).isEqualTo(Long.MAX_VALUE);
      }
    }
  }

  /** With late rows the result depends on the watermark row by row, never on the cuts. */
  @ParameterizedTest
  @EnumSource(JoinKind.class)
  void lateRowsGiveTheSameHoweverTheInputIsCut(JoinKind kind) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<Reading> lefts = Plans.random(random, 150, 3, 40, 4);
    List<Reading> rights = Plans.random(random, 150, 3, 40, 4);
    OperatorHarness.Result result =
        feedBoth(interval(kind, -8, 8, 5, true), lefts, rights).seed(seed).run();
    assertThat(result.rows("out")).as("seed %d", seed).isNotEmpty();
  }

  private static Batch at(String sensor, long... times) {
    Rows rows = Rows.of(Plans.READINGS);
    for (long time : times) {
      rows.add(sensor, 1L, time);
    }
    return rows.build();
  }

  private static List<@Nullable Object> matched(String sensor, long left, long right) {
    return List.of(sensor, 1L, left, sensor, 1L, right);
  }

  /**
   * As in Flink's TimeIntervalJoin: a kept row expires when the watermark is beyond its time and
   * the interval, and a row is kept only if the watermark has not reached them when it comes.
   */
  @Test
  void aKeptRowIsMetUntilTheWatermarkIsBeyondItsInterval() {
    OperatorHarness.Result result =
        Plans.harness(interval(JoinKind.LEFT, 0, 0, 0, false))
            .offer("l", at("k", 10))
            .offer("r", at("k", 10, 10))
            .offer("r", at("k", 11))
            .offer("l", at("k", 11, 11))
            .offer("r", at("k", 10, 11))
            .offer("r", at("k", 12))
            .advance("l", Long.MAX_VALUE)
            .advance("r", Long.MAX_VALUE)
            .run();
    assertThat(result.rows("out"))
        .as("the left row of 10 is gone when both watermarks are at 11, the right ones are not")
        .containsExactlyInAnyOrder(
            matched("k", 10, 10),
            matched("k", 10, 10),
            matched("k", 11, 11),
            matched("k", 11, 11),
            matched("k", 11, 11));
  }

  /** Flink's WindowJoinOperator drops the rows of a window that has fired, of outer sides too. */
  @ParameterizedTest
  @EnumSource(JoinKind.class)
  void aRowWhoseWindowIsOverIsDroppedAndCounted(JoinKind kind) {
    CountingSink sink = new CountingSink();
    Pipeline pipeline = Plans.compile(join(kind, 0, 0, 0, true, false), Map.of("out", sink));
    assertThat(pipeline.source("l").offer(at("z", 20))).isTrue();
    assertThat(pipeline.source("r").offer(at("z", 20))).isTrue();
    assertThat(sink.rows()).isEqualTo(1);
    assertThat(pipeline.source("l").offer(at("k", 10, 20))).isTrue();
    assertThat(pipeline.source("r").offer(at("z", 20))).isTrue();
    Batch withoutKey = Plans.batch(List.of(new Reading(null, 1L, 20, 0)));
    assertThat(pipeline.source("r").offer(withoutKey)).isTrue();
    assertThat(sink.rows()).isEqualTo(1);
    assertThat(pipeline.counters().stream().mapToLong(Pipeline.Counters::lateRows).sum())
        .isEqualTo(4);
    pipeline.checkInvariants();
  }

  /** What comes of a window must not be late for a window of the same end behind the join. */
  @Test
  void aWindowGivesItsUnmatchedRowsWhenTheWatermarkReachesItsTime() {
    CountingSink sink = new CountingSink();
    Pipeline pipeline =
        Plans.compile(join(JoinKind.LEFT, 0, 0, 5, true, false), Map.of("out", sink));
    assertThat(pipeline.source("r").offer(at("k", 100))).isTrue();
    assertThat(pipeline.source("l").offer(at("k", 10, 14))).isTrue();
    assertThat(sink.rows()).isZero();
    assertThat(pipeline.source("l").offer(at("k", 15))).isTrue();
    assertThat(sink.rows()).isEqualTo(1);
    assertThat(sink.watermark()).isEqualTo(10);
  }

  /** The idleness of a table, and its end, are part of the state. */
  @ParameterizedTest
  @EnumSource(JoinKind.class)
  void aSideThatIsIdleHoldsNothingBack(JoinKind kind) {
    OperatorHarness.Result result =
        Plans.harness(interval(kind, -5, 5, 0, false))
            .offer("l", at("k", 10, 20, 30))
            .offer("r", at("k", 12))
            .idle("r", true)
            .offer("l", at("k", 40, 50))
            .offer("r", at("k", 52))
            .offer("l", at("k", 60))
            .idle("l", true)
            .idle("l", false)
            .advance("r", Long.MAX_VALUE)
            .advance("l", Long.MAX_VALUE)
            .run();
    assertThat(result.materialized("out")).containsKey(matched("k", 10, 12));
    assertThat(result.materialized("out")).containsKey(matched("k", 50, 52));
    assertThat(result.watermark("out")).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void theWatermarkIsHeldBackByTheWidthOfTheInterval() {
    CountingSink sink = new CountingSink();
    Pipeline pipeline =
        Plans.compile(interval(JoinKind.INNER, -5, 20, 0, false), Map.of("out", sink));
    assertThat(pipeline.source("l").offer(Rows.of(Plans.READINGS).add("a", 1L, 100L).build()))
        .isTrue();
    assertThat(pipeline.source("r").offer(Rows.of(Plans.READINGS).add("a", 1L, 90L).build()))
        .isTrue();
    assertThat(sink.watermark()).isEqualTo(70);
    assertThat(sink.rows()).isEqualTo(1);
  }

  @Test
  void anIntervalJoinForgetsWhatCanNoLongerMatch() {
    Pipeline pipeline =
        Plans.compile(
            interval(JoinKind.FULL, -50, 50, 0, false), Map.of("out", new CountingSink()));
    Random random = new Random(2);
    int most = 0;
    for (int i = 0; i < 300; i++) {
      List<Reading> readings = new ArrayList<>();
      for (int j = 0; j < 100; j++) {
        readings.add(new Reading("s" + i + random.nextInt(9), 1L, i * 100L + j, j));
      }
      assertThat(pipeline.source("l").offer(Plans.batch(readings))).isTrue();
      assertThat(pipeline.source("r").offer(Plans.batch(readings))).isTrue();
      most = Math.max(most, StateImage.snapshotOf(pipeline).size());
    }
    assertThat(most).isLessThan(330);
    pipeline.checkInvariants();
  }

  private static PlanNode lookup(JoinKind kind, boolean conditional) {
    return new PlanNode.LookupJoin(
        Plans.readings("l", 10),
        new PlanNode.Scan("r", Plans.READINGS),
        kind,
        List.of(0),
        List.of(0),
        conditional ? Optional.of(LEFT_VALUE_GREATER) : Optional.empty(),
        JOINED);
  }

  @ParameterizedTest
  @CsvSource({"INNER, false", "INNER, true", "LEFT, false", "LEFT, true"})
  void rowsAreLookedUpInATableThatHasEnded(JoinKind kind, boolean conditional) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<Reading> lefts = withNullKeys(Plans.random(random, 300, 8, 0, 4));
    List<Reading> table = withNullKeys(Plans.random(random, 30, 6, 0, 4));
    OperatorHarness harness =
        Plans.harness(lookup(kind, conditional))
            .orderedBy(2)
            .seed(seed)
            .offer("r", Plans.batch(table))
            .advance("r", Long.MAX_VALUE);
    OperatorHarness.Result result = Plans.feed(harness, "l", lefts).run();
    assertThat(result.materialized("out"))
        .as("seed %d", seed)
        .isEqualTo(
            expected(kind, lefts, table, Long.MIN_VALUE / 2, Long.MAX_VALUE / 2, conditional));
  }

  @Test
  void rowsWaitUntilTheTableHasEnded() {
    CountingSink sink = new CountingSink();
    Pipeline pipeline = Plans.compile(lookup(JoinKind.LEFT, false), Map.of("out", sink));
    Batch batch = Rows.of(Plans.READINGS).add("a", 1L, 100L).build();
    assertThat(pipeline.source("l").offer(batch)).isFalse();
    assertThat(pipeline.source("r").offer(Rows.of(Plans.READINGS).add("a", 7L, 1L).build()))
        .isTrue();
    assertThat(pipeline.source("l").offer(batch)).isFalse();
    assertThat(pipeline.source("r").advance(Long.MAX_VALUE)).isTrue();
    assertThat(pipeline.source("l").offer(batch)).isTrue();
    assertThat(sink.rows()).isEqualTo(1);
    assertThat(sink.watermark()).isEqualTo(90);
  }

  @Test
  void aTableTooLargeToLookUpInIsSaid() {
    Pipeline pipeline =
        Plans.compile(lookup(JoinKind.LEFT, false), Map.of("out", new CountingSink()));
    Rows rows = Rows.of(Plans.READINGS);
    for (int i = 0; i < 1 << 14; i++) {
      rows.add("a", 1L, 1L);
    }
    Batch batch = rows.build();
    for (int i = 0; i < 64; i++) {
      assertThat(pipeline.source("r").offer(batch)).isTrue();
    }
    assertThatThrownBy(() -> pipeline.source("r").offer(batch))
        .isInstanceOf(CapacityException.class)
        .hasMessageContaining("more than 1048576 rows; join a smaller one");
  }

  @Test
  void aTableThatWouldWaitForItselfIsRefused() {
    PlanNode plan =
        new PlanNode.LookupJoin(
            Plans.readings("t", 10),
            new PlanNode.Scan("t", Plans.READINGS),
            JoinKind.INNER,
            List.of(0),
            List.of(0),
            Optional.empty(),
            JOINED);
    assertThatThrownBy(() -> Plans.compile(plan, Map.of("out", new CountingSink())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("table t is read for rows to be joined and for the table");
  }

  /** Counts rows, checks how large batches are, and refuses every other one. */
  private static final class SmallBatches implements Output {
    private final Map<Object, Integer> rows = new HashMap<>();
    private boolean refuses;

    @Override
    public boolean offer(Batch batch) {
      assertThat(batch.rows()).isLessThan(2 * Batch.TARGET_ROWS);
      refuses = !refuses;
      for (int row = 0; row < batch.rows() && !refuses; row++) {
        rows.merge(batch.row(row), 1, Integer::sum);
      }
      return !refuses;
    }

    @Override
    public boolean advance(long watermark) {
      return true;
    }
  }

  private static void offerUntilTaken(Output source, Batch batch) {
    int refusals = 0;
    while (!source.offer(batch)) {
      assertThat(++refusals).isLessThan(1000);
    }
  }

  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void aRowThatMeetsManyGivesManyBatches(boolean lookup, boolean conditional) {
    int kept = 3 * Batch.TARGET_ROWS;
    SmallBatches sink = new SmallBatches();
    PlanNode plan =
        lookup
            ? lookup(JoinKind.LEFT, conditional)
            : interval(JoinKind.LEFT, -kept, kept, 0, conditional);
    Pipeline pipeline = Plans.compile(plan, Map.of("out", sink));
    Rows table = Rows.of(Plans.READINGS);
    for (int i = 0; i < kept; i++) {
      // Only those of the second batch pass the condition.
      table.add("k", i / Batch.TARGET_ROWS == 1 ? 0L : 9L, (long) i);
    }
    offerUntilTaken(pipeline.source("r"), table.build());
    if (lookup) {
      assertThat(pipeline.source("r").advance(Long.MAX_VALUE)).isTrue();
    }
    Batch batch =
        Rows.of(Plans.READINGS).add("k", 1L, 1L).add("x", 1L, 2L).add("k", 2L, 3L).build();
    offerUntilTaken(pipeline.source("l"), batch);
    offerUntilTaken(pipeline.source("l"), Rows.of(Plans.READINGS).add("k", 0L, 4L).build());
    if (!lookup) {
      while (!pipeline.source("l").advance(Long.MAX_VALUE)
          || !pipeline.source("r").advance(Long.MAX_VALUE)) {}
    }
    int met = conditional ? Batch.TARGET_ROWS : kept;
    assertThat(sink.rows.values()).allMatch(count -> count == 1);
    assertThat(sink.rows).hasSize(conditional ? 2 * met + 2 : 3 * met + 1);
    assertThat(pipeline.flushed()).isTrue();
    pipeline.checkInvariants();
  }

  /** The codes of a dictionary outlive the objects found by them. */
  @Test
  void aKeyThatWasForgottenBeginsAnew() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<Reading> lefts = Plans.random(random, 200, 3, 0, 40);
    List<Reading> rights = Plans.random(random, 200, 3, 0, 40);
    assertThat(
            feedBoth(interval(JoinKind.FULL, -10, 10, 1, false), lefts, rights)
                .seed(seed)
                .run()
                .materialized("out"))
        .as("seed %d", seed)
        .isEqualTo(expected(JoinKind.FULL, lefts, rights, -10, 10, false));
  }
}
