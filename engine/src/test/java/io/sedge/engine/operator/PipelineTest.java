package io.sedge.engine.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.engine.column.Batch;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
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
import org.junit.jupiter.api.Test;

class PipelineTest {
  private static final Type TIME = Type.timestamp(3);
  private static final Schema READINGS =
      Rows.schema("sensor", Type.STRING, "value", Type.BIGINT, "ts", TIME);

  private static PlanNode scan(String table) {
    return new PlanNode.Watermark(
        new PlanNode.Scan(table, READINGS), 2, TestFunctions.minus(2, TIME, 5));
  }

  private static PlanNode above(PlanNode input, long bound) {
    return new PlanNode.Filter(input, TestFunctions.greaterThan(1, bound));
  }

  private static PlanNode valuesOnly(PlanNode input) {
    return new PlanNode.Project(
        input,
        List.of(TestFunctions.input(1, Type.BIGINT), TestFunctions.input(2, TIME)),
        Rows.schema("value", Type.BIGINT, "ts", TIME));
  }

  private static Plan plan(Object... namesAndNodes) {
    List<Plan.SinkNode> sinks = new ArrayList<>();
    for (int i = 0; i < namesAndNodes.length; i += 2) {
      sinks.add(new Plan.SinkNode((String) namesAndNodes[i], (PlanNode) namesAndNodes[i + 1]));
    }
    return new Plan(sinks);
  }

  private static Pipeline compile(Plan plan, Map<String, Output> sinks) {
    return Pipeline.compile(plan, TestFunctions.REGISTRY, _ -> Optional.empty(), sinks);
  }

  private static OperatorHarness harness(Plan plan, String... sinks) {
    return OperatorHarness.pipeline(outputs -> compile(plan, outputs), sinks);
  }

  private static Batch readings(Random random, int rows, long start) {
    Rows builder = Rows.of(READINGS);
    for (int i = 0; i < rows; i++) {
      builder.add(
          "s" + random.nextInt(5),
          random.nextInt(10) == 0 ? null : (long) random.nextInt(100),
          random.nextInt(20) == 0 ? null : start + i + random.nextInt(10));
    }
    return builder.build();
  }

  @Test
  void aFilterKeepsTheRowsThatAreTrueAndNotThoseThatAreNull() {
    Batch batch = Rows.of(READINGS).add("a", 1L, 1L).add("b", null, 2L).add("c", 7L, 3L).build();
    OperatorHarness.Result result =
        harness(plan("out", valuesOnly(above(new PlanNode.Scan("t", READINGS), 5))), "out")
            .offer("t", batch)
            .run();
    assertThat(result.rows("out")).containsExactly(List.of(7L, 3L));
  }

  @Test
  void rowsWithoutATimeAreDroppedAndCountedAndTheOthersCarryTheWatermarkBeforeThem() {
    List<long[]> marks = new ArrayList<>();
    List<Long> advanced = new ArrayList<>();
    Pipeline pipeline =
        compile(
            plan("out", scan("t")),
            Map.of(
                "out",
                new Output() {
                  @Override
                  public boolean offer(Batch batch) {
                    marks.add(batch.watermarks());
                    return true;
                  }

                  @Override
                  public boolean advance(long watermark) {
                    advanced.add(watermark);
                    return true;
                  }
                }));
    Batch batch =
        Rows.of(READINGS)
            .add("a", 1L, 10L)
            .add("a", 1L, null)
            .add("a", 1L, 20L)
            .add("a", 1L, 12L)
            .build();
    assertThat(pipeline.source("t").offer(batch)).isTrue();
    assertThat(marks).containsExactly(new long[] {Long.MIN_VALUE, 5, 15});
    assertThat(advanced).containsExactly(15L);
    assertThat(pipeline.source("t").advance(99)).isTrue();
    assertThat(advanced).as("a source's own watermarks are overruled").containsExactly(15L);
    assertThat(pipeline.source("t").advance(Long.MAX_VALUE)).isTrue();
    assertThat(advanced).containsExactly(15L, Long.MAX_VALUE);
    assertThat(pipeline.finished()).isTrue();
    assertThat(counters(pipeline, "Watermark").nullTimeRows()).isEqualTo(1);
    assertThat(counters(pipeline, "Watermark").rowsIn()).isEqualTo(4);
    assertThat(counters(pipeline, "Sink(out)").rowsIn()).isEqualTo(3);
  }

