package io.sedge.engine.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.aggregate.BuiltinAggregates;
import io.sedge.engine.column.Batch;
import io.sedge.engine.expression.BuiltinFunctions;
import io.sedge.engine.expression.EvaluationException;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.expression.Expression.Place;
import io.sedge.engine.expression.FunctionRegistry;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.PlanNode.JoinKind;
import io.sedge.engine.plan.Window;
import io.sedge.engine.testkit.OperatorHarness;
import io.sedge.engine.testkit.OperatorHarness.Result;
import io.sedge.engine.testkit.Rows;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A row that an expression fails for is left out, the others are not, however they are cut into
 * batches: on a site another device may go on with other batches.
 */
class FailedRowsTest {
  private static final Schema READINGS =
      Rows.schema("sensor", Type.STRING, "text", Type.STRING, "ts", Plans.TIME);
  private static final Schema NUMBERS =
      Rows.schema("sensor", Type.STRING, "number", Type.BIGINT, "ts", Plans.TIME);
  private static final Schema JOINED =
      Rows.schema(
          "sensor",
          Type.STRING,
          "text",
          Type.STRING,
          "ts",
          Plans.TIME,
          "sensor2",
          Type.STRING,
          "text2",
          Type.STRING,
          "ts2",
          Plans.TIME);
  private static final Place PLACE = new Place(3, 7);
  private static final FunctionRegistry FUNCTIONS =
      BuiltinFunctions.registry(ZoneOffset.UTC, InstantSource.system());

  private final List<String> failed = new ArrayList<>();

  private static Expression number(int column) {
    return new Expression.Call(
        "CAST", List.of(new Expression.Input(column, Type.STRING)), Type.BIGINT, PLACE);
  }

  private static Expression time() {
    return new Expression.Input(2, Plans.TIME);
  }

  private static Expression isPositive(int column) {
    return new Expression.Call(
        ">", List.of(number(column), new Expression.Literal(0L, Type.BIGINT)), Type.BOOLEAN);
  }

  private static PlanNode readings(String table) {
    return new PlanNode.Watermark(new PlanNode.Scan(table, READINGS), 2, time());
  }

  private static PlanNode numbers(PlanNode input) {
    return new PlanNode.Project(
        input, List.of(new Expression.Input(0, Type.STRING), number(1), time()), NUMBERS);
  }

  private Pipeline compile(PlanNode node, Map<String, Output> sinks) {
    return Pipeline.compile(
        new Plan(List.of(new Plan.SinkNode("out", node))),
        FUNCTIONS,
        BuiltinAggregates.registry(),
        sinks,
        row ->
            failed.add(
                "%s %s %s: %s"
                    .formatted(
                        row.tables(),
                        row.batch().row(row.row()),
                        row.failure().place(),
                        row.failure().getMessage())));
  }

  private OperatorHarness harness(PlanNode node) {
    return OperatorHarness.pipeline(sinks -> compile(node, sinks), "out");
  }

  private static Batch batch(Object... sensorsTextsAndTimes) {
    Rows rows = Rows.of(READINGS);
    for (int i = 0; i < sensorsTextsAndTimes.length; i += 3) {
      rows.add(sensorsTextsAndTimes[i], sensorsTextsAndTimes[i + 1], sensorsTextsAndTimes[i + 2]);
    }
    return rows.build();
  }

  private static List<Object> values(Result result) {
    return result.changes("out").stream()
        .<Object>map(change -> change.values().toString())
        .toList();
  }

  @Test
  void aProjectedRowWhoseCastFailsIsLeftOutAndToldWithItsPlace() {
    Result result =
        harness(numbers(new PlanNode.Scan("m", READINGS)))
            .offer("m", batch("a", "1", 1L, "b", "x", 2L, "c", "3", 3L))
            .run();
    assertThat(values(result)).containsExactly("[a, 1, 1]", "[c, 3, 3]");
    assertThat(failed.getFirst()).startsWith("[m] [b, x, 2] line 3:7: ").contains("'x'");
  }

