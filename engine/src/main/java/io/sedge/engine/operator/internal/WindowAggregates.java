package io.sedge.engine.operator.internal;

import io.sedge.engine.aggregate.AggregateRegistry;
import io.sedge.engine.aggregate.GroupAccumulators;
import io.sedge.engine.operator.Operator;
import io.sedge.engine.operator.Output;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.Window;
import io.sedge.engine.type.Type;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the operators of windowed aggregation. */
public final class WindowAggregates {
  private WindowAggregates() {}

  /** An operator that drops late rows, counted by {@link Operator#lateRows}. */
  public static Operator operator(PlanNode.WindowAggregate node, AggregateRegistry registry) {
    return operator(node, registry, null);
  }

  /**
   * An operator for a node of a plan.
   *
   * @param late where rows go that come too late; null to drop them. It may refuse; it gets no
   *     watermarks.
   * @throws IllegalArgumentException if the registry lacks an aggregate
   */
  public static Operator operator(
      PlanNode.WindowAggregate node, AggregateRegistry registry, @Nullable Output late) {
    return node.window() instanceof Window.Session session
        ? new SessionWindowOperator(new WindowSetup(node, registry), session, late)
        : new SliceWindowOperator(new WindowSetup(node, registry), late);
  }

  /** What every kind of window needs of its plan node. */
  static final class WindowSetup {
    final PlanNode.WindowAggregate node;
    final LocalClock clock;
    private final GroupAccumulators.Factory accumulators;
    private final int[] keys;
    private final List<Type> keyTypes;

    WindowSetup(PlanNode.WindowAggregate node, AggregateRegistry registry) {
      this.node = node;
      this.clock = new LocalClock(ZoneId.of(node.zone()));
      this.accumulators = GroupAccumulators.factory(node.aggregates(), registry);
      this.keys = node.keys().stream().mapToInt(Integer::intValue).toArray();
      this.keyTypes = node.schema().types().subList(0, keys.length);
    }

    KeyTable keyTable() {
      return new KeyTable(keys, keyTypes);
    }

    GroupAccumulators accumulators() {
      return accumulators.create();
    }

    Groups groups() {
      return new Groups(keyTable(), accumulators());
    }

    WindowRows rows() {
      return new WindowRows(node.schema(), keys.length, node.aggregates().size());
    }

    WindowRows.Bounds bounds(long start, long end) {
      return new WindowRows.Bounds(start, end, clock.toInstant(end - 1000));
    }

    /** From this watermark on a window with this end takes no more rows. */
    long closedAt(long end) {
      long over = clock.overAt(end);
      long closed = over + node.allowedLateness();
      return closed < over ? Long.MAX_VALUE : closed;
    }
  }
}
