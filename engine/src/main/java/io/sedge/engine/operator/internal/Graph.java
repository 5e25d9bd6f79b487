package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.operator.Operator;
import io.sedge.engine.operator.Output;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a plan, connected. Equal plan nodes become one node; ids follow from the plan alone
 * (inputs before their consumers, sinks in the plan's order), so they are the same whenever it is
 * compiled.
 */
public final class Graph {
  private final Operators operators;
  private final Map<String, Output> sinks;
  private final List<Node> nodes = new ArrayList<>();
  private final List<List<Integer>> inputIds = new ArrayList<>();
  private final Map<PlanNode, Node> known = new HashMap<>();
  private final Map<String, Node> scans = new LinkedHashMap<>();
  private final Map<String, Node> sinkNodes = new LinkedHashMap<>();
  private final List<Node> values = new ArrayList<>();
  private final BitSet ready = new BitSet();

  public Graph(Plan plan, Operators operators, Map<String, Output> sinks) {
    this.operators = operators;
    this.sinks = sinks;
    Waiting.check(plan);
    Map<String, List<PlanNode>> inputs = new LinkedHashMap<>();
    for (Plan.SinkNode sink : plan.sinks()) {
      inputs.computeIfAbsent(sink.table(), _ -> new ArrayList<>()).add(sink.input());
    }
    inputs.forEach(this::addSink);
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

  private void addSink(String table, List<PlanNode> inputs) {
    Output sink = sinks.get(table);
    if (sink == null) {
      throw new IllegalArgumentException(
          "the plan writes the sink %s; sinks were given for %s".formatted(table, sinks.keySet()));
    }
    List<Node> feeding = inputs.stream().map(this::node).toList();
    Node node =
        new Node(nodes.size(), "Sink(" + table + ")", new PassOperator(), inputs.size(), null);
    node.output().add(new SinkEdge(sink));
    add(node, feeding);
    for (int i = 0; i < inputs.size(); i++) {
      feeding.get(i).output().add(node.input(i));
    }
    sinkNodes.put(table, node);
  }

  private Node node(PlanNode plan) {
    Node node = known.get(plan);
    if (node == null) {
      node = create(plan);
      known.put(plan, node);
    }
    return node;
  }

  private Node create(PlanNode plan) {
    List<Node> feeding = plan.inputs().stream().map(this::node).toList();
    FanOut late = plan instanceof PlanNode.WindowAggregate ? new FanOut() : null;
    Operator operator =
        operators.create(
            plan,
            feeding.stream().map(Node::operator).toList(),
            late == null ? new FanOut() : late);
    Node node =
        new Node(nodes.size(), name(plan), operator, Math.max(1, plan.inputs().size()), late);
    add(node, feeding);
    for (int i = 0; i < feeding.size(); i++) {
      outputFor(plan, feeding.get(i)).add(node.input(i));
    }
    switch (plan) {
      case PlanNode.Scan scan -> addScan(scan, node);
      case PlanNode.Values _ -> values.add(node);
      default -> {}
    }
    return node;
  }

  private static FanOut outputFor(PlanNode consumer, Node producer) {
    FanOut late = producer.late();
    return consumer instanceof PlanNode.LateRows && late != null ? late : producer.output();
  }

  private void addScan(PlanNode.Scan scan, Node node) {
    if (scans.putIfAbsent(scan.table(), node) != null) {
      throw new IllegalArgumentException(
          "the plan scans the table %s with two different schemas; make them equal"
              .formatted(scan.table()));
    }
  }

  private void add(Node node, List<Node> feeding) {
    nodes.add(node);
    inputIds.add(feeding.stream().map(Node::id).toList());
  }

  private static String name(PlanNode plan) {
    return switch (plan) {
      case PlanNode.Scan scan -> "Scan(" + scan.table() + ")";
      default -> plan.getClass().getSimpleName();
    };
  }

  /** The end of the graph: a caller's output. Idleness is of no interest to it. */
  private record SinkEdge(Output sink) implements Edge {
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