  private static Pipeline.Counters counters(Pipeline pipeline, String name) {
    return pipeline.counters().stream()
        .filter(counters -> counters.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void equalPartsRunOnceAndFeedAllTheirSinks() {
    Plan plan =
        plan(
            "low", valuesOnly(above(scan("t"), 10)),
            "high", above(above(scan("t"), 10), 50),
            "both", new PlanNode.Union(List.of(above(scan("t"), 10), above(scan("t"), 90))));
    Pipeline pipeline = compile(plan, outputs("low", "high", "both"));
    assertThat(pipeline.counters().stream().map(Pipeline.Counters::name))
        .containsExactly(
            "Scan(t)",
            "Watermark",
            "Filter",
            "Project",
            "Sink(low)",
            "Filter",
            "Sink(high)",
            "Filter",
            "Union",
            "Sink(both)");
    Random random = new Random(7);
    OperatorHarness harness = harness(plan, "low", "high", "both");
    for (int i = 0; i < 5; i++) {
      harness.offer("t", readings(random, 200, i * 200L));
    }
    OperatorHarness.Result result = harness.advance("t", Long.MAX_VALUE).run();
    assertThat(result.rows("low")).hasSizeGreaterThan(500);
    assertThat(result.rows("both")).hasSizeGreaterThan(result.rows("low").size());
    assertThat(result.watermark("both")).isEqualTo(Long.MAX_VALUE);
  }

  private static Map<String, Output> outputs(String... names) {
    Map<String, Output> outputs = new HashMap<>();
    for (String name : names) {
      outputs.put(name, new Marks());
    }
    return outputs;
  }

  /** Takes all and remembers the last watermark. */
  private static final class Marks implements Output {
    private long watermark = Long.MIN_VALUE;
    private long rows;
    private boolean full;

    @Override
    public boolean offer(Batch batch) {
      rows += full ? 0 : batch.rows();
      return !full;
    }

    @Override
    public boolean advance(long newWatermark) {
      if (!full) {
        watermark = newWatermark;
      }
      return !full;
    }
  }

  /** Two tables under one union, without watermarks of their own. */
  private static Pipeline union(Marks sink) {
    return compile(
        plan(
            "out",
            new PlanNode.Union(
                List.of(new PlanNode.Scan("a", READINGS), new PlanNode.Scan("b", READINGS)))),
        Map.of("out", sink));
  }

  @Test
  void theWatermarkOfAUnionIsTheLeastOfItsActiveInputs() {
    Marks sink = new Marks();
    Pipeline pipeline = union(sink);
    assertThat(pipeline.source("a").advance(10)).isTrue();
    assertThat(sink.watermark).isEqualTo(Long.MIN_VALUE);
    assertThat(pipeline.source("b").advance(7)).isTrue();
    assertThat(sink.watermark).isEqualTo(7);
    assertThat(pipeline.idle("b", true)).isTrue();
    assertThat(sink.watermark).isEqualTo(10);
    assertThat(pipeline.source("a").advance(20)).isTrue();
    assertThat(sink.watermark).isEqualTo(20);
    assertThat(pipeline.idle("b", false)).isTrue();
    assertThat(pipeline.source("b").advance(15)).isTrue();
    assertThat(pipeline.source("a").advance(30)).isTrue();
    assertThat(sink.watermark).as("b lags behind and does not count yet").isEqualTo(30);
    assertThat(pipeline.source("b").advance(30)).isTrue();
    assertThat(pipeline.source("a").advance(40)).isTrue();
    assertThat(sink.watermark).as("b has caught up and counts").isEqualTo(30);
  }

  @Test
  void whenAllInputsFallIdleTheGreatestWatermarkHolds() {
    Marks sink = new Marks();
    Pipeline pipeline = union(sink);
    assertThat(pipeline.source("a").advance(10)).isTrue();
    assertThat(pipeline.source("b").advance(20)).isTrue();
    assertThat(pipeline.idle("b", true)).isTrue();
    assertThat(sink.watermark).isEqualTo(10);
    assertThat(pipeline.idle("a", true)).isTrue();
    assertThat(sink.watermark).isEqualTo(20);
  }

  @Test
  void anEndedInputHoldsNothingBackAndDoesNotEndTheOthers() {
    Marks sink = new Marks();
    Pipeline pipeline = union(sink);
    assertThat(pipeline.source("a").advance(Long.MAX_VALUE)).isTrue();
    assertThat(sink.watermark).isEqualTo(Long.MIN_VALUE);
    assertThat(pipeline.source("b").advance(5)).isTrue();
    assertThat(sink.watermark).isEqualTo(5);
    assertThat(pipeline.idle("b", true)).isTrue();
    assertThat(sink.watermark).as("b may come back").isEqualTo(5);
    assertThat(pipeline.finished()).isFalse();
    assertThat(pipeline.source("b").advance(Long.MAX_VALUE)).isTrue();
    assertThat(sink.watermark).isEqualTo(Long.MAX_VALUE);
    assertThat(pipeline.finished()).isTrue();
  }

  @Test
  void aRefusalReachesTheSourceAndNoStateIsWrittenUntilItIsOver() {
    Marks open = new Marks();
    Marks full = new Marks();
    full.full = true;
    Pipeline pipeline =
        compile(
            plan("open", new PlanNode.Scan("t", READINGS), "full", above(scan("t"), 0)),
            Map.of("open", open, "full", full));
    Batch batch = Rows.of(READINGS).add("a", 1L, 1L).build();
    assertThat(pipeline.source("t").offer(batch)).isFalse();
    assertThat(pipeline.source("t").offer(batch)).isFalse();
    assertThat(pipeline.flushed()).isFalse();
    assertThatThrownBy(() -> StateImage.snapshotOf(pipeline))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Scan(t) (operator 0) waits for room");
    full.full = false;
    assertThat(pipeline.source("t").offer(batch)).isTrue();
    assertThat(pipeline.flushed()).isTrue();
    assertThat(open.rows).as("the open sink got the row once").isEqualTo(1);
    assertThat(full.rows).isEqualTo(1);
    assertThat(StateImage.snapshotOf(pipeline).size()).isPositive();
  }

  @Test
  void offeringAnotherBatchBeforeTheRefusedOneIsTakenIsAnError() {
    Marks full = new Marks();
    full.full = true;
    Pipeline pipeline = compile(plan("out", new PlanNode.Scan("t", READINGS)), Map.of("out", full));
    Batch first = Rows.of(READINGS).add("a", 1L, 1L).build();
    Batch second = Rows.of(READINGS).add("a", 1L, 1L).build();
    assertThat(pipeline.source("t").offer(first)).isFalse();
    assertThatThrownBy(() -> pipeline.source("t").offer(second))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("before it had taken the one that it refused");
  }

  @Test
  void severalPartsMayWriteOneSinkWhichEndsWhenAllHaveEnded() {
    Marks sink = new Marks();
    Pipeline pipeline =
        compile(
            plan("out", new PlanNode.Scan("a", READINGS), "out", new PlanNode.Scan("b", READINGS)),
            Map.of("out", sink));
    assertThat(pipeline.source("a").advance(Long.MAX_VALUE)).isTrue();
    assertThat(sink.watermark).isEqualTo(Long.MIN_VALUE);
    assertThat(pipeline.source("b").advance(Long.MAX_VALUE)).isTrue();
    assertThat(sink.watermark).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aLimitPassesItsRowsThenTheEnd() {
    OperatorHarness.Result result =
        harness(plan("out", new PlanNode.Limit(scan("t"), 3)), "out")
            .offer("t", Rows.of(READINGS).add("a", 1L, 1L).add("b", 1L, 20L).build())
            .offer("t", Rows.of(READINGS).add("c", 1L, 30L).add("d", 1L, 40L).build())
            .offer("t", Rows.of(READINGS).add("e", 1L, 50L).build())
            .advance("t", Long.MAX_VALUE)
            .run();
    assertThat(result.rows("out"))
        .containsExactly(List.of("a", 1L, 1L), List.of("b", 1L, 20L), List.of("c", 1L, 30L));
    assertThat(result.watermark("out")).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void valuesRunAtTheStartAndOnlyOnceThoughRestored() {
    List<List<Expression.Literal>> rows = new ArrayList<>();
    for (long i = 0; i < 10_000; i++) {
      rows.add(List.of(new Expression.Literal(i, Type.BIGINT)));
    }
    Schema schema = Rows.schema("n", Type.BIGINT);
    OperatorHarness.Result result =
        harness(
                plan(
                    "out",
                    new PlanNode.Values(rows, schema),
                    "t",
                    new PlanNode.Scan("t", READINGS)),
                "out",
                "t")
            .offer("t", readings(new Random(3), 10, 0))
            .advance("t", Long.MAX_VALUE)
            .run();
    assertThat(result.rows("out")).hasSize(10_000).doesNotHaveDuplicates();
    assertThat(result.watermark("out")).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void stateOfAnotherPlanIsRefused() {
    Pipeline one = compile(plan("out", above(scan("t"), 1)), outputs("out"));
    Pipeline other = compile(plan("out", above(scan("t"), 2)), outputs("out"));
    assertThatThrownBy(() -> other.restore(StateImage.snapshotOf(one).entries()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("another plan");
  }

  @Test
  void whatIsMissingIsNamed() {
    assertThatThrownBy(() -> compile(plan("out", scan("t")), outputs("aut")))
        .hasMessage("the plan writes the sink out; sinks were given for [aut]");
    assertThatThrownBy(() -> compile(plan("out", scan("t")), outputs("out")).source("u"))
        .hasMessage("the plan does not scan the table u but [t]");
  }

  @Test
  void rowsOfAnIdleTableEndItsIdleness() {
    Marks sink = new Marks();
    Pipeline pipeline = union(sink);
    assertThat(pipeline.source("a").advance(10)).isTrue();
    assertThat(pipeline.idle("b", true)).isTrue();
    assertThat(pipeline.source("b").offer(Rows.of(READINGS).add("a", 1L, 1L).build())).isTrue();
    assertThat(pipeline.source("a").advance(20)).isTrue();
    assertThat(pipeline.source("b").advance(12)).isTrue();
    assertThat(sink.watermark).isEqualTo(20);
    assertThat(pipeline.source("b").advance(20)).isTrue();
    assertThat(pipeline.source("a").advance(30)).isTrue();
    assertThat(sink.watermark).isEqualTo(20);
  }

  /** The union is busy with a's rows when b comes back: nobody but b's source can tell it so. */
  @Test
  void anIdleTableComesBackThoughItsUnionWaitsForRoom() {
    Marks sink = new Marks();
    Pipeline pipeline = union(sink);
    assertThat(pipeline.idle("b", true)).isTrue();
    sink.full = true;
    Batch ofA = Rows.of(READINGS).add("a", 1L, 1L).build();
    Batch ofB = Rows.of(READINGS).add("b", 2L, 2L).build();
    assertThat(pipeline.source("a").offer(ofA)).isFalse();
    assertThat(pipeline.source("b").offer(ofB)).isFalse();
    assertThat(pipeline.source("b").offer(ofB)).isFalse();
    sink.full = false;
    assertThat(pipeline.source("a").offer(ofA)).isTrue();
    assertThat(pipeline.source("b").offer(ofB)).isTrue();
    assertThat(pipeline.flushed()).isTrue();
    assertThat(pipeline.source("a").advance(20)).isTrue();
    assertThat(pipeline.source("b").advance(15)).isTrue();
    assertThat(sink.watermark).as("b counts again").isEqualTo(15);
  }
}
