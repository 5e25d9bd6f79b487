package io.sedge.sql.internal;

import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.Ordering;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes out of a plan the columns that nobody reads, down to the scans: a scan itself stays whole,
 * because all that read a table share it, but a projection right above it leaves only what the
 * query needs.
 *
 * <p>Each step tells its input which columns it needs, and gets a node that has at least those,
 * with a map from old positions to new ones. Invariant: the node at the top has the columns it had.
 */
final class Pruning {
  private Pruning() {}

  /** A node with fewer columns, and where each old column is now, or -1. */
  private static final class Pruned {
    private final PlanNode node;
    private final int[] positions;

    Pruned(PlanNode node, int[] positions) {
      this.node = node;
      this.positions = positions;
    }

    PlanNode node() {
      return node;
    }

    int[] positions() {
      return positions;
    }

    static Pruned whole(PlanNode node) {
      int[] positions = new int[node.schema().size()];
      Arrays.setAll(positions, i -> i);
      return new Pruned(node, positions);
    }

    Expression move(Expression expression) {
      return Expressions.move(expression, positions);
    }

    List<Integer> move(List<Integer> columns) {
      return columns.stream().map(column -> positions[column]).toList();
    }
  }

  /** The plan with the same result and no columns that nobody reads. */
  static PlanNode prune(PlanNode root) {
    BitSet all = all(root.schema());
    Pruned pruned = prune(root, all);
    return select(pruned, all, root.schema()).node();
  }

  private static Pruned prune(PlanNode node, BitSet needed) {
    return switch (node) {
      case PlanNode.Scan scan -> select(Pruned.whole(scan), needed, scan.schema());
      case PlanNode.Values values -> Pruned.whole(values);
      case PlanNode.Filter filter -> filter(filter, needed);
      case PlanNode.Project project -> project(project, needed);
      case PlanNode.Watermark watermark -> watermark(watermark, needed);
      case PlanNode.WindowAssign assign -> assign(assign, needed);
      case PlanNode.WindowAggregate window -> window(window);
      case PlanNode.LateRows late -> late(late);
      case PlanNode.GroupAggregate group -> group(group);
      case PlanNode.OverAggregate over -> over(over, needed);
      case PlanNode.TopN top -> top(top, needed);
      case PlanNode.IntervalJoin join -> join(join, needed);
      case PlanNode.LookupJoin join -> lookup(join, needed);
      case PlanNode.Unnest unnest -> unnest(unnest, needed);
      case PlanNode.Union union -> union(union, needed);
      case PlanNode.Limit limit -> {
        Pruned input = prune(limit.input(), needed);
        yield new Pruned(new PlanNode.Limit(input.node(), limit.count()), input.positions());
      }
    };
  }

  /** Exactly the columns needed, in their order. */
  private static Pruned select(Pruned input, BitSet needed, Schema schema) {
    List<Expression> expressions = new ArrayList<>();
    Schema.Builder names = Schema.builder();
    int[] positions = new int[schema.size()];
    Arrays.fill(positions, -1);
    needed.stream()
        .forEach(
            i -> {
              positions[i] = expressions.size();
              expressions.add(new Expression.Input(input.positions()[i], schema.type(i)));
              names.add(schema.name(i), schema.type(i));
            });
    return new Pruned(Nodes.project(input.node(), expressions, names.build()), positions);
  }

  private static Pruned filter(PlanNode.Filter filter, BitSet needed) {
    BitSet below = copy(needed);
    Expressions.collectInputs(filter.condition(), below);
    Pruned input = prune(filter.input(), below);
    return new Pruned(
        new PlanNode.Filter(input.node(), input.move(filter.condition())), input.positions());
  }

  private static Pruned project(PlanNode.Project written, BitSet needed) {
    if (Nodes.isShared(written)) {
      return shared(written);
    }
    PlanNode.Project project = UnnestFields.below(written, needed);
    BitSet below = new BitSet();
    needed.stream().forEach(i -> Expressions.collectInputs(project.expressions().get(i), below));
    Pruned input = prune(project.input(), below);
    List<Expression> expressions = new ArrayList<>();
    Schema.Builder names = Schema.builder();
    int[] positions = new int[project.schema().size()];
    Arrays.fill(positions, -1);
    needed.stream()
        .forEach(
            i -> {
              positions[i] = expressions.size();
              expressions.add(input.move(project.expressions().get(i)));
              names.add(project.schema().name(i), project.schema().type(i));
            });
    return new Pruned(Nodes.project(input.node(), expressions, names.build()), positions);
  }

  /** Whoever reads a part of it gets the same node, which is run once. */
  private static Pruned shared(PlanNode.Project project) {
    BitSet below = new BitSet();
    project.expressions().forEach(each -> Expressions.collectInputs(each, below));
    Pruned input = prune(project.input(), below);
    return Pruned.whole(
        new PlanNode.Project(
            input.node(),
            project.expressions().stream().map(input::move).toList(),
            project.schema()));
  }

