package io.sedge.engine.operator.internal;

import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.Window;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.List;

/** Plan nodes for tests of windows. */
final class WindowPlans {
  static final long SECOND = 1_000_000;
  static final long HOUR = 3600 * SECOND;

  /** A time, a sensor and a value. */
  static final Schema READINGS =
      Schema.builder()
          .add("ts", Type.timestamp(3))
          .add("sensor", Type.STRING)
          .add("v", Type.DOUBLE)
          .build();

  private WindowPlans() {}

  static AggregateCall call(String function, int argument, Type argumentType, Type type) {
    return new AggregateCall(
        function, List.of(argument), List.of(argumentType), List.of(), -1, false, type, function);
  }

  /** An aggregate of the value of {@link #READINGS}. */
  static AggregateCall ofValue(String function) {
    return call(function, 2, Type.DOUBLE, function.equals("COUNT") ? Type.BIGINT : Type.DOUBLE);
  }

  static AggregateCall countAll() {
    return new AggregateCall(
        "COUNT", List.of(), List.of(), List.of(), -1, false, Type.BIGINT.notNull(), "rows");
  }

  static PlanNode.WindowAggregate plan(
      Schema input, Window window, List<Integer> keys, List<AggregateCall> calls) {
    return plan(input, window, keys, calls, "UTC", 0);
  }

  static PlanNode.WindowAggregate plan(
      Schema input,
      Window window,
      List<Integer> keys,
      List<AggregateCall> calls,
      String zone,
      long lateness) {
    Schema.Builder schema = Schema.builder();
    keys.forEach(key -> schema.add("k" + key, input.type(key)));
    for (int i = 0; i < calls.size(); i++) {
      schema.add("a" + i, calls.get(i).type());
    }
    schema.add("window_start", Type.timestamp(3));
    schema.add("window_end", Type.timestamp(3));
    schema.add("window_time", input.type(0));
    return new PlanNode.WindowAggregate(
        new PlanNode.Scan("readings", input),
        window,
        0,
        keys,
        calls,
        zone,
        lateness,
        schema.build());
  }
}
