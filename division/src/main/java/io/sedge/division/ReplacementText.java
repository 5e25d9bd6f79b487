package io.sedge.division;

import io.sedge.division.Replacement.Fate;
import io.sedge.division.Replacement.Line;
import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.operator.StateLayout.Step;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.sql.Job;
import io.sedge.sql.PlanPrinter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What becomes of the parts of a job that is replaced, in words. */
final class ReplacementText {
  private final JobVersion before;
  private final JobVersion after;
  private final Map<String, TakeOver> works;
  private final List<Line> lines = new ArrayList<>();

  ReplacementText(JobVersion before, JobVersion after, Map<String, TakeOver> works) {
    this.before = before;
    this.after = after;
    this.works = works;
  }

  List<Line> lines() {
    lines.clear();
    works.forEach(
        (work, takeOver) -> {
          takeOver.steps().forEach(step -> addNew(work, takeOver, step));
          takeOver.dropped().forEach(step -> addOld(work, takeOver, step));
        });
    new TreeSet<>(after.job().sinks().keySet()).forEach(this::addSink);
    Set<String> gone = new TreeSet<>(before.job().sinks().keySet());
    gone.removeAll(after.job().sinks().keySet());
    gone.forEach(
        table ->
            add(
                Fate.DROPPED,
                Fragments.DELIVERY,
                "sink " + table,
                "is not written any more; rows that it was given are delivered first"));
    return List.copyOf(lines);
  }

  private void add(Fate fate, String work, String what, String why) {
    lines.add(new Line(fate, work, what, why));
  }

  private void addSink(String table) {
    boolean known = before.job().sinks().containsKey(table);
    boolean same = before.sink(table).equals(after.sink(table));
    String changed = String.join(", ", differences(before.sink(table), after.sink(table)));
    add(
        same ? Fate.KEPT : Fate.BEGINS_ANEW,
        Fragments.DELIVERY,
        "sink " + table,
        same
            ? "is written on; the numbers of its rows go on"
            : known
                ? "has other %s; rows that it was given before are delivered first, as it was"
                    .formatted(changed)
                : "is new");
  }

  private void addNew(String work, TakeOver takeOver, Step step) {
    PlanNode node = step.node().orElse(null);
    if (node instanceof PlanNode.Scan(String table, var _, var _)) {
      if (!after.exchanges().containsKey(table)) {
        addTable(work, takeOver, step, table);
      }
    } else if (node != null && keeps(node)) {
      boolean kept = takeOver.isKept(step);
      add(
          kept ? Fate.KEPT : Fate.BEGINS_ANEW,
          work,
          describe(node, after),
          kept ? "goes on with what it has" : whyAnew(work, node));
    }
  }

  private String whyAnew(String work, PlanNode node) {
    if (node instanceof PlanNode.LookupJoin) {
      return "reads its table again; it loses nothing";
    }
    String reason =
        before.plans().containsKey(work)
            ? "it is new, or it or what feeds it was changed"
            : "such tasks are new";
    return "%s: it begins empty, with what is read from now on".formatted(reason);
  }

  private void addTable(String work, TakeOver takeOver, Step step, String table) {
    if (takeOver.isKept(step)) {
      add(Fate.KEPT, work, "table " + table, "is read on from the last commit");
      return;
    }
    Job.SourceTable old = before.job().sources().get(table);
    Job.SourceTable young = after.job().sources().get(table);
    String why;
    if (old == null || young == null) {
      why = "is new";
    } else if (!before.division(table).equals(after.division(table))) {
      why =
          "is divided otherwise (%s, was %s)"
              .formatted(after.division(table), before.division(table));
    } else if (!before.plans().containsKey(work)) {
      why = "is read by another task than before";
    } else {
      why = whatDiffers(old, young);
    }
    add(
        Fate.BEGINS_ANEW,
        work,
        "table " + table,
        why + ": it is read from where its options say, as by a new job");
  }

