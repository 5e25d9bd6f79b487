package io.sedge.division;

import io.sedge.division.Cut.Exchange;
import io.sedge.engine.operator.StateLayout;
import io.sedge.engine.operator.StateLayout.Step;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the tasks of one work take over from the version before: the steps that mean the same, and
 * the positions of the tables that they read.
 *
 * <p>A step that means the same begins anew all the same where it would have to be given again what
 * it had: the table of a look-up is read whole for each join that begins anew, and constant rows
 * are given once to all. Whatever gets these rows again begins anew too.
 */
final class TakeOver {
  private final StateLayout before;
  private final StateLayout after;

  /** Ids of steps of the new plan, and of those of the old one that they go on from. */
  private final Map<Integer, Integer> kept = new TreeMap<>();

  /** The steps of the new plan that read, or are fed with, what the version before has read. */
  private final Set<Integer> begunAnew = new HashSet<>();

  private final Map<Integer, List<Step>> consumers = new HashMap<>();

  /**
   * @param work done by both versions
   * @param broken exchange tables of the new version whose rows come anew from their beginning
   */
  TakeOver(String work, JobVersion old, JobVersion young, Set<String> broken) {
    before = StateLayout.of(plan(old, work));
    after = StateLayout.of(plan(young, work));
    Map<String, Deque<Integer>> found = new HashMap<>();
    for (Step step : before.steps()) {
      found.computeIfAbsent(print(step, before, old), _ -> new ArrayDeque<>()).add(step.id());
    }
    for (Step step : after.steps()) {
      step.inputs()
          .forEach(input -> consumers.computeIfAbsent(input, _ -> new ArrayList<>()).add(step));
      Deque<Integer> same = found.get(print(step, after, young));
      if (same != null && !same.isEmpty()) {
        kept.put(step.id(), same.removeFirst());
      }
    }
    beginAnew(broken);
  }

  private static Plan plan(JobVersion version, String work) {
    return version.plans().getOrDefault(work, new Plan(List.of()));
  }

  private static String print(Step step, StateLayout layout, JobVersion version) {
    return step.node()
        .map(node -> version.print(node).rows() + node.getClass() + columns(node, version))
        .orElseGet(
            () ->
                "sink %s %s"
                    .formatted(
                        sink(step.sink().orElseThrow(), version),
                        step.inputs().stream()
                            .map(input -> print(layout.steps().get(input), layout, version))
                            .toList()));
  }

  /** A projection has the rows of its input, and is told by its columns. */
  private static String columns(PlanNode node, JobVersion version) {
    return node instanceof PlanNode.Project ? version.print(node).columns().toString() : "";
  }

  private static String sink(String table, JobVersion version) {
    Exchange exchange = version.exchanges().get(table);
    return exchange == null ? table : version.identity(exchange);
  }

  private void beginAnew(Set<String> broken) {
    int size;
    do {
      size = kept.size();
      for (Step step : after.steps()) {
        step.node().ifPresent(node -> beginAnew(step, node, broken));
      }
    } while (kept.size() < size);
  }

  private void beginAnew(Step step, PlanNode node, Set<String> broken) {
    switch (node) {
      case PlanNode.LookupJoin _ when !kept.containsKey(step.id()) ->
          rereadFrom(step.inputs().getLast());
      case PlanNode.Values _ when kept.containsKey(step.id()) && isFedToNews(step) ->
          dropFrom(step);
      case PlanNode.Scan scan when broken.contains(scan.table()) -> dropFrom(step);
      default -> {}
    }
  }

  private boolean isFedToNews(Step values) {
    return consumers.getOrDefault(values.id(), List.of()).stream()
        .anyMatch(
            consumer ->
                consumer.node().isPresent()
                    ? !kept.containsKey(consumer.id())
                    : !hadEdge(values, consumer));
  }

  /** Whether a step fed a sink before. */
  private boolean hadEdge(Step step, Step sink) {
    Integer old = kept.get(step.id());
    return old != null
        && before.steps().stream()
            .anyMatch(other -> other.sink().equals(sink.sink()) && other.inputs().contains(old));
  }

  /** All tables that feed a step are read from their beginning. */
  private void rereadFrom(int id) {
    Step step = after.steps().get(id);
    if (step.inputs().isEmpty()) {
      dropFrom(step);
    }
    step.inputs().forEach(this::rereadFrom);
  }

  /** A join that only its table has taken out passes it on when its input is read anew too. */
  private void dropFrom(Step step) {
    if (!begunAnew.add(step.id())) {
      return;
    }
    kept.remove(step.id());
    for (Step consumer : consumers.getOrDefault(step.id(), List.of())) {
      boolean table =
          consumer.node().orElse(null) instanceof PlanNode.LookupJoin
              && !consumer.inputs().getFirst().equals(step.id());
      if (table) {
        kept.remove(consumer.id()); // What it gives does not depend on when the table was read.
      } else {
        dropFrom(consumer);
      }
    }
  }

  /** The steps of the new plan. */
  List<Step> steps() {
    return after.steps();
  }

  /** Whether a step of the new plan goes on from what it had. */
  boolean isKept(Step step) {
    return kept.containsKey(step.id());
  }

  /** The steps of the plan before that nobody goes on from. */
  List<Step> dropped() {
    return before.steps().stream().filter(step -> !kept.containsValue(step.id())).toList();
  }

  /** Whether the tasks do nothing else than before. */
  boolean isUnchanged() {
    return kept.size() == after.steps().size() && kept.size() == before.steps().size();
  }

  /** The tables whose positions stay, and what they are called from then on. */
  Map<String, String> positions() {
    Map<String, String> positions = new TreeMap<>();
    kept.forEach(
        (id, old) -> {
          if (after.steps().get(id).node().orElse(null) instanceof PlanNode.Scan to
              && before.steps().get(old).node().orElse(null) instanceof PlanNode.Scan from) {
            positions.put(from.table(), to.table());
          }
        });
    return positions;
  }

  /** The prefixes of the entries of state that stay, and what they are from then on. */
  List<Map.Entry<byte[], byte[]>> state() {
    List<Map.Entry<byte[], byte[]>> moves = new ArrayList<>();
    kept.forEach(
        (id, old) ->
            moves.add(
                Map.entry(
                    StateLayout.prefix(before.steps().get(old)),
                    StateLayout.prefix(after.steps().get(id)))));
    return moves;
  }

  /** The entry that says which plan the state is of. */
  Map.Entry<byte[], byte[]> planEntry() {
    return after.planEntry();
  }
}
