package io.sedge.engine.operator;

import io.sedge.engine.operator.internal.GraphRunner;
import io.sedge.engine.operator.internal.StateKeys;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which entries of a pipeline's state belong to which step of its plan, known from the plan alone.
 * With it the state of a plan's steps can be taken over by another plan that has the same steps:
 * their entries are put under the prefixes that these steps have there, and the entry that {@link
 * #planEntry tells the plan} is set. Steps without entries begin empty.
 *
 * <p>Equal steps are one step. They are numbered from 0, inputs before their consumers, sinks in
 * the plan's order. Immutable.
 */
public final class StateLayout {
  private final Plan plan;
  private final List<Step> steps = new ArrayList<>();
  private final Map<PlanNode, Integer> known = new HashMap<>();

  /**
   * A step of a plan, or one of its sinks.
   *
   * @param id its number
   * @param node what it does; empty for a sink
   * @param sink the table that it writes; empty for what is no sink
   * @param inputs the ids of the steps that feed it
   */
  public record Step(int id, Optional<PlanNode> node, Optional<String> sink, List<Integer> inputs) {
    public Step {
      inputs = List.copyOf(inputs);
    }
  }

  private StateLayout(Plan plan) {
    this.plan = plan;
    Map<String, List<PlanNode>> sinks = new LinkedHashMap<>();
    for (Plan.SinkNode sink : plan.sinks()) {
      sinks.computeIfAbsent(sink.table(), _ -> new ArrayList<>()).add(sink.input());
    }
    sinks.forEach(
        (table, inputs) -> {
          List<Integer> feeding = inputs.stream().map(this::add).toList();
          steps.add(new Step(steps.size(), Optional.empty(), Optional.of(table), feeding));
        });
  }

  public static StateLayout of(Plan plan) {
    return new StateLayout(plan);
  }

  private int add(PlanNode node) {
    Integer before = known.get(node);
    if (before != null) {
      return before;
    }
    List<Integer> feeding = node.inputs().stream().map(this::add).toList();
    int id = steps.size();
    steps.add(new Step(id, Optional.of(node), Optional.empty(), feeding));
    known.put(node, id);
    return id;
  }

  /** By id. */
  public List<Step> steps() {
    return List.copyOf(steps);
  }

  /** What the keys of a step's entries begin with, and no other's; all are of one length. */
  public static byte[] prefix(Step step) {
    return StateKeys.prefix(step.id());
  }

  /** The entry that says which plan the others are of: state without it is refused. */
  public Map.Entry<byte[], byte[]> planEntry() {
    return GraphRunner.planEntry(plan);
  }
}