  private String whatDiffers(Job.SourceTable old, Job.SourceTable young) {
    List<String> differences = new ArrayList<>();
    if (!old.connector().equals(young.connector())) {
      differences.add("connector");
    }
    differences.addAll(
        differences(
            before.material(old.connector(), old.table()),
            after.material(young.connector(), young.table())));
    if (!old.bounds().equals(young.bounds())) {
      differences.add("bounds of the time that is read");
    }
    if (old.keep().isPresent() != young.keep().isPresent()) {
      differences.add("keep");
    }
    return differences.isEmpty()
        ? "rows of it are needed again from the beginning"
        : "has other options (%s)".formatted(String.join(", ", differences));
  }

  private static List<String> differences(Map<String, ?> old, Map<String, ?> young) {
    Set<String> keys = new TreeSet<>(old.keySet());
    keys.addAll(young.keySet());
    return keys.stream()
        .filter(key -> !String.valueOf(old.get(key)).equals(String.valueOf(young.get(key))))
        .toList();
  }

  private void addOld(String work, TakeOver takeOver, Step step) {
    PlanNode node = step.node().orElse(null);
    if (node instanceof PlanNode.Scan(String table, var _, var _)) {
      if (before.exchanges().containsKey(table)) {
        add(
            Fate.DROPPED,
            work,
            "what shards have given for " + sinksOf(table),
            "what has not been merged yet is lost with what was");
      } else if (!isScanned(takeOver, table)) {
        add(
            Fate.DROPPED,
            work,
            "table " + table,
            "is not read by such a task any more: its position is forgotten and its reader closed");
      }
    } else if (node != null && keeps(node) && !(node instanceof PlanNode.LookupJoin)) {
      String what = PlanPrinter.state(node).orElseThrow();
      add(Fate.DROPPED, work, describe(node, before), "lost: " + what);
    }
  }

  private static boolean isScanned(TakeOver takeOver, String table) {
    return takeOver.steps().stream()
        .anyMatch(
            step ->
                step.node().orElse(null) instanceof PlanNode.Scan scan
                    && scan.table().equals(table));
  }

  /** The sinks for whose rows the merging task of the version before reads an exchange. */
  private String sinksOf(String exchange) {
    Plan merge = before.plans().getOrDefault(Fragments.MERGE, new Plan(List.of()));
    Set<String> sinks = new TreeSet<>();
    merge.sinks().stream()
        .filter(sink -> scans(sink.input(), exchange))
        .forEach(sink -> sinks.add(sink.table()));
    return String.join(", ", sinks);
  }

  private static boolean scans(PlanNode node, String table) {
    return (node instanceof PlanNode.Scan scan && scan.table().equals(table))
        || node.inputs().stream().anyMatch(input -> scans(input, table));
  }

  /** Whether a person would miss what it keeps: a watermark is there again with the next row. */
  private static boolean keeps(PlanNode node) {
    return !(node instanceof PlanNode.Watermark) && PlanPrinter.state(node).isPresent();
  }

  private static String describe(PlanNode node, JobVersion version) {
    return original(node, version)
        .map(window -> PlanPrinter.step(window) + " (its part here)")
        .orElseGet(() -> PlanPrinter.step(node, table -> fed(table, version)));
  }

  /** What the rows of an exchange are made by, in the tasks that give them. */
  private static Optional<PlanNode> fed(String table, JobVersion version) {
    return version.plans().values().stream()
        .flatMap(plan -> plan.sinks().stream())
        .filter(sink -> sink.table().equals(table))
        .map(Plan.SinkNode::input)
        .findFirst();
  }

  /** What is computed in two steps, of one of the steps. */
  private static Optional<PlanNode.WindowAggregate> original(PlanNode node, JobVersion version) {
    if (!(node instanceof PlanNode.WindowAggregate window)) {
      return Optional.empty();
    }
    for (AggregateCall call : window.aggregates()) {
      for (Map.Entry<String, PlanNode.WindowAggregate> each : version.inTwoSteps().entrySet()) {
        if (call.function().endsWith(each.getKey())) {
          return Optional.of(each.getValue());
        }
      }
    }
    return Optional.empty();
  }
}
