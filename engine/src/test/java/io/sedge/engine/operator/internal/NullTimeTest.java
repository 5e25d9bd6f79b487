package io.sedge.engine.operator.internal;

import static io.sedge.engine.operator.internal.WindowPlans.READINGS;
import static io.sedge.engine.operator.internal.WindowPlans.SECOND;
import static io.sedge.engine.operator.internal.WindowPlans.countAll;
import static io.sedge.engine.operator.internal.WindowPlans.plan;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.aggregate.BuiltinAggregates;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.operator.Operator;
import io.sedge.engine.operator.Output;
import io.sedge.engine.plan.Ordering;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.Window;
import io.sedge.engine.testkit.OperatorHarness;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An outer join fills times with nulls: such rows are in no window, and neither first nor last. */
class NullTimeTest {
  private static Batch readings(@Nullable Long... times) {
    BatchBuilder builder = new BatchBuilder(READINGS);
    for (Long time : times) {
      builder.addRow(time, "s", 1.0);
    }
    return builder.build();
  }

  private static long nullTimes(Supplier<Operator> factory, Batch batch) {
    Operator operator = factory.get();
    Output sink = new OpenSink();
    assertThat(operator.process(0, batch, sink)).isTrue();
    assertThat(operator.advance(Long.MAX_VALUE, sink)).isTrue();
    return operator.nullTimeRows();
  }

  static Stream<Window> windows() {
    return Stream.of(
        new Window.Tumbling(10 * SECOND, 0),
        new Window.Hopping(20 * SECOND, 10 * SECOND, 0),
        new Window.Cumulating(20 * SECOND, 10 * SECOND, 0),
        new Window.Session(5 * SECOND));
  }

  @ParameterizedTest
  @MethodSource("windows")
  void rowsWithoutATimeAreInNoWindowAndCounted(Window window) {
    PlanNode.WindowAggregate node = plan(READINGS, window, List.of(1), List.of(countAll()));
    Supplier<Operator> factory =
        () -> WindowAggregates.operator(node, BuiltinAggregates.registry());
    Batch mixed = readings(null, 31 * SECOND, null, 32 * SECOND, 33 * SECOND, null);
    Batch timed = readings(31 * SECOND, 32 * SECOND, 33 * SECOND);
    assertThat(rows(factory, mixed)).isEqualTo(rows(factory, timed)).isNotEmpty();
    assertThat(rows(factory, mixed.select(new int[] {0, 1, 3, 4}, 4)))
        .isEqualTo(rows(factory, timed));
    assertThat(rows(factory, readings(null, null))).isEmpty();
    assertThat(nullTimes(factory, mixed)).isEqualTo(3);
  }

  private static List<List<@Nullable Object>> rows(Supplier<Operator> factory, Batch batch) {
    return OperatorHarness.operator(factory)
        .offer("0", batch)
        .advance("0", Long.MAX_VALUE)
        .run()
        .rows("out");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void rowsWithoutATimeAreNeitherFirstNorLast(boolean last) {
    PlanNode.TopN node =
        new PlanNode.TopN(
            new PlanNode.Scan("t", READINGS),
            List.of(1),
            List.of(new Ordering(0, last, false)),
            1,
            1,
            -1,
            null,
            READINGS);
    Supplier<Operator> factory =
        () -> last ? new KeepLastOperator(node) : new KeepFirstOperator(node);
    // A null stands where the array of a builder has an earlier value.
    BatchBuilder builder = new BatchBuilder(READINGS);
    LongStream.rangeClosed(1, 9).forEach(time -> builder.addRow(time * SECOND, "x", 1.0));
    builder.build();
    List<@Nullable Long> times = new ArrayList<>(List.of(5 * SECOND, 6 * SECOND));
    times.addFirst(null);
    times.addLast(null);
    times.forEach(time -> builder.addRow(time, "s", 1.0));
    Batch batch = builder.build();
    OperatorHarness.Result result =
        OperatorHarness.operator(factory)
            .updating()
            .offer("0", batch)
            .advance("0", Long.MAX_VALUE)
            .run();
    assertThat(result.materialized("out").keySet())
        .containsExactly(List.of((last ? 6 : 5) * SECOND, "s", 1.0));
    assertThat(nullTimes(factory, batch)).isEqualTo(2);
  }
}
