package io.sedge.engine.operator;

import static io.sedge.engine.column.ChangeKind.DELETE;
import static io.sedge.engine.column.ChangeKind.UPDATE_AFTER;
import static io.sedge.engine.column.ChangeKind.UPDATE_BEFORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.engine.column.Batch;
import io.sedge.engine.operator.Plans.Reading;
import io.sedge.engine.plan.Ordering;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.Window;
import io.sedge.engine.testkit.OperatorHarness;
import io.sedge.engine.testkit.Rows;
import io.sedge.engine.testkit.Rows.Change;
import io.sedge.engine.testkit.StateImage;
import io.sedge.engine.type.Schema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopNTest {
  private static final Ordering BY_VALUE_FALLING = new Ordering(1, true, false);
  private static final Ordering BY_TIME = new Ordering(2, false, true);
  private static final Ordering BY_TIME_FALLING = new Ordering(2, true, false);

  private static PlanNode top(
      PlanNode input, Ordering ordering, long from, long to, @Nullable String rank) {
    Schema schema = input.schema();
    return new PlanNode.TopN(
        input,
        List.of(0),
        List.of(ordering),
        from,
        to,
        -1,
        rank,
        rank == null ? schema : Plans.with(schema, rank));
  }

  private static PlanNode scan() {
    return new PlanNode.Scan("t", Plans.READINGS);
  }

  private static Batch values(Object... sensorsAndValues) {
    Rows rows = Rows.of(Plans.READINGS);
    for (int i = 0; i < sensorsAndValues.length; i += 2) {
      rows.add(sensorsAndValues[i], ((Integer) sensorsAndValues[i + 1]).longValue(), i / 2 + 1L);
    }
    return rows.build();
  }

  private static List<Change> changes(PlanNode plan, Batch batch) {
    return Plans.harness(plan)
        .orderedBy(0)
        .updating()
        .offer("t", batch)
        .advance("t", Long.MAX_VALUE)
        .run()
        .changes("out");
  }

  @Test
  void withoutRanksWhatFallsOutIsDeletedAndWhatComesInInserted() {
    assertThat(
            changes(
                top(scan(), BY_VALUE_FALLING, 1, 2, null),
                values("a", 1, "a", 3, "a", 2, "b", 9, "a", 1)))
        .containsExactly(
            Change.of("a", 1L, 1L),
            Change.of("a", 3L, 2L),
            Change.of(DELETE, "a", 1L, 1L),
            Change.of("a", 2L, 3L),
            Change.of("b", 9L, 4L));
  }

  @Test
  void withRanksEachRankThatGetsAnotherRowIsUpdated() {
    assertThat(
            changes(
                top(scan(), BY_VALUE_FALLING, 1, 2, "r"), values("a", 1, "a", 3, "a", 2, "a", 2)))
        .containsExactly(
            Change.of("a", 1L, 1L, 1L),
            Change.of(UPDATE_BEFORE, "a", 1L, 1L, 1L),
            Change.of(UPDATE_AFTER, "a", 3L, 2L, 1L),
            Change.of("a", 1L, 1L, 2L),
            Change.of(UPDATE_BEFORE, "a", 1L, 1L, 2L),
            Change.of(UPDATE_AFTER, "a", 2L, 3L, 2L));
  }

  @ParameterizedTest
  @CsvSource({"1, 1, false", "1, 3, false", "1, 3, true", "2, 4, false", "3, 5, true"})
  void theChangesAddUpToTheRanksOfAllRows(long from, long to, boolean ranked) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<Reading> readings = Plans.random(random, 400, 5, 0, 3);
    OperatorHarness.Result result =
        Plans.feed(
                Plans.harness(top(scan(), BY_VALUE_FALLING, from, to, ranked ? "r" : null)),
                "t",
                readings)
            .updating()
            .orderedBy(0)
            .seed(seed)
            .run();
    assertThat(result.materialized("out"))
        .as("seed %d", seed)
        .isEqualTo(expected(readings, from, to, ranked));
  }

  private static Map<List<@Nullable Object>, Integer> expected(
      List<Reading> readings, long from, long to, boolean ranked) {
    Map<String, List<Reading>> partitions = new HashMap<>();
    readings.forEach(
        each -> partitions.computeIfAbsent(each.sensor(), _ -> new ArrayList<>()).add(each));
    Map<List<@Nullable Object>, Integer> rows = new HashMap<>();
    for (List<Reading> partition : partitions.values()) {
      partition.sort(
          Comparator.comparing(
                  Reading::value, Comparator.nullsFirst(Comparator.<Long>naturalOrder()))
              .reversed()
              .thenComparingInt(Reading::arrival));
      for (int i = (int) from - 1; i < Math.min(partition.size(), to); i++) {
        Reading reading = partition.get(i);
        rows.merge(ranked ? reading.row(i + 1L) : reading.row(), 1, Integer::sum);
      }
    }
    return rows;
  }

  @Test
  void anInputThatTakesRowsBackIsRefused() {
    PlanNode plan =
        top(top(scan(), BY_VALUE_FALLING, 1, 2, null), new Ordering(2, false, true), 1, 1, null);
    assertThatThrownBy(() -> Plans.compile(plan, Map.of("out", new CountingSink())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("TopN takes rows that are only added");
  }

  @Test
  void theFirstRowByTimeComesOutOnceWhenTheWatermarkPassesIt() {
    PlanNode plan = top(Plans.readings("t", 10), BY_TIME, 1, 1, null);
    OperatorHarness.Result result =
        Plans.harness(plan)
            .orderedBy(0)
            .offer(
                "t",
                Rows.of(Plans.READINGS)
                    .add("a", 1L, 20L)
                    .add("a", 2L, 15L)
                    .add("a", 3L, 15L)
                    .add("b", 4L, 12L)
                    .add("c", 5L, 40L)
                    .add("a", 6L, 35L)
                    .add("b", 7L, 13L)
                    .add("d", 8L, 30L)
                    .build())
            .advance("t", Long.MAX_VALUE)
            .run();
    assertThat(result.rows("out"))
        .containsExactlyInAnyOrder(
            List.of("a", 2L, 15L),
            List.of("b", 4L, 12L),
            List.of("c", 5L, 40L),
            List.of("d", 8L, 30L));
  }

  @Test
  void theFirstRowByTimeIsTheLeastOfThoseOnTime() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<Reading> readings = Plans.random(random, 400, 60, 20, 3);
    PlanNode plan = top(Plans.readings("t", 20), BY_TIME, 1, 1, "r");
    OperatorHarness.Result result = Plans.feed(Plans.harness(plan), "t", readings).seed(seed).run();
    Map<String, Reading> first = new HashMap<>();
    readings.forEach(
        each ->
            first.merge(
                each.sensor(), each, (old, other) -> other.time() < old.time() ? other : old));
    assertThat(result.rows("out"))
        .as("seed %d", seed)
        .containsExactlyInAnyOrderElementsOf(
            first.values().stream().map(each -> each.row(1L)).toList());
  }

  @Test
  void theLastRowByTimeReplacesTheOneBeforeAndWinsAtEqualTimes() {
    PlanNode plan = top(Plans.readings("t", 10), BY_TIME_FALLING, 1, 1, null);
    Batch batch =
        Rows.of(Plans.READINGS)
            .add("a", 1L, 20L)
            .add("a", 2L, 15L)
            .add("a", 3L, 20L)
            .add("b", 4L, 1L)
            .build();
    assertThat(changes(plan, batch))
        .containsExactly(
            Change.of("a", 1L, 20L),
            Change.of(UPDATE_BEFORE, "a", 1L, 20L),
            Change.of(UPDATE_AFTER, "a", 3L, 20L),
            Change.of("b", 4L, 1L));
  }

  private static PlanNode windowTop(long delay, long from, long to, @Nullable String rank) {
    Schema assigned =
        Schema.builder()
            .addAll(Plans.READINGS)
            .add("window_start", Plans.TIME)
            .add("window_end", Plans.TIME)
            .add("window_time", Plans.TIME)
            .build();
    PlanNode windows =
        new PlanNode.WindowAssign(
            Plans.readings("t", delay), new Window.Tumbling(50_000, 0), 2, assigned);
    return new PlanNode.TopN(
        windows,
        List.of(3, 4, 0),
        List.of(BY_VALUE_FALLING),
        from,
        to,
        4,
        rank,
        rank == null ? assigned : Plans.with(assigned, rank));
  }

  /** No row is late: windows close 1 ms before their end, by which the delay is longer. */
  @ParameterizedTest
  @CsvSource({"1, 1, false", "1, 3, true", "2, 4, true"})
  void aWindowGivesItsRanksWhenItCloses(long from, long to, boolean ranked) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<Reading> readings = Plans.random(random, 500, 3, 8_000, 2_000);
    OperatorHarness.Result result =
        Plans.feed(Plans.harness(windowTop(9_000, from, to, ranked ? "r" : null)), "t", readings)
            .orderedBy(0, 3)
            .seed(seed)
            .run();
    Map<Long, List<Reading>> windows = new HashMap<>();
    readings.forEach(
        each ->
            windows
                .computeIfAbsent(
                    Math.floorDiv(each.time(), 50_000L) * 50_000, _ -> new ArrayList<>())
                .add(each));
    Map<List<@Nullable Object>, Integer> expected = new HashMap<>();
    windows.forEach(
        (start, rows) ->
            expected(rows, from, to, true)
                .forEach(
                    (row, count) -> {
                      List<@Nullable Object> whole = new ArrayList<>(row.subList(0, 3));
                      whole.addAll(List.of(start, start + 50_000, start + 49_000));
                      if (ranked) {
                        whole.add(row.get(3));
                      }
                      expected.merge(whole, count, Integer::sum);
                    }));
    assertThat(result.materialized("out")).as("seed %d", seed).isEqualTo(expected);
  }

  @Test
  void rowsOfAClosedWindowAreLate() {
    Pipeline pipeline = Plans.compile(windowTop(0, 1, 1, null), Map.of("out", new CountingSink()));
    Batch batch =
        Rows.of(Plans.READINGS)
            .add("a", 1L, 10_000L)
            .add("a", 2L, 60_000L)
            .add("a", 3L, 49_999L)
            .build();
    assertThat(pipeline.source("t").offer(batch)).isTrue();
    assertThat(
            pipeline.counters().stream()
                .filter(counters -> counters.name().equals("TopN"))
                .mapToLong(Pipeline.Counters::lateRows)
                .sum())
        .isEqualTo(1);
  }

  @Test
  void stateOfWindowsAndRanksStaysBounded() {
    for (PlanNode plan :
        List.of(windowTop(0, 1, 2, "r"), top(scan(), BY_VALUE_FALLING, 1, 3, null))) {
      Pipeline pipeline = Plans.compile(plan, Map.of("out", new CountingSink()));
      Random random = new Random(1);
      int most = 0;
      for (int i = 0; i < 200; i++) {
        List<Reading> readings = new ArrayList<>();
        for (int j = 0; j < 300; j++) {
          readings.add(
              new Reading("s" + random.nextInt(4), random.nextLong(), i * 90_000L + j * 300L, j));
        }
        assertThat(pipeline.source("t").offer(Plans.batch(readings))).isTrue();
        most = Math.max(most, StateImage.snapshotOf(pipeline).size());
      }
      assertThat(most).isLessThan(40);
      pipeline.checkInvariants();
    }
  }
}
