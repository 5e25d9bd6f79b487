package io.sedge.engine.operator.internal;

import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Refuses plans in which lookup joins would wait for each other for ever. The rows of a lookup join
 * wait until its table has been read whole, and with them all that their sources feed; so no source
 * may, over any number of joins, wait for itself.
 */
final class LookupCycleCheck {
  private final Map<PlanNode, Set<PlanNode>> waitsFor = new LinkedHashMap<>();

  private LookupCycleCheck() {}

  static void check(Plan plan) {
    LookupCycleCheck check = new LookupCycleCheck();
    plan.sinks().forEach(sink -> check.collect(sink.input()));
    check.waitsFor.keySet().forEach(source -> check.follow(source, source, new HashSet<>()));
  }

  private void collect(PlanNode node) {
    node.inputs().forEach(this::collect);
    if (node instanceof PlanNode.LookupJoin join) {
      Set<PlanNode> tables = sources(join.table());
      for (PlanNode source : sources(join.input())) {
        waitsFor.computeIfAbsent(source, _ -> new LinkedHashSet<>()).addAll(tables);
      }
    }
  }

  private void follow(PlanNode start, PlanNode from, Set<PlanNode> seen) {
    for (PlanNode next : waitsFor.getOrDefault(from, Set.of())) {
      if (next.equals(start)) {
        throw new IllegalArgumentException(
            "%s is read for rows to be joined and for the table that they are looked up in, so each"
                    .formatted(name(start))
                + " would wait for the other; give the looked-up rows a table of their own");
      }
      if (seen.add(next)) {
        follow(start, next, seen);
      }
    }
  }

  private static Set<PlanNode> sources(PlanNode node) {
    if (node.inputs().isEmpty()) {
      return Set.of(node);
    }
    Set<PlanNode> sources = new LinkedHashSet<>();
    node.inputs().forEach(input -> sources.addAll(sources(input)));
    return sources;
  }

  private static String name(PlanNode source) {
    return source instanceof PlanNode.Scan scan ? "table " + scan.table() : "a list of VALUES";
  }
}
