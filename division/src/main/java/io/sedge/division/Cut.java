package io.sedge.division;

import io.sedge.connector.Division;
import io.sedge.division.Place.Anywhere;
import io.sedge.division.Place.InShards;
import io.sedge.division.Place.Merged;
import io.sedge.engine.aggregate.AggregateRegistry;
import io.sedge.engine.aggregate.PartialAggregates;
import io.sedge.engine.expression.FunctionRegistry;
import io.sedge.engine.plan.EventTime;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.Plan.SinkNode;
import io.sedge.engine.plan.PlanNode;
import io.sedge.sql.Job;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * Cuts the plan of a job in two: what the shards of each divided table do, and what is done with
 * what they give. Between them are exchange tables, one for each part of the plan whose rows have
 * to be brought together; a part that several steps need goes through once. They are numbered in
 * the order of the plan, so that every device gives them the same names. One thread.
 */
final class Cut {
  private final Job job;
  private final Map<String, Division> divided;
  private final Naming naming;
  private final StepPlacement places;
  private final Map<PlanNode, Exchange> exchanges = new LinkedHashMap<>();
  private final Map<PlanNode.WindowAggregate, TwoPhaseAggregation> twoSteps = new HashMap<>();
  private final Map<String, List<SinkNode>> ofShards = new TreeMap<>();
  private final List<SinkNode> ofMerge = new ArrayList<>();

  /**
   * Rows that the shards of a table give.
   *
   * @param table the divided one
   * @param division how it is
   * @param inShard what gives them
   * @param scan at the other end
   * @param partial the aggregation of which these are partial results; empty if they are rows
   */
  record Exchange(
      String table,
      Division division,
      PlanNode inShard,
      PlanNode.Scan scan,
      Optional<PlanNode.WindowAggregate> partial) {
    String name() {
      return scan.table();
    }

    /** Whether all that is read goes through it. */
    boolean isEveryReading() {
      return partial.isEmpty() && RowBounds.of(inShard) == RowBounds.EVERY;
    }
  }

  /**
   * How parts are told apart.
   *
   * @param shards whose shards those of a table are; those of tables with one name are the same
   *     ones
   * @param exchange what the names of exchange tables begin with
   * @param aggregation the name of the steps of an aggregation, by its number
   */
  record Naming(
      UnaryOperator<String> shards,
      String exchange,
      BiFunction<Integer, PlanNode.WindowAggregate, String> aggregation) {
    /** Each table has shards of its own, within a site. */
    static final Naming OF_TABLES =
        new Naming(UnaryOperator.identity(), "exchange-", (number, _) -> "aggregation " + number);
  }

  /**
   * @param divided how each of the divided tables is
   */
  Cut(Job job, Map<String, Division> divided) {
    this(job, divided, Naming.OF_TABLES);
  }

  /** The same with other names. */
  Cut(Job job, Map<String, Division> divided, Naming naming) {
    this.job = job;
    this.divided = divided;
    this.naming = naming;
    this.places = new StepPlacement(job.plan(), divided, naming.shards());
    divided.keySet().forEach(table -> shards(naming.shards().apply(table)));
    for (SinkNode sink : job.plan().sinks()) {
      parts(sink.input()).forEach(part -> place(sink.table(), part));
    }
    exchanges.forEach(
        (node, exchange) -> shards(exchange.table()).add(new SinkNode(exchange.name(), node)));
  }

  private List<SinkNode> shards(String table) {
    return ofShards.computeIfAbsent(table, _ -> new ArrayList<>());
  }

  /** The plan of each shard of a table. */
  Plan ofShards(String table) {
    return new Plan(shards(table));
  }

  /** The plan of what is merged; without sinks if nothing is. */
  Plan ofMerge() {
    return new Plan(ofMerge);
  }

  Collection<Exchange> exchanges() {
    return exchanges.values();
  }

  /** The aggregations that are done in two steps, by the name with which their calls end. */
  Map<String, PlanNode.WindowAggregate> inTwoSteps() {
    Map<String, PlanNode.WindowAggregate> windows = new HashMap<>();
    twoSteps.values().forEach(steps -> windows.put(steps.name(), steps.window()));
    return windows;
  }

  /** The job's aggregates, and those that merge what shards have aggregated. */
  AggregateRegistry aggregates() {
    AggregateRegistry all = job.aggregates();
    for (PartialAggregates steps : registries()) {
      all = steps.aggregates().or(all);
    }
    return all;
  }

  /** The job's functions, and those for what shards have aggregated. */
  FunctionRegistry functions() {
    FunctionRegistry all = job.functions();
    for (PartialAggregates steps : registries()) {
      all = steps.functions().or(all);
    }
    return all;
  }

  private List<PartialAggregates> registries() {
    return twoSteps.values().stream().flatMap(steps -> steps.registries().stream()).toList();
  }