  @Test
  void aBatchOfWhichEveryRowFailsGivesNothingAndEachIsTold() {
    assertThat(
            values(
                harness(numbers(new PlanNode.Scan("m", READINGS)))
                    .offer("m", batch("a", "x", 1L, "b", "y", 2L, "c", "z", 3L))
                    .run()))
        .isEmpty();
    assertThat(failed.subList(0, 3))
        .satisfiesExactly(
            row -> assertThat(row).contains("[a, x, 1]"),
            row -> assertThat(row).contains("[b, y, 2]"),
            row -> assertThat(row).contains("[c, z, 3]"));
  }

  @Test
  void manyRowsAreSortedOutOfALargeBatchInTheirOrder() {
    Random random = new Random(7);
    List<String> expected = new ArrayList<>();
    Rows rows = Rows.of(READINGS);
    int wrong = 0;
    for (long i = 0; i < 3_000; i++) {
      boolean fails = random.nextInt(50) == 0;
      wrong += fails ? 1 : 0;
      rows.add("a", fails ? "x" : Long.toString(i), i);
      if (!fails) {
        expected.add("[a, %d, %d]".formatted(i, i));
      }
    }
    List<String> out = new ArrayList<>();
    CollectingOutput sink = new CollectingOutput(out);
    Pipeline pipeline = compile(numbers(new PlanNode.Scan("m", READINGS)), Map.of("out", sink));
    assertThat(pipeline.source("m").offer(rows.build())).isTrue();
    assertThat(out).isEqualTo(expected);
    assertThat(failed).hasSize(wrong);
    assertThat(sink.batches).isEqualTo(1);
  }

  private static final class CollectingOutput implements Output {
    private final List<String> rows;
    private int batches;

    CollectingOutput(List<String> rows) {
      this.rows = rows;
    }

    @Override
    public boolean offer(Batch batch) {
      batches++;
      for (int row = 0; row < batch.rows(); row++) {
        rows.add(batch.row(row).toString());
      }
      return true;
    }

    @Override
    public boolean advance(long watermark) {
      return true;
    }
  }

  @Test
  void aRowWhoseConditionFailsIsLeftOut() {
    Result result =
        harness(new PlanNode.Filter(new PlanNode.Scan("m", READINGS), isPositive(1)))
            .offer("m", batch("a", "-1", 1L, "b", "x", 2L, "c", "3", 3L, "d", "", 4L))
            .run();
    assertThat(values(result)).containsExactly("[c, 3, 3]");
    assertThat(failed.subList(0, 2))
        .satisfiesExactly(
            row -> assertThat(row).contains("[b, x, 2]"),
            row -> assertThat(row).contains("[d, , 4]"));
  }

  /** Its time would make other rows late. */
  @Test
  void aRowWhoseWatermarkFailsIsLeftOutAndMovesNoWatermark() {
    Expression watermark =
        new Expression.Call(
            "CASE",
            List.of(isPositive(1), time(), new Expression.Literal(null, Plans.TIME)),
            Plans.TIME);
    Result result =
        harness(new PlanNode.Watermark(new PlanNode.Scan("m", READINGS), 2, watermark))
            .offer("m", batch("a", "1", 1_000L, "b", "x", 9_000L, "c", "1", 2_000L))
            .run();
    assertThat(values(result)).containsExactly("[a, 1, 1000]", "[c, 1, 2000]");
    assertThat(result.watermark("out")).isEqualTo(2_000);
  }

  @Test
  void aWindowCountsOnlyTheRowsThatHaveAValue() {
    PlanNode.WindowAggregate count =
        new PlanNode.WindowAggregate(
            numbers(readings("m")),
            new Window.Tumbling(10_000, 0),
            2,
            List.of(0),
            List.of(
                new AggregateCall(
                    "COUNT", List.of(), List.of(), List.of(), -1, false, Type.BIGINT, "n")),
            "UTC",
            0,
            Rows.schema(
                "sensor",
                Type.STRING,
                "n",
                Type.BIGINT,
                "window_start",
                Plans.TIME,
                "window_end",
                Plans.TIME,
                "window_time",
                Plans.TIME));
    Result result =
        harness(count)
            .offer("m", batch("a", "1", 1L, "a", "x", 2L, "a", "3", 3L))
            .advance("m", Long.MAX_VALUE)
            .run();
    assertThat(result.changes("out"))
        .singleElement()
        .extracting(row -> row.values().get(1))
        .isEqualTo(2L);
  }

  /** Takes rows whose time is of no use, with the latest time that is taken. */
  private final class Times implements FailedRows {
    private final long latest;

