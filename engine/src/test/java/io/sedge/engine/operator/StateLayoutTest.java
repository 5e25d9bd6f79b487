package io.sedge.engine.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.state.StateWriter;
import io.sedge.engine.testkit.Rows;
import io.sedge.engine.testkit.TestFunctions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** State of a plan's steps that a plan with more of them goes on from. */
class StateLayoutTest {
  private static final PlanNode FIRST = Plans.readings("first", 0);
  private static final PlanNode SECOND = Plans.readings("second", 0);

  private static PlanNode union(PlanNode... inputs) {
    return new PlanNode.Union(List.of(inputs));
  }

  private static Plan plan(PlanNode... nodes) {
    return new Plan(Arrays.stream(nodes).map(node -> new Plan.SinkNode("out", node)).toList());
  }

  private static Pipeline compile(Plan plan, Output sink) {
    return Pipeline.compile(
        plan, TestFunctions.REGISTRY, _ -> Optional.empty(), Map.of("out", sink));
  }

  private static Map<byte[], byte[]> snapshot(Pipeline pipeline) {
    Map<byte[], byte[]> entries = new TreeMap<>(Arrays::compareUnsigned);
    pipeline.writeSnapshot(
        new StateWriter() {
          @Override
          public void put(byte[] key, byte[] value) {
            entries.put(key, value);
          }

          @Override
          public void remove(byte[] key) {
            entries.remove(key);
          }
        });
    return entries;
  }

  /** The entries of the steps that both plans have, as they are called in the second. */
  private static Map<byte[], byte[]> takenOver(Map<byte[], byte[]> state, Plan from, Plan to) {
    Map<byte[], byte[]> taken = new TreeMap<>(Arrays::compareUnsigned);
    StateLayout after = StateLayout.of(to);
    for (StateLayout.Step old : StateLayout.of(from).steps()) {
      for (StateLayout.Step young : after.steps()) {
        if (old.node().isPresent() && old.node().equals(young.node())) {
          move(state, StateLayout.prefix(old), StateLayout.prefix(young), taken);
        }
      }
    }
    taken.put(after.planEntry().getKey(), after.planEntry().getValue());
    return taken;
  }

  private static void move(
      Map<byte[], byte[]> state, byte[] from, byte[] to, Map<byte[], byte[]> taken) {
    state.forEach(
        (key, value) -> {
          if (key[0] == from[0] && key[1] == from[1]) {
            byte[] moved = key.clone();
            System.arraycopy(to, 0, moved, 0, to.length);
            taken.put(moved, value);
          }
        });
  }

  @Test
  void stepsAreNumberedAsTheirOperatorsAre() {
    Plan plan = plan(union(FIRST, SECOND), FIRST);
    List<StateLayout.Step> steps = StateLayout.of(plan).steps();
    assertThat(steps).extracting(StateLayout.Step::id).containsExactly(0, 1, 2, 3, 4, 5);
    assertThat(compile(plan, new CountingSink()).counters())
        .extracting(Pipeline.Counters::inputs)
        .isEqualTo(steps.stream().map(StateLayout.Step::inputs).toList());
  }

  /** Else it would hold back the watermark of all for ever: what has ended says it once. */
  @Test
  void aNewStepIsToldThatAnInputBeforeItHasEndedOrIsIdle() {
    Plan before = plan(FIRST, SECOND, Plans.readings("third", 0));
    Pipeline pipeline = compile(before, new CountingSink());
    assertThat(pipeline.start()).isTrue();
    pipeline.source("first").offer(Rows.of(Plans.READINGS).add("a", 1L, 10L).build());
    pipeline.source("second").advance(Long.MAX_VALUE);
    pipeline.idle("third", true);
    Plan after = plan(union(SECOND, FIRST, Plans.readings("third", 0)));
    CountingSink sink = new CountingSink();
    Pipeline next = compile(after, sink);
    next.restore(takenOver(snapshot(pipeline), before, after).entrySet());
    assertThat(sink.watermark()).isEqualTo(Long.MIN_VALUE);
    assertThat(next.start()).isTrue();
    assertThat(sink.watermark()).as("what the first table has come to").isEqualTo(10);
    next.source("first").offer(Rows.of(Plans.READINGS).add("a", 1L, 20L).build());
    assertThat(sink.watermark()).isEqualTo(20);
    next.source("first").advance(Long.MAX_VALUE);
    assertThat(next.idle("third", false)).isTrue();
    assertThat(sink.watermark()).as("the third has not ended").isLessThan(Long.MAX_VALUE);
  }

  @Test
  void aSinkThatRefusesIsToldAgain() {
    Plan before = plan(FIRST);
    Pipeline pipeline = compile(before, new CountingSink());
    pipeline.source("first").offer(Rows.of(Plans.READINGS).add("a", 1L, 10L).build());
    Plan after = plan(union(FIRST, FIRST));
    boolean[] refuses = {true};
    CountingSink sink = new CountingSink();
    Pipeline next =
        compile(
            after,
            new Output() {
              @Override
              public boolean offer(io.sedge.engine.column.Batch batch) {
                return sink.offer(batch);
              }

              @Override
              public boolean advance(long watermark) {
                return !refuses[0] && sink.advance(watermark);
              }
            });
    next.restore(takenOver(snapshot(pipeline), before, after).entrySet());
    assertThat(next.start()).isFalse();
    assertThat(next.flushed()).as("so that no commit comes between").isFalse();
    refuses[0] = false;
    boolean told = next.start();
    assertThat(told || next.start()).as("once it takes all").isTrue();
    assertThat(sink.watermark()).isEqualTo(10);
  }
}