  /**
   * The parts whose rows together are those of a step: of a union of tables that are divided
   * differently each part is done where its table is.
   */
  private List<PlanNode> parts(PlanNode node) {
    if (!(places.of(node) instanceof Merged)) {
      return List.of(node);
    }
    return switch (node) {
      case PlanNode.Union union ->
          union.inputs().stream().flatMap(input -> parts(input).stream()).toList();
      case PlanNode.Project _, PlanNode.Filter _, PlanNode.Unnest _ -> {
        List<PlanNode> inputs = parts(node.inputs().getFirst());
        yield inputs.size() == 1
            ? List.of(node)
            : inputs.stream().map(input -> PlanInputs.replace(node, List.of(input))).toList();
      }
      default -> List.of(node);
    };
  }

  private void place(String sink, PlanNode part) {
    switch (places.of(part)) {
      case InShards(String table, Set<Integer> _) ->
          shards(table).add(new SinkNode(sink, inShard(part)));
      case Anywhere _, Merged _ -> ofMerge.add(new SinkNode(sink, merged(part)));
    }
  }

  /** A step as the shards do it. */
  private PlanNode inShard(PlanNode node) {
    if (node instanceof PlanNode.LateRows(PlanNode.WindowAggregate window)
        && places.isTwoSteps(window)) {
      return new PlanNode.LateRows(steps(window).slicesInShard());
    }
    return PlanInputs.replace(node, node.inputs().stream().map(this::inShard).toList());
  }

  /** A step over what the shards give. */
  private PlanNode merged(PlanNode node) {
    return switch (places.of(node)) {
      case Anywhere _ -> node;
      case InShards(String table, Set<Integer> _) -> rows(table, node);
      case Merged _ ->
          switch (node) {
            case PlanNode.WindowAggregate window when places.isTwoSteps(window) ->
                aggregated(window);
            case PlanNode.TopN top when isTwoSteps(top) -> ranked(top);
            default -> PlanInputs.replace(node, node.inputs().stream().map(this::merged).toList());
          };
    };
  }

  /**
   * Whether each shard ranks its rows before all are ranked. Not over streams: a row would be late
   * in another place than in the whole.
   */
  private boolean isTwoSteps(PlanNode.TopN top) {
    return job.batch()
        && top.windowEnd() >= 0
        && top.to() < Long.MAX_VALUE
        && places.of(top.input()) instanceof InShards;
  }

  private PlanNode ranked(PlanNode.TopN top) {
    PlanNode.TopN ofShard =
        new PlanNode.TopN(
            top.input(),
            top.partition(),
            top.orderings(),
            1,
            top.to(),
            top.windowEnd(),
            top.zone(),
            null,
            top.input().schema());
    InShards place = (InShards) places.of(top.input());
    return PlanInputs.replace(top, List.of(rows(place.table(), ofShard)));
  }

  private PlanNode rows(String table, PlanNode node) {
    return exchange(
        table,
        inShard(node),
        List.copyOf(new TreeSet<>(EventTime.columns(node))),
        Optional.empty());
  }

  private PlanNode aggregated(PlanNode.WindowAggregate window) {
    if (!(places.of(window.input()) instanceof InShards(String table, Set<Integer> _))) {
      throw new IllegalStateException("a window that is done in two steps is over a shard's rows");
    }
    TwoPhaseAggregation steps = steps(window);
    return steps.merged(exchange(table, steps.inShard(), steps.timeColumns(), Optional.of(window)));
  }

  private TwoPhaseAggregation steps(PlanNode.WindowAggregate window) {
    TwoPhaseAggregation known = twoSteps.get(window);
    if (known == null) {
      PlanNode.WindowAggregate ofShard =
          (PlanNode.WindowAggregate) PlanInputs.replace(window, List.of(inShard(window.input())));
      String name = naming.aggregation().apply(twoSteps.size(), ofShard);
      known = new TwoPhaseAggregation(name, ofShard, job.aggregates());
      twoSteps.put(window, known);
    }
    return known;
  }

  private PlanNode exchange(
      String table,
      PlanNode inShard,
      List<Integer> timeColumns,
      Optional<PlanNode.WindowAggregate> partial) {
    return exchanges
        .computeIfAbsent(
            inShard,
            node ->
                new Exchange(
                    table,
                    divided.getOrDefault(table, Division.WHOLE),
                    node,
                    new PlanNode.Scan(freeName(), node.schema(), timeColumns),
                    partial))
        .scan();
  }

  private String freeName() {
    int number = exchanges.size() + 1;
    while (isTaken(naming.exchange() + number)) {
      number++;
    }
    return naming.exchange() + number;
  }

  private boolean isTaken(String name) {
    return job.sources().containsKey(name)
        || job.sinks().containsKey(name)
        || exchanges.values().stream().anyMatch(exchange -> exchange.name().equals(name));
  }
}