    Times(long latest) {
      this.latest = latest;
    }

    @Override
    public void take(FailedRow row) {
      throw row.failure();
    }

    @Override
    public void takeTimeless(FailedRow row, List<Integer> madeOf) {
      failed.add(
          "%s %s of %s: %s"
              .formatted(
                  row.tables(), row.batch().row(row.row()), madeOf, row.failure().getMessage()));
    }

    @Override
    public long latestTime(String table, Type type) {
      return table.equals("m") && type.equals(Plans.TIME) ? latest : Long.MAX_VALUE;
    }

    @Override
    public void takeEarly(FailedRow row) {
      failed.add(
          "%s %s: %s"
              .formatted(row.tables(), row.batch().row(row.row()), row.failure().getMessage()));
    }
  }

  private static Pipeline pipeline(PlanNode node, List<String> out, FailedRows rows) {
    return Pipeline.compile(
        new Plan(List.of(new Plan.SinkNode("out", node))),
        FUNCTIONS,
        BuiltinAggregates.registry(),
        Map.of("out", new CollectingOutput(out)),
        rows);
  }

  @Test
  void aRowWithoutAnEventTimeIsToldAndCountedAsDropped() {
    List<String> out = new ArrayList<>();
    Pipeline pipeline = pipeline(readings("m"), out, new Times(Long.MAX_VALUE));
    Batch batch = Rows.of(READINGS).add("a", "1", 1L).add("b", "2", null).build();
    assertThat(pipeline.source("m").offer(batch)).isTrue();
    assertThat(out).containsExactly("[a, 1, 1]");
    assertThat(failed)
        .containsExactly(
            "[m] [b, 2, null] of [2]: the event time `ts` is NULL, so the row is in no window");
    assertThat(pipeline.counters().get(1).nullTimeRows()).isEqualTo(1);
  }

  /** A sensor of 2099 would make all readings after it late, those of other sensors too. */
  @Test
  void aRowFromTheFutureIsLeftOutAndMakesNoWatermark() {
    List<String> out = new ArrayList<>();
    Pipeline pipeline = pipeline(readings("m"), out, new Times(10_000_000));
    Batch batch =
        Rows.of(READINGS)
            .add("a", "1", 1L)
            .add("b", "2", 90_000_000L)
            .add("c", "3", null)
            .add("d", "4", 10_000_000L)
            .build();
    assertThat(pipeline.source("m").offer(batch)).isTrue();
    assertThat(out).containsExactly("[a, 1, 1]", "[d, 4, 10000000]");
    assertThat(failed)
        .containsExactly(
            "[m] [b, 2, 90000000]: the event time `ts` is 1970-01-01T00:01:30, and now none after"
                + " 1970-01-01T00:00:10 is taken",
            "[m] [c, 3, null] of [2]: the event time `ts` is NULL, so the row is in no window");
    assertThat(pipeline.counters().get(1).nullTimeRows()).isEqualTo(1);
    assertThat(pipeline.counters().getLast().watermark()).isEqualTo(10_000_000);
  }

  /** What is wrong with a time is seen in what it was made of, which no later step may have. */
  @Test
  void aRowWhoseTimeIsMadeIsToldAsItsTableGaveIt() {
    Expression made =
        new Expression.Call(
            "TO_TIMESTAMP", List.of(new Expression.Input(1, Type.STRING)), Plans.TIME);
    PlanNode times =
        new PlanNode.Project(
            new PlanNode.Scan("m", READINGS), List.of(made), Rows.schema("time", Plans.TIME));
    PlanNode plan = new PlanNode.Watermark(times, 0, new Expression.Input(0, Plans.TIME));
    List<String> out = new ArrayList<>();
    Pipeline pipeline = pipeline(plan, out, new Times(0));
    Batch batch =
        Rows.of(READINGS)
            .add("a", "1970-01-01 00:00:00", 5L)
            .add("b", "never", 6L)
            .add("c", "1970-01-02 00:00:00", 7L)
            .build();
    assertThat(pipeline.source("m").offer(batch)).isTrue();
    assertThat(out).containsExactly("[0]");
    assertThat(failed)
        .containsExactly(
            "[m] [b, never, 6] of [1]: the event time `time` is NULL, so the row is in no window",
            "[m] [c, 1970-01-02 00:00:00, 7]: the event time `time` is 1970-01-02T00:00, and now"
                + " none after 1970-01-01T00:00 is taken");
  }

