package io.sedge.site.internal.exchange;

import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Keeps the shards that a task merges together in event time, as far as there is no room for what
 * they are apart. What the task keeps of a shard that is ahead it keeps until the slowest has come
 * as far, so while room is scarce it takes nothing more of any but the slowest: what those ahead
 * give stays in the exchange, where each has a share ({@link Backlog}), and then in their sources.
 *
 * <p>Invariant: of the shards that hold the watermark back none is ever waited for with rows of its
 * own at hand; so what the task does depends on the slowest alone, and what that needs is room in
 * the exchange. Others leave it that, as a rule; where they have not, since the exchange is that of
 * all jobs, rows are taken for as long as it is full. Where it is not, but may be for a large
 * commit, a block is taken at every {@link #PATIENCE_NANOS} in which the slowest gives nothing.
 *
 * <p>One for all exchange tables of a task whose rows meet before they wait for a watermark. The
 * task's thread alone.
 */
final class Alignment {
  static final long PATIENCE_NANOS = 1_000_000_000;

  private final ExchangeCapacity capacity;
  private final List<ExchangeReader> readers = new ArrayList<>();

  /** Since when rows have been held for want of any other; if {@link #holds}. */
  private long heldNanos;

  private boolean holds;

  Alignment(ExchangeCapacity capacity) {
    this.capacity = capacity;
  }

  /**
   * Those of the exchange tables of a plan; none for a table none of whose rows waits for a
   * watermark.
   */
  static Map<String, Alignment> of(Plan plan, Set<String> tables, ExchangeCapacity capacity) {
    Map<String, Alignment> alignments = new HashMap<>();
    for (Plan.SinkNode sink : plan.sinks()) {
      align(sink.input(), tables, alignments, capacity);
    }
    return alignments;
  }

  private static void align(
      PlanNode node,
      Set<String> tables,
      Map<String, Alignment> alignments,
      ExchangeCapacity capacity) {
    if (keepsRows(node)) {
      Set<String> meeting = new TreeSet<>();
      addScans(node, meeting);
      meeting.retainAll(tables);
      Alignment shared = new Alignment(capacity);
      Set<Alignment> joined =
          meeting.stream()
              .map(alignments::get)
              .filter(Objects::nonNull)
              .collect(Collectors.toSet());
      alignments.replaceAll((_, known) -> joined.contains(known) ? shared : known);
      meeting.forEach(table -> alignments.put(table, shared));
    }
    node.inputs().forEach(input -> align(input, tables, alignments, capacity));
  }

  /** Whether it may keep rows until a watermark comes. */
  private static boolean keepsRows(PlanNode node) {
    return switch (node) {
      case PlanNode.WindowAggregate _, PlanNode.OverAggregate _, PlanNode.IntervalJoin _ -> true;
      case PlanNode.TopN top -> top.windowEnd() >= 0 || top.to() == 1;
      case PlanNode.Scan _,
          PlanNode.Values _,
          PlanNode.Filter _,
          PlanNode.Project _,
          PlanNode.Watermark _,
          PlanNode.WindowAssign _,
          PlanNode.GroupAggregate _,
          PlanNode.LookupJoin _,
          PlanNode.LateRows _,
          PlanNode.Unnest _,
          PlanNode.Union _,
          PlanNode.Limit _ ->
          false;
    };
  }

  private static void addScans(PlanNode node, Set<String> tables) {
    if (node instanceof PlanNode.Scan scan) {
      tables.add(scan.table());
    }
    node.inputs().forEach(input -> addScans(input, tables));
  }

  void add(ExchangeReader reader) {
    readers.add(reader);
  }

  /** The reader that has the slowest shard. */
  ExchangeReader slowest() {
    ExchangeReader slowest = readers.getFirst();
    for (ExchangeReader reader : readers) {
      slowest = reader.least() < slowest.least() ? reader : slowest;
    }
    return slowest;
  }

  /** Whether rows that begin at a watermark are to be taken now. */
  boolean takes(long watermark, long nowNanos) {
    boolean waits =
        watermark > slowest().least() && capacity.isScarce() && !capacity.isExchangeFull();
    if (waits && !holds) {
      heldNanos = nowNanos;
    }
    holds = waits;
    if (!waits) {
      return true;
    }
    if (nowNanos - heldNanos < PATIENCE_NANOS || !capacity.isExchangeTight()) {
      return false;
    }
    heldNanos = nowNanos;
    return true;
  }
}
