package io.sedge.engine.operator;

import static java.util.Arrays.asList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.column.Batch;
import io.sedge.engine.plan.EventTime;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.Window;
import io.sedge.engine.testkit.Rows;
import io.sedge.engine.testkit.TestFunctions;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UnnestTest {
  private static final Type SAMPLE = Type.row(List.of("a", "b"), List.of(Type.INT, Type.STRING));
  private static final Schema NUMBERS =
      Rows.schema("id", Type.STRING, "samples", Type.array(Type.INT), "ts", Plans.TIME);
  private static final Schema SAMPLES =
      Rows.schema("id", Type.STRING, "samples", Type.array(SAMPLE), "ts", Plans.TIME);

  private static PlanNode numbers(boolean outer) {
    Schema schema = Rows.schema("id", Type.STRING, "x", Type.INT, "n", Type.INT);
    return new PlanNode.Unnest(new PlanNode.Scan("t", NUMBERS), 1, List.of(0), true, outer, schema);
  }

  private static List<List<@Nullable Object>> rows(PlanNode plan, Batch batch) {
    return Plans.harness(plan).offer("t", batch).run().rows("out");
  }

  private static Batch arrays() {
    return Rows.of(NUMBERS)
        .add("a", asList(1, null, 3), 0L)
        .add("b", List.of(), 0L)
        .add("c", null, 0L)
        .add("d", List.of(4), 0L)
        .build();
  }

  @Test
  void eachElementIsARowWithItsNumber() {
    assertThat(rows(numbers(false), arrays()))
        .containsExactly(
            List.of("a", 1, 1), asList("a", null, 2), List.of("a", 3, 3), List.of("d", 4, 1));
  }

  @Test
  void aRowWithoutElementsIsFilledWithNullsIfTheJoinIsOuter() {
    assertThat(rows(numbers(true), arrays()))
        .contains(asList("b", null, null), asList("c", null, null))
        .hasSize(6);
  }

  @Test
  void theFieldsOfARowAreColumnsOfTheirOwn() {
    PlanNode plan =
        new PlanNode.Unnest(
            new PlanNode.Scan("t", SAMPLES),
            1,
            List.of(0),
            false,
            false,
            Rows.schema("id", Type.STRING, "a", Type.INT, "b", Type.STRING));
    Batch batch =
        Rows.of(SAMPLES)
            .add("s", asList(List.of(1, "x"), null, asList(2, null)), 0L)
            .add("t", List.of(List.of(3, "y")), 0L)
            .build();
    assertThat(rows(plan, batch))
        .containsExactly(List.of("s", 1, "x"), asList("s", 2, null), List.of("t", 3, "y"));
  }

  // A payload may hold a second of samples at 100 kHz: no batch is longer for it.
  @Test
  void aLongArrayMakesManyBatches() {
    int length = 100_000;
    Batch batch =
        Rows.of(NUMBERS).add("a", IntStream.range(0, length).boxed().toList(), 0L).build();
    List<Integer> sizes = sizes(numbers(false), batch);
    assertThat(sizes.stream().mapToInt(Integer::intValue).sum()).isEqualTo(length);
    assertThat(sizes).allMatch(size -> size <= Batch.TARGET_ROWS).hasSize(25);
  }

  // Each row of the result has a copy of what is kept.
  @Test
  void whereTheArrayIsKeptBatchesAreShorter() {
    int length = 20_000;
    Batch batch =
        Rows.of(NUMBERS).add("a", IntStream.range(0, length).boxed().toList(), 0L).build();
    PlanNode plan =
        new PlanNode.Unnest(
            new PlanNode.Scan("t", NUMBERS),
            1,
            List.of(1),
            false,
            false,
            Rows.schema("samples", Type.array(Type.INT), "x", Type.INT));
    List<Integer> sizes = sizes(plan, batch);
    assertThat(sizes.stream().mapToInt(Integer::intValue).sum()).isEqualTo(length);
    assertThat(sizes).allMatch(size -> size <= 4);
  }

  // 4,096 copies of a payload of 4,096 samples would be 16 million samples at once.
  @Test
  void whereARowThatHasTheArrayIsKeptBatchesAreShorter() {
    int length = 4_096;
    List<Integer> samples = IntStream.range(0, length).boxed().toList();
    Type payload =
        Type.row(List.of("machine", "samples"), List.of(Type.STRING, Type.array(Type.INT)));
    Schema schema = Rows.schema("payload", payload, "samples", Type.array(Type.INT));
    Batch batch = Rows.of(schema).add(List.of("a", samples), samples).build();
    List<Integer> sizes = sizes(keepsTheFirst(schema), batch);
    assertThat(sizes.stream().mapToInt(Integer::intValue).sum()).isEqualTo(length);
    assertThat(sizes).allMatch(size -> size <= 16);
  }

  @Test
  void whereAnArrayOfArraysIsKeptOrSpreadBatchesAreShorter() {
    List<List<Integer>> chunks =
        Collections.nCopies(4, IntStream.range(0, 40_000).boxed().toList());
    Type nested = Type.array(Type.array(Type.INT));
    Schema kept = Rows.schema("chunks", nested, "samples", Type.array(Type.INT));
    List<Integer> samples = List.of(1, 2, 3);
    assertThat(sizes(keepsTheFirst(kept), Rows.of(kept).add(chunks, samples).build()))
        .containsExactly(1, 1, 1);
    Schema spread = Rows.schema("id", Type.STRING, "chunks", nested);
    PlanNode plan =
        new PlanNode.Unnest(
            new PlanNode.Scan("t", spread),
            1,
            List.of(0),
            false,
            false,
            Rows.schema("id", Type.STRING, "x", Type.array(Type.INT)));
    assertThat(sizes(plan, Rows.of(spread).add("a", chunks).build())).containsExactly(2, 2);
  }

  /** Of two columns, with the elements of the second. */
  private static PlanNode keepsTheFirst(Schema schema) {
    Schema result = Rows.schema(schema.name(0), schema.type(0), "x", Type.INT);
    return new PlanNode.Unnest(new PlanNode.Scan("t", schema), 1, List.of(0), false, false, result);
  }

  private static List<Integer> sizes(PlanNode plan, Batch batch) {
    List<Integer> sizes = new ArrayList<>();
    Output sink =
        new Output() {
          @Override
          public boolean offer(Batch rows) {
            sizes.add(rows.rows());
            return true;
          }

          @Override
          public boolean advance(long watermark) {
            return true;
          }
        };
    Pipeline pipeline = Plans.compile(plan, Map.of("out", sink));
    assertThat(pipeline.source("t").offer(batch)).isTrue();
    return sizes;
  }

  /** Elements are in the window of their row, so windows after it work. */
  @Test
  void elementsHaveTheEventTimeOfTheirRow() {
    PlanNode readings =
        new PlanNode.Watermark(
            new PlanNode.Scan("t", NUMBERS), 2, TestFunctions.minus(2, Plans.TIME, 0));
    PlanNode unnest =
        new PlanNode.Unnest(
            readings,
            1,
            List.of(0, 2),
            false,
            false,
            Rows.schema("id", Type.STRING, "ts", Plans.TIME, "x", Type.INT));
    assertThat(EventTime.columns(unnest)).containsExactly(1);
    AggregateCall count =
        new AggregateCall(
            "COUNT", List.of(), List.of(), List.of(), -1, false, Type.BIGINT.notNull(), "n");
    PlanNode counted =
        new PlanNode.WindowAggregate(
            unnest,
            new Window.Tumbling(10_000, 0),
            1,
            List.of(0),
            List.of(count),
            "UTC",
            0,
            Plans.with(
                Rows.schema("id", Type.STRING, "n", Type.BIGINT.notNull()),
                "window_start",
                "window_end",
                "window_time"));
    Batch batch =
        Rows.of(NUMBERS)
            .add("a", List.of(1, 2, 3), 0L)
            .add("a", List.of(4), 9_999L)
            .add("a", List.of(5, 6), 10_000L)
            .add("a", List.of(), 20_000L)
            .build();
    assertThat(rows(counted, batch))
        .extracting(row -> row.get(1), row -> row.get(2))
        .containsExactly(tuple(4L, 0L), tuple(2L, 10_000L));
  }
}
