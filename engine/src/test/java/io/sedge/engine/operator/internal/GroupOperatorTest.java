package io.sedge.engine.operator.internal;

import static io.sedge.engine.operator.internal.WindowPlans.READINGS;
import static io.sedge.engine.operator.internal.WindowPlans.countAll;
import static io.sedge.engine.operator.internal.WindowPlans.ofValue;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.aggregate.BuiltinAggregates;
import io.sedge.engine.column.ChangeKind;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.testkit.OperatorHarness;
import io.sedge.engine.testkit.Rows;
import io.sedge.engine.testkit.Rows.Change;
import io.sedge.engine.type.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GroupOperatorTest {
  private static PlanNode.GroupAggregate plan(AggregateCall... calls) {
    Schema.Builder schema = Schema.builder().add("sensor", READINGS.type(1));
    for (int i = 0; i < calls.length; i++) {
      schema.add("a" + i, calls[i].type());
    }
    return new PlanNode.GroupAggregate(
        new PlanNode.Scan("readings", READINGS), List.of(1), List.of(calls), schema.build());
  }

  private static OperatorHarness harness(PlanNode.GroupAggregate node) {
    return OperatorHarness.operator(
            () -> GroupAggregates.operator(node, BuiltinAggregates.registry()))
        .updating();
  }

  @Test
  void aKeyIsInsertedThenUpdatedOncePerBatchAndNotAtAllWhenNothingChanged() {
    OperatorHarness.Result result =
        harness(plan(ofValue("MAX"), ofValue("COUNT")))
            .offer("0", Rows.of(READINGS).add(0L, "a", 2.0).add(0L, "a", 1.0).build())
            .offer("0", Rows.of(READINGS).add(0L, "a", null).add(0L, "b", 1.0).build())
            .offer("0", Rows.of(READINGS).add(0L, "a", 7.0).add(0L, null, 7.0).build())
            .run();
    assertThat(result.changes("out"))
        .containsExactly(
            Change.of("a", 2.0, 2L),
            Change.of("b", 1.0, 1L),
            Change.of(ChangeKind.UPDATE_BEFORE, "a", 2.0, 2L),
            Change.of(ChangeKind.UPDATE_AFTER, "a", 7.0, 3L),
            Change.of(ChangeKind.INSERT, null, 7.0, 1L));
  }

  @Test
  void whatTheChangesAddUpToIsTheAggregatesOfAllRows() {
    for (int run = 0; run < 20; run++) {
      long seed = System.nanoTime();
      Random random = new Random(seed);
      List<List<Object>> all = new ArrayList<>();
      Rows rows = Rows.of(READINGS);
      for (int i = 0; i < 150; i++) {
        List<Object> row = List.of("k" + random.nextInt(6), random.nextInt(9) / 2.0);
        all.add(row);
        rows.add(0L, row.get(0), row.get(1));
      }
      Map<List<@Nullable Object>, Integer> expected = new HashMap<>();
      for (Object key : all.stream().map(row -> row.get(0)).distinct().toList()) {
        List<List<Object>> ofKey = all.stream().filter(row -> row.get(0).equals(key)).toList();
        double sum = ofKey.stream().mapToDouble(row -> (Double) row.get(1)).sum();
        expected.put(Arrays.asList(key, sum, sum / ofKey.size(), (long) ofKey.size()), 1);
      }
      assertThat(
              harness(plan(ofValue("SUM"), ofValue("AVG"), countAll()))
                  .seed(seed)
                  .offer("0", rows.build())
                  .run()
                  .materialized("out"))
          .as("seed %d", seed)
          .isEqualTo(expected);
    }
  }
}
