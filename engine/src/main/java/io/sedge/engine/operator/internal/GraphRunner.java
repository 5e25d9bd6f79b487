package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.operator.Output;
import io.sedge.engine.operator.Pipeline;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.state.StateWriter;
import io.sedge.engine.state.Stateful;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs a {@link Graph}; what {@link Pipeline} shows of it. */
public final class GraphRunner implements Stateful {
  /** Above every node's id. The entry under it tells the plan that the others are of. */
  private static final int PLAN_ENTRY = 0xffff;

  private final Graph graph;
  private final long fingerprint;
  private boolean fingerprintWritten;

  public GraphRunner(Plan plan, Graph graph) {
    this.graph = graph;
    this.fingerprint = fingerprint(plan.toString());
    if (graph.nodes().size() >= PLAN_ENTRY) {
      throw new IllegalArgumentException(
          "the plan has %d operators; at most %d are run in one task"
              .formatted(graph.nodes().size(), PLAN_ENTRY - 1));
    }
  }

  public List<String> sources() {
    return List.copyOf(graph.scans().keySet());
  }

  public Output source(String table) {
    return new Source(scan(table));
  }

  public boolean idle(String table, boolean idle) {
    return scan(table).input(0).idle(idle);
  }

  public boolean ready(String table) {
    return graph.isReady(scan(table));
  }

  public void beginReload(String table, long mostBytes) {
    List<Node> lookups = graph.lookups(scan(table));
    for (Node node : lookups) {
      lookup(node).beginReload(mostBytes / lookups.size());
    }
  }

  public void dropReload(String table) {
    for (Node node : graph.lookups(scan(table))) {
      lookup(node).dropReload();
    }
  }

  public boolean endReload(String table) {
    List<Node> lookups = graph.lookups(scan(table));
    for (Node node : lookups) {
      if (!node.isFree()) {
        return false;
      }
      lookup(node).checkReload();
    }
    for (Node node : lookups) {
      lookup(node).endReload();
    }
    return true;
  }

  private static LookupJoinOperator lookup(Node node) {
    return (LookupJoinOperator) node.operator();
  }

  private Node scan(String table) {
    Node node = graph.scan(table);
    if (node == null) {
      throw new IllegalArgumentException(
          "the plan does not scan the table %s but %s".formatted(table, graph.scans().keySet()));
    }
    return node;
  }

  public boolean start() {
    boolean all = announce();
    for (Node node : graph.values()) {
      all &= graph.isReady(node) && ((ValuesOperator) node.operator()).run(node.input(0));
    }
    return all;
  }

  /**
   * Tells each step what those before it have announced, where it does not know: a step that begins
   * anew behind one that goes on.
   */
  private boolean announce() {
    boolean all = true;
    for (Node node : graph.nodes()) {
      List<Integer> inputs = graph.inputs(node);
      for (int i = 0; i < inputs.size(); i++) {
        all &= graph.nodes().get(inputs.get(i)).announceTo(node, i);
      }
    }
    return all;
  }

  public boolean flushed() {
    for (Node node : graph.nodes()) {
      if (!node.isFree()) {
        return false;
      }
    }
    return true;
  }

  public void giveOpen(String sink) {
    checkFlushed();
    Node node = graph.sinkNodes().get(sink);
    if (node == null) {
      throw new IllegalArgumentException("the plan writes no sink " + sink);
    }
    giveOpenBefore(node);
  }

  private void giveOpenBefore(Node node) {
    for (int id : graph.inputs(node)) {
      Node input = graph.nodes().get(id);
      switch (input.operator()) {
        case SliceWindowOperator windows -> {
          if (!windows.giveOpen(input.output())) {
            throw new IllegalStateException("a sink of partial results has refused some");
          }
        }
        case StatelessOperator _, PassOperator _ -> giveOpenBefore(input);
        default ->
            throw new IllegalArgumentException(
                "%s stands between windows and a sink of partial results".formatted(input.name()));
      }
    }
  }

  public long changedEntries() {
    long entries = 0;
    for (Node node : graph.nodes()) {
      entries += node.operator().changedEntries();
    }
    return entries;
  }