  /** A row that is said to have met nothing would be wrong: nobody knows. */
  @Test
  void aPairWhoseConditionFailsInAnIntervalJoinIsLeftOutAndNotFilledWithNulls() {
    PlanNode join =
        new PlanNode.IntervalJoin(
            readings("l"),
            readings("r"),
            JoinKind.FULL,
            List.of(0),
            List.of(0),
            2,
            2,
            -10,
            10,
            false,
            Optional.of(isPositive(4)),
            JOINED);
    Result result =
        harness(join)
            .offer("l", batch("a", "l1", 1L, "b", "l2", 2L, "c", "l3", 3L))
            .offer("r", batch("a", "x", 1L, "b", "5", 2L, "b", "x", 3L))
            .advance("l", Long.MAX_VALUE)
            .advance("r", Long.MAX_VALUE)
            .run();
    assertThat(values(result))
        .containsExactlyInAnyOrder("[b, l2, 2, b, 5, 2]", "[c, l3, 3, null, null, null]");
    assertThat(failed.getFirst()).startsWith("[l, r] [a, l1, 1, a, x, 1] line 3:7");
  }

  @Test
  void aPairWhoseConditionFailsInALookupIsLeftOutAndARowThatFindsNothingIsNotAsked() {
    PlanNode join =
        new PlanNode.LookupJoin(
            new PlanNode.Scan("l", READINGS),
            new PlanNode.Scan("r", READINGS),
            JoinKind.LEFT,
            List.of(0),
            List.of(0),
            Optional.of(isPositive(1)),
            JOINED);
    Result result =
        harness(join)
            .offer("r", batch("a", "r1", 1L, "b", "r2", 2L))
            .advance("r", Long.MAX_VALUE)
            .offer("l", batch("a", "x", 1L, "b", "5", 2L, "b", "-5", 3L, "c", "x", 4L))
            .run();
    assertThat(values(result))
        .containsExactlyInAnyOrder(
            "[b, 5, 2, b, r2, 2]", "[b, -5, 3, null, null, null]", "[c, x, 4, null, null, null]");
    assertThat(failed.getFirst()).startsWith("[l, r] [a, x, 1, a, r1, 1] line 3:7");
  }

  @Test
  void aFaultOfAFunctionIsTheRowsFailureToo() {
    FunctionRegistry faulty =
        (_, _, _) ->
            Optional.of(
                (arguments, rows) -> {
                  throw new ArrayIndexOutOfBoundsException("5 of 4");
                });
    Pipeline pipeline =
        Pipeline.compile(
            new Plan(List.of(new Plan.SinkNode("out", numbers(new PlanNode.Scan("m", READINGS))))),
            faulty,
            BuiltinAggregates.registry(),
            Map.of("out", new CollectingOutput(new ArrayList<>())),
            row -> failed.add(String.valueOf(row.failure().getMessage())));
    assertThat(pipeline.source("m").offer(batch("a", "1", 1L))).isTrue();
    assertThat(failed)
        .containsExactly("a fault in CAST: java.lang.ArrayIndexOutOfBoundsException: 5 of 4");
  }

  @Test
  void withoutAnybodyWhoTakesItARowEndsTheCallWithThePlaceOfTheExpression() {
    Pipeline pipeline =
        Pipeline.compile(
            new Plan(List.of(new Plan.SinkNode("out", numbers(new PlanNode.Scan("m", READINGS))))),
            FUNCTIONS,
            BuiltinAggregates.registry(),
            Map.of("out", new CollectingOutput(new ArrayList<>())));
    assertThatThrownBy(() -> pipeline.source("m").offer(batch("a", "1", 1L, "b", "x", 2L)))
        .isInstanceOfSatisfying(
            EvaluationException.class, e -> assertThat(e.place()).isEqualTo(PLACE));
  }

  /** Else state would be of another plan when somebody puts a comment before a query. */
  @Test
  void whereACallWasWrittenIsNoPartOfIt() {
    Expression.Call call = new Expression.Call("NOW", List.of(), Plans.TIME, PLACE);
    assertThat(call).isEqualTo(call.at(null)).hasSameHashCodeAs(call.at(null));
    assertThat(call).hasToString(call.at(null).toString());
  }
}