  private static Pruned watermark(PlanNode.Watermark watermark, BitSet needed) {
    BitSet below = copy(needed);
    below.set(watermark.timeColumn());
    PlanNode.Watermark.PerKey perKey = watermark.perKey();
    if (perKey != null) {
      below.set(perKey.column());
    }
    Expressions.collectInputs(watermark.watermark(), below);
    Pruned input = prune(watermark.input(), below);
    return new Pruned(
        new PlanNode.Watermark(
            input.node(),
            input.positions()[watermark.timeColumn()],
            input.move(watermark.watermark()),
            perKey == null
                ? null
                : new PlanNode.Watermark.PerKey(
                    input.positions()[perKey.column()], perKey.idleAfter())),
        input.positions());
  }

  private static Pruned assign(PlanNode.WindowAssign assign, BitSet needed) {
    int width = assign.input().schema().size();
    BitSet below = needed.get(0, width);
    below.set(assign.timeColumn());
    Pruned input = prune(assign.input(), below);
    return new Pruned(
        new PlanNode.WindowAssign(
            input.node(),
            assign.window(),
            input.positions()[assign.timeColumn()],
            assign.zone(),
            appended(input.node().schema(), assign.schema(), width)),
        extended(input, assign.schema().size(), width));
  }

  /** Its result stays whole; of its input it takes what it reads and late rows must have. */
  private static Pruned window(PlanNode.WindowAggregate window) {
    Pruned input = prune(window.input(), all(window.input().schema()));
    return Pruned.whole(
        new PlanNode.WindowAggregate(
            input.node(),
            window.window(),
            input.positions()[window.timeColumn()],
            input.move(window.keys()),
            calls(window.aggregates(), input),
            window.zone(),
            window.allowedLateness(),
            window.schema()));
  }

  private static Pruned late(PlanNode.LateRows late) {
    return Pruned.whole(
        new PlanNode.LateRows((PlanNode.WindowAggregate) window(late.window()).node()));
  }

  private static Pruned group(PlanNode.GroupAggregate group) {
    BitSet below = new BitSet();
    group.keys().forEach(below::set);
    collect(group.aggregates(), below);
    Pruned input = prune(group.input(), below);
    return Pruned.whole(
        new PlanNode.GroupAggregate(
            input.node(),
            input.move(group.keys()),
            calls(group.aggregates(), input),
            group.schema()));
  }

  private static Pruned over(PlanNode.OverAggregate over, BitSet needed) {
    int width = over.input().schema().size();
    BitSet below = needed.get(0, width);
    below.set(over.timeColumn());
    over.partition().forEach(below::set);
    collect(over.aggregates(), below);
    Pruned input = prune(over.input(), below);
    return new Pruned(
        new PlanNode.OverAggregate(
            input.node(),
            input.move(over.partition()),
            input.positions()[over.timeColumn()],
            over.frame(),
            calls(over.aggregates(), input),
            appended(input.node().schema(), over.schema(), width)),
        extended(input, over.schema().size(), width));
  }

  private static Pruned top(PlanNode.TopN top, BitSet needed) {
    int width = top.input().schema().size();
    BitSet below = needed.get(0, width);
    top.partition().forEach(below::set);
    top.orderings().forEach(ordering -> below.set(ordering.column()));
    if (top.windowEnd() >= 0) {
      below.set(top.windowEnd());
    }
    Pruned input = prune(top.input(), below);
    boolean ranked = top.rankName() != null && needed.get(width);
    @Nullable String rankName = ranked ? top.rankName() : null;
    return new Pruned(
        new PlanNode.TopN(
            input.node(),
            input.move(top.partition()),
            top.orderings().stream()
                .map(
                    ordering ->
                        new Ordering(
                            input.positions()[ordering.column()],
                            ordering.descending(),
                            ordering.nullsFirst()))
                .toList(),
            top.from(),
            top.to(),
            top.windowEnd() < 0 ? -1 : input.positions()[top.windowEnd()],
            top.zone(),
            rankName,
            ranked ? appended(input.node().schema(), top.schema(), width) : input.node().schema()),
        extended(input, top.schema().size(), width));
  }

  private static Pruned join(PlanNode.IntervalJoin join, BitSet needed) {
    int width = join.left().schema().size();
    BitSet below = copy(needed);
    join.condition().ifPresent(condition -> Expressions.collectInputs(condition, below));
    BitSet leftNeeded = below.get(0, width);
    join.leftKeys().forEach(leftNeeded::set);
    leftNeeded.set(join.leftTime());
    BitSet rightNeeded = below.get(width, join.schema().size());
    join.rightKeys().forEach(rightNeeded::set);
    rightNeeded.set(join.rightTime());
    Pruned left = prune(join.left(), leftNeeded);
    Pruned right = prune(join.right(), rightNeeded);
    int[] positions = joined(left, right);
    return new Pruned(
        new PlanNode.IntervalJoin(
            left.node(),
            right.node(),
            join.kind(),
            left.move(join.leftKeys()),
            right.move(join.rightKeys()),
            left.positions()[join.leftTime()],
            right.positions()[join.rightTime()],
            join.lower(),
            join.upper(),
            join.ofWindows(),
            move(join.condition(), positions),
            joined(join.schema(), positions, left, right)),
        positions);
  }