  public boolean finished() {
    for (Node node : graph.sinkNodes().values()) {
      if (node.watermark() != Long.MAX_VALUE) {
        return false;
      }
    }
    return true;
  }

  public List<Pipeline.Counters> counters() {
    return graph.nodes().stream().map(this::counters).toList();
  }

  private Pipeline.Counters counters(Node node) {
    return new Pipeline.Counters(
        node.id(),
        node.name(),
        graph.inputs(node),
        node.rowsIn(),
        node.output().rows(),
        node.operator().lateRows(),
        node.operator().nullTimeRows(),
        node.watermark());
  }

  public void checkInvariants() {
    graph.nodes().forEach(node -> node.operator().checkInvariants());
  }

  @Override
  public void writeSnapshot(StateWriter writer) {
    checkFlushed();
    writer.put(StateKeys.ofNode(PLAN_ENTRY), encoded(fingerprint));
    graph.nodes().forEach(node -> node.writeSnapshot(writer));
  }

  @Override
  public void writeChanges(StateWriter writer) {
    checkFlushed();
    if (!fingerprintWritten) {
      fingerprintWritten = true;
      writer.put(StateKeys.ofNode(PLAN_ENTRY), encoded(fingerprint));
    }
    graph.nodes().forEach(node -> node.writeChanges(writer));
  }

  private void checkFlushed() {
    for (Node node : graph.nodes()) {
      if (!node.isFree()) {
        throw new IllegalStateException(
            "the state cannot be written while %s (operator %d) waits for room; repeat the refused call first"
                .formatted(node.name(), node.id()));
      }
    }
  }

  @Override
  public void restore(Iterable<Map.Entry<byte[], byte[]>> entries) {
    List<List<Map.Entry<byte[], byte[]>>> perNode = new ArrayList<>();
    graph.nodes().forEach(_ -> perNode.add(new ArrayList<>()));
    boolean any = false;
    for (Map.Entry<byte[], byte[]> entry : entries) {
      any = true;
      int id = StateKeys.node(entry.getKey());
      if (id == PLAN_ENTRY) {
        checkFingerprint(ByteBuffer.wrap(entry.getValue()).getLong());
      } else if (id >= perNode.size()) {
        throw new IllegalArgumentException(
            "the state is of another plan: it has an operator %d, this plan has %d of them"
                .formatted(id, perNode.size()));
      } else if (StateKeys.isWatermarks(entry.getKey())) {
        graph.nodes().get(id).restoreWatermarks(entry.getValue());
      } else {
        perNode.get(id).add(StateKeys.withoutPrefix(entry));
      }
    }
    if (any && !fingerprintWritten) {
      throw new IllegalArgumentException("the state does not say which plan it is of");
    }
    for (Node node : graph.nodes()) {
      node.operator().restore(perNode.get(node.id()));
    }
  }

  private void checkFingerprint(long found) {
    if (found != fingerprint) {
      throw new IllegalArgumentException(
          "the state is of another plan: its fingerprint is %016x, this plan's is %016x"
              .formatted(found, fingerprint));
    }
    fingerprintWritten = true;
  }

  /** The entry that says which plan the others are of. */
  public static Map.Entry<byte[], byte[]> planEntry(Plan plan) {
    return Map.entry(StateKeys.ofNode(PLAN_ENTRY), encoded(fingerprint(plan.toString())));
  }

  private static byte[] encoded(long fingerprint) {
    return ByteBuffer.allocate(Long.BYTES).putLong(fingerprint).array();
  }

  /** FNV-1a over the plan's text. */
  private static long fingerprint(String text) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    return hash;
  }

  private static final class Source implements Output {
    private final Node node;
    private final NodeInput input;

    Source(Node node) {
      this.node = node;
      this.input = node.input(0);
    }

    /** Rows end idleness first; that is repeated until it is passed on. */
    @Override
    public boolean offer(Batch batch) {
      return (!node.isHeldForIdle() || input.idle(false)) && input.offer(batch);
    }

    @Override
    public boolean advance(long watermark) {
      return input.advance(watermark);
    }
  }
}
