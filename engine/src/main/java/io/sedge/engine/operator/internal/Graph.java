package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.operator.Operator;
import io.sedge.engine.operator.Output;
import io.sedge.engine.operator.StateLayout;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The nodes of a plan, connected: one for each step of its {@link StateLayout}, with its id. */
public final class Graph {
  private final Operators operators;
  private final Map<String, Output> sinks;
  private final List<Node> nodes = new ArrayList<>();
  private final List<List<Integer>> inputIds = new ArrayList<>();
  private final Map<String, Node> scans = new LinkedHashMap<>();
  private final Map<String, Node> sinkNodes = new LinkedHashMap<>();
  private final List<Node> values = new ArrayList<>();
  private final BitSet ready = new BitSet();

  public Graph(Plan plan, Operators operators, Map<String, Output> sinks) {
    this.operators = operators;
    this.sinks = sinks;
    LookupCycleCheck.check(plan);
    StateLayout.of(plan).steps().forEach(this::add);
  }

  /** All nodes, inputs before their consumers. */
  List<Node> nodes() {
    return nodes;
  }

  Map<String, Node> scans() {
    return scans;
  }

  Map<String, Node> sinkNodes() {
    return sinkNodes;
  }

  List<Node> values() {
    return values;
  }

  /** The ids of the nodes that feed a node. */
  List<Integer> inputs(Node node) {
    return inputIds.get(node.id());
  }

  /**
   * Whether no node that a source feeds, over any number of others, makes its rows wait. What is
   * ready stays so, and is not looked for again.
   */
  boolean isReady(Node source) {
    if (!ready.get(source.id()) && !anyWaits(source)) {
      ready.set(source.id());
    }
    return ready.get(source.id());
  }

  private boolean anyWaits(Node source) {
    boolean[] fed = new boolean[nodes.size()];
    fed[source.id()] = true;
    for (Node node : nodes.subList(source.id() + 1, nodes.size())) {
      List<Integer> inputs = inputs(node);
      for (int i = 0; i < inputs.size(); i++) {
        if (fed[inputs.get(i)]) {
          fed[node.id()] = true;
          if (!node.operator().ready(i)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /**
   * The joins that look rows up in a table.
   *
   * @throws IllegalArgumentException if anything else is made of it
   */
  List<Node> lookups(Node source) {
    List<Node> lookups = new ArrayList<>();
    BitSet fed = new BitSet();
    fed.set(source.id());
    for (Node node : nodes.subList(source.id() + 1, nodes.size())) {
      List<Integer> inputs = inputs(node);
      for (int i = 0; i < inputs.size(); i++) {
        if (!fed.get(inputs.get(i))) {
          continue;
        }
        if (node.operator() instanceof LookupJoinOperator && i == LookupJoinOperator.TABLE) {
          lookups.add(node);
        } else if (node.operator() instanceof StatelessOperator) {
          fed.set(node.id());
        } else {
          throw new IllegalArgumentException(
              "%s is not only looked up: it goes into %s".formatted(source.name(), node.name()));
        }
      }
    }
    return lookups;
  }

  private void add(StateLayout.Step step) {
    List<Node> feeding = step.inputs().stream().map(nodes::get).toList();
    Node node = step.node().isPresent() ? create(step, step.node().get()) : createSink(step);
    nodes.add(node);
    inputIds.add(step.inputs());
    for (int i = 0; i < feeding.size(); i++) {
      outputFor(step, feeding.get(i)).add(node.input(i));
    }
  }

  private Node createSink(StateLayout.Step step) {
    String table = step.sink().orElseThrow();
    Output sink = sinks.get(table);
    if (sink == null) {
      throw new IllegalArgumentException(
          "the plan writes the sink %s; sinks were given for %s".formatted(table, sinks.keySet()));
    }
    Node node =
        new Node(step.id(), "Sink(" + table + ")", new PassOperator(), step.inputs().size(), null);
    node.output().add(new SinkEdge(sink));
    sinkNodes.put(table, node);
    return node;
  }

  private Node create(StateLayout.Step step, PlanNode plan) {
    FanOut late = plan instanceof PlanNode.WindowAggregate ? new FanOut() : null;
    Operator operator =
        operators.create(
            plan,
            step.inputs().stream().map(nodes::get).map(Node::operator).toList(),
            late == null ? new FanOut() : late);
    Node node = new Node(step.id(), name(plan), operator, Math.max(1, plan.inputs().size()), late);
    switch (plan) {
      case PlanNode.Scan scan -> addScan(scan, node);
      case PlanNode.Values _ -> values.add(node);
      default -> {}
    }
    return node;
  }

  private static FanOut outputFor(StateLayout.Step consumer, Node producer) {
    FanOut late = producer.late();
    boolean takesLate = consumer.node().orElse(null) instanceof PlanNode.LateRows;
    return takesLate && late != null ? late : producer.output();
  }

  private void addScan(PlanNode.Scan scan, Node node) {
    if (scans.putIfAbsent(scan.table(), node) != null) {
      throw new IllegalArgumentException(
          "the plan scans the table %s with two different schemas; make them equal"
              .formatted(scan.table()));
    }
  }

  private static String name(PlanNode plan) {
    return switch (plan) {
      case PlanNode.Scan scan -> "Scan(" + scan.table() + ")";
      default -> plan.getClass().getSimpleName();
    };
  }

  /** The end of the graph: a caller's output. Idleness is of no interest to it. */
  private record SinkEdge(Output sink) implements NodeInput {
    @Override
    public boolean offer(Batch batch) {
      return sink.offer(batch);
    }

    @Override
    public boolean advance(long watermark) {
      return sink.advance(watermark);
    }

    @Override
    public boolean idle(boolean idle) {
      return true;
    }
  }

  @Nullable Node scan(String table) {
    return scans.get(table);
  }
}