  private static Pruned lookup(PlanNode.LookupJoin join, BitSet needed) {
    int width = join.input().schema().size();
    BitSet below = copy(needed);
    join.condition().ifPresent(condition -> Expressions.collectInputs(condition, below));
    BitSet inputNeeded = below.get(0, width);
    join.inputKeys().forEach(inputNeeded::set);
    BitSet tableNeeded = below.get(width, join.schema().size());
    join.tableKeys().forEach(tableNeeded::set);
    Pruned input = prune(join.input(), inputNeeded);
    Pruned table = prune(join.table(), tableNeeded);
    int[] positions = joined(input, table);
    return new Pruned(
        new PlanNode.LookupJoin(
            input.node(),
            table.node(),
            join.kind(),
            input.move(join.inputKeys()),
            table.move(join.tableKeys()),
            move(join.condition(), positions),
            joined(join.schema(), positions, input, table)),
        positions);
  }

  /** The elements stay, whether they are read or not: their number is. */
  private static Pruned unnest(PlanNode.Unnest unnest, BitSet needed) {
    int width = unnest.kept().size();
    BitSet below = new BitSet();
    below.set(unnest.array());
    needed.get(0, width).stream().forEach(i -> below.set(unnest.kept().get(i)));
    Pruned input = prune(unnest.input(), below);
    List<Integer> kept = new ArrayList<>();
    Schema.Builder schema = Schema.builder();
    int[] positions = new int[unnest.schema().size()];
    for (int i = 0; i < positions.length; i++) {
      boolean stays = i >= width || needed.get(i);
      positions[i] = stays ? kept.size() + Math.max(0, i - width) : -1;
      if (i < width && stays) {
        kept.add(input.positions()[unnest.kept().get(i)]);
      }
      if (stays) {
        schema.add(unnest.schema().name(i), unnest.schema().type(i));
      }
    }
    return new Pruned(
        new PlanNode.Unnest(
            input.node(),
            input.positions()[unnest.array()],
            kept,
            unnest.ordinality(),
            unnest.outer(),
            schema.build()),
        positions);
  }

  /** All inputs keep the same columns. */
  private static Pruned union(PlanNode.Union union, BitSet needed) {
    List<PlanNode> inputs = new ArrayList<>();
    int[] positions = new int[0];
    for (PlanNode input : union.inputs()) {
      Pruned pruned = select(prune(input, needed), needed, union.schema());
      inputs.add(pruned.node());
      positions = pruned.positions();
    }
    return new Pruned(new PlanNode.Union(inputs), positions);
  }

  private static Optional<Expression> move(Optional<Expression> condition, int[] positions) {
    return condition.map(expression -> Expressions.move(expression, positions));
  }

  private static int[] joined(Pruned left, Pruned right) {
    int leftWidth = left.positions().length;
    int[] positions = Arrays.copyOf(left.positions(), leftWidth + right.positions().length);
    for (int i = 0; i < right.positions().length; i++) {
      int position = right.positions()[i];
      positions[leftWidth + i] = position < 0 ? -1 : position + left.node().schema().size();
    }
    return positions;
  }

  /** The schema of what is left of a join. */
  private static Schema joined(Schema old, int[] positions, Pruned left, Pruned right) {
    Schema.Field[] fields =
        new Schema.Field[left.node().schema().size() + right.node().schema().size()];
    for (int i = 0; i < positions.length; i++) {
      if (positions[i] >= 0) {
        fields[positions[i]] = old.fields().get(i);
      }
    }
    return new Schema(Arrays.asList(fields));
  }

  /** The columns of an input, then those that a step appends to it. */
  private static Schema appended(Schema input, Schema old, int width) {
    Schema.Builder builder = Schema.builder().addAll(input);
    old.fields().subList(width, old.size()).forEach(f -> builder.add(f.name(), f.type()));
    return builder.build();
  }

  private static int[] extended(Pruned input, int oldSize, int oldWidth) {
    int[] positions = Arrays.copyOf(input.positions(), oldSize);
    for (int i = oldWidth; i < oldSize; i++) {
      positions[i] = input.node().schema().size() + i - oldWidth;
    }
    return positions;
  }

  private static List<AggregateCall> calls(List<AggregateCall> calls, Pruned input) {
    return calls.stream()
        .map(
            call ->
                new AggregateCall(
                    call.function(),
                    input.move(call.arguments()),
                    call.argumentTypes(),
                    call.parameters(),
                    call.filter() < 0 ? -1 : input.positions()[call.filter()],
                    call.distinct(),
                    call.type(),
                    call.name()))
        .toList();
  }

  private static void collect(List<AggregateCall> calls, BitSet columns) {
    for (AggregateCall call : calls) {
      call.arguments().forEach(columns::set);
      if (call.filter() >= 0) {
        columns.set(call.filter());
      }
    }
  }

  private static BitSet all(Schema schema) {
    BitSet all = new BitSet();
    all.set(0, schema.size());
    return all;
  }

  private static BitSet copy(BitSet set) {
    return (BitSet) set.clone();
  }
}
