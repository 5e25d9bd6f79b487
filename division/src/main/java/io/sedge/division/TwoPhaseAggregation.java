package io.sedge.division;

import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.aggregate.AggregateRegistry;
import io.sedge.engine.aggregate.PartialAggregates;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.SliceLayout;
import io.sedge.engine.plan.Window;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A window aggregation in two steps. The first is done in each shard: the accumulators of each key
 * and slice of time, where windows are tumbling the windows themselves. The second merges the
 * slices of all shards into the windows. What a shard gives has the keys, the accumulators as a
 * text, and the time of the last row in the slice, which stands for the slice: it lies in it
 * whatever the clocks of the zone do.
 *
 * <p>Rows that are too late for their slice where they are may not be too late for all of its
 * windows: they are given one by one. Where slices are windows they are late, and the shard's.
 */
final class TwoPhaseAggregation {
  private static final String PARTIAL = "$partial";
  private static final String TIME = "$time";
  private static final String RESULTS = "$results";
  private static final int WINDOW_COLUMNS = 3;

  private final String name;
  private final PlanNode.WindowAggregate window;
  private final Optional<PartialAggregates> steps;
  private final PlanNode.WindowAggregate slices;

  /**
   * @param name of the table through which the shards give their slices
   * @param window over rows of a shard
   */
  TwoPhaseAggregation(String name, PlanNode.WindowAggregate window, AggregateRegistry registry) {
    this.name = name;
    this.window = window;
    this.steps =
        window.aggregates().isEmpty()
            ? Optional.empty()
            : Optional.of(
                new PartialAggregates(
                    name, window.aggregates(), window.input().schema(), registry));
    this.slices = slices();
  }

  /** By which the calls of its aggregates and functions end. */
  String name() {
    return name;
  }

  /** What is aggregated in two steps. */
  PlanNode.WindowAggregate window() {
    return window;
  }

  /** What finds the aggregates and functions that this makes; empty if it makes none. */
  Optional<PartialAggregates> registries() {
    return steps;
  }

  /** The shard's aggregation; rows that are too late for a slice are too late for it. */
  PlanNode.WindowAggregate slicesInShard() {
    return slices;
  }

  private PlanNode.WindowAggregate slices() {
    Type timeType = window.input().schema().type(window.timeColumn()).withNullable(true);
    List<AggregateCall> calls = new ArrayList<>();
    steps.ifPresent(partial -> calls.add(partial.partial(PARTIAL)));
    calls.add(
        new AggregateCall(
            "MAX",
            List.of(window.timeColumn()),
            List.of(timeType),
            List.of(),
            -1,
            false,
            timeType,
            TIME));
    List<Schema.Field> fields = new ArrayList<>(keyFields());
    calls.forEach(call -> fields.add(new Schema.Field(call.name(), call.type())));
    fields.addAll(windowFields());
    return new PlanNode.WindowAggregate(
        window.input(),
        sliceOf(window.window()),
        window.timeColumn(),
        window.keys(),
        calls,
        window.zone(),
        0,
        new Schema(fields));
  }

  private static Window sliceOf(Window window) {
    SliceLayout slices = SliceLayout.of(window);
    return new Window.Tumbling(slices.step(), slices.offset());
  }

  private List<Schema.Field> keyFields() {
    return window.schema().fields().subList(0, window.keys().size());
  }

  private List<Schema.Field> windowFields() {
    int size = window.schema().size();
    return window.schema().fields().subList(size - WINDOW_COLUMNS, size);
  }

  private int keys() {
    return window.keys().size();
  }

  /** The column of the time in what a shard gives. */
  private int timeColumn() {
    return keys() + (steps.isPresent() ? 1 : 0);
  }

  /** What each shard gives. */
  PlanNode inShard() {
    Schema given = new Schema(slices.schema().fields().subList(0, timeColumn() + 1));
    List<Expression> columns = new ArrayList<>();
    for (int i = 0; i < given.size(); i++) {
      columns.add(new Expression.Input(i, given.type(i)));
    }
    PlanNode fired = new PlanNode.Project(slices, columns, given);
    return window.window() instanceof Window.Tumbling
        ? fired
        : new PlanNode.Union(List.of(fired, lateRows(given)));
  }

  private PlanNode lateRows(Schema given) {
    Schema input = window.input().schema();
    List<Expression> columns = new ArrayList<>();
    window.keys().forEach(key -> columns.add(new Expression.Input(key, input.type(key))));
    steps.ifPresent(partial -> columns.add(partial.partialOfRow()));
    int time = window.timeColumn();
    columns.add(new Expression.Input(time, input.type(time)));
    return new PlanNode.Project(new PlanNode.LateRows(slices), columns, given);
  }

  /**
   * The rows of the window.
   *
   * @param slicesOfAll what all shards give
   */
  PlanNode merged(PlanNode slicesOfAll) {
    List<AggregateCall> calls =
        steps.map(partial -> List.of(partial.merged(keys(), RESULTS))).orElse(List.of());
    List<Schema.Field> fields = new ArrayList<>(keyFields());
    calls.forEach(call -> fields.add(new Schema.Field(call.name(), call.type())));
    fields.addAll(windowFields());
    Schema schema = new Schema(fields);
    PlanNode merging =
        new PlanNode.WindowAggregate(
            slicesOfAll,
            window.window(),
            timeColumn(),
            IntStream.range(0, keys()).boxed().toList(),
            calls,
            window.zone(),
            0,
            schema);
    List<Expression> columns = new ArrayList<>();
    for (int i = 0; i < keys(); i++) {
      columns.add(new Expression.Input(i, schema.type(i)));
    }
    for (int i = 0; i < window.aggregates().size(); i++) {
      columns.add(steps.orElseThrow().result(keys(), i));
    }
    for (int i = schema.size() - WINDOW_COLUMNS; i < schema.size(); i++) {
      columns.add(new Expression.Input(i, schema.type(i)));
    }
    return new PlanNode.Project(merging, columns, window.schema());
  }

  /** Where in what a shard gives the event time is. */
  List<Integer> timeColumns() {
    return List.of(timeColumn());
  }
}
