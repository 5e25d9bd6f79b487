package io.sedge.engine.operator.internal;

import static io.sedge.engine.operator.internal.WindowPlans.READINGS;
import static io.sedge.engine.operator.internal.WindowPlans.SECOND;
import static io.sedge.engine.operator.internal.WindowPlans.countAll;
import static io.sedge.engine.operator.internal.WindowPlans.ofValue;
import static io.sedge.engine.operator.internal.WindowPlans.plan;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.aggregate.BuiltinAggregates;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.operator.Operator;
import io.sedge.engine.operator.Output;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.Window;
import io.sedge.engine.testkit.StateImage;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WindowStateTest {
  private static final int KEYS_PER_SECOND = 20;
  private static final int SECONDS = 1000;

  private static final Output SINK = new OpenSink();

  static Stream<Window> windows() {
    return Stream.of(
        new Window.Tumbling(10 * SECOND, 0),
        new Window.Hopping(20 * SECOND, SECOND, 0),
        new Window.Cumulating(20 * SECOND, 5 * SECOND, 0),
        new Window.Session(15 * SECOND));
  }

  /** Every second brings keys never seen before; what is kept must be of the open windows alone. */
  @ParameterizedTest
  @MethodSource("windows")
  void keysOfClosedWindowsLeaveTheState(Window window) {
    PlanNode.WindowAggregate node =
        plan(READINGS, window, List.of(1), List.of(countAll(), ofValue("AVG")));
    Operator operator = WindowAggregates.operator(node, BuiltinAggregates.registry());
    StateImage image = new StateImage();
    for (int second = 0; second < SECONDS; second++) {
      BatchBuilder builder = new BatchBuilder(READINGS);
      for (int key = 0; key < KEYS_PER_SECOND; key++) {
        builder.addRow(second * SECOND, "key-" + second + "-" + key, 1.0);
      }
      operator.process(0, builder.build(), SINK);
      operator.advance(second * SECOND, SINK);
      operator.checkInvariants();
      if (second % 7 == 0) {
        operator.writeChanges(image);
        assertThat(image.size()).as("%s", window).isLessThanOrEqualTo(21 * KEYS_PER_SECOND + 1);
      }
    }
    operator.writeChanges(image);
    assertThat(image).isEqualTo(StateImage.snapshotOf(operator));
    operator.advance(Long.MAX_VALUE, SINK);
    operator.writeChanges(image);
    assertThat(image.size()).as("the progress is left").isEqualTo(1);
  }
}
