package io.sedge.engine.operator.internal;

import static io.sedge.engine.operator.internal.WindowPlans.READINGS;
import static io.sedge.engine.operator.internal.WindowPlans.SECOND;
import static io.sedge.engine.operator.internal.WindowPlans.countAll;
import static io.sedge.engine.operator.internal.WindowPlans.ofValue;
import static io.sedge.engine.operator.internal.WindowPlans.plan;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.aggregate.BuiltinAggregates;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.Window;
import io.sedge.engine.testkit.OperatorHarness;
import io.sedge.engine.testkit.Rows;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WindowOperatorTest {
  private static OperatorHarness harness(PlanNode.WindowAggregate node) {
    return OperatorHarness.operator(
        () -> WindowAggregates.operator(node, BuiltinAggregates.registry()));
  }

  private static List<@Nullable Object> row(@Nullable Object... values) {
    return java.util.Arrays.asList(values);
  }

  @Test
  void aTumblingWindowFiresOncePerKeyWhenTheWatermarkReachesItsLastMillisecond() {
    PlanNode.WindowAggregate node =
        plan(
            READINGS,
            new Window.Tumbling(10 * SECOND, 0),
            List.of(1),
            List.of(countAll(), ofValue("SUM"), ofValue("MIN"), ofValue("MAX"), ofValue("AVG")));
    OperatorHarness.Result result =
        harness(node)
            .offer(
                "0",
                Rows.of(READINGS)
                    .add(1 * SECOND, "a", 1.0)
                    .add(2 * SECOND, "b", 5.0)
                    .add(9 * SECOND, "a", 3.0)
                    .add(11 * SECOND, "a", null)
                    .build())
            .advance("0", 10 * SECOND - 1001)
            .advance("0", 10 * SECOND - 1000)
            .advance("0", Long.MAX_VALUE)
            .run();
    assertThat(result.rows("out"))
        .containsExactly(
            row("a", 2L, 4.0, 1.0, 3.0, 2.0, 0L, 10 * SECOND, 10 * SECOND - 1000),
            row("b", 1L, 5.0, 5.0, 5.0, 5.0, 0L, 10 * SECOND, 10 * SECOND - 1000),
            row("a", 1L, null, null, null, null, 10 * SECOND, 20 * SECOND, 20 * SECOND - 1000));
  }
}
