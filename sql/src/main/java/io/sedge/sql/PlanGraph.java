package io.sedge.sql;

import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a job reads, computes and writes, as a graph for people, in the words of {@link
 * PlanPrinter}. A step that feeds several others stands once. Immutable.
 *
 * @param edges in the direction in which rows move; of a step with several inputs in their order
 */
public record PlanGraph(List<Node> nodes, List<Edge> edges) {
  /** What a node is. */
  public enum Kind {
    SOURCE,
    OPERATOR,
    SINK
  }

  /**
   * A table or a step.
   *
   * @param id unique in its graph, and the same for equal jobs
   * @param title the table's name, or what kind of step it is
   * @param detail more about it, a line each
   */
  public record Node(String id, Kind kind, String title, List<String> detail) {
    public Node {
      detail = List.copyOf(detail);
    }
  }

  /** Rows move from a node to another. */
  public record Edge(String from, String to) {}

  public PlanGraph {
    nodes = List.copyOf(nodes);
    edges = List.copyOf(edges);
  }

  /** The graph of a job. */
  public static PlanGraph of(Job job) {
    return new Builder(job).build();
  }

  private static final class Builder {
    private final Job job;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Edge> edges = new ArrayList<>();
    private final Map<PlanNode, String> steps = new HashMap<>();

    Builder(Job job) {
      this.job = job;
    }

    PlanGraph build() {
      new TreeMap<>(job.sources())
          .forEach(
              (name, source) ->
                  nodes.add(
                      new Node(source(name), Kind.SOURCE, name, PlanPrinter.details(source))));
      for (Plan.SinkNode sink : job.plan().sinks()) {
        addSink(sink.table(), job.sinks().get(sink.table()));
        edges.add(new Edge(add(sink.input()), sink(sink.table())));
      }
      job.sources().values().forEach(this::addMalformed);
      return new PlanGraph(nodes, edges);
    }

    private void addSink(String name, Job.@Nullable SinkTable table) {
      nodes.add(
          new Node(
              sink(name), Kind.SINK, name, table == null ? List.of() : PlanPrinter.details(table)));
    }

    /** No step feeds the table of malformed payloads: the source does. */
    private void addMalformed(Job.SourceTable source) {
      source
          .malformedTable()
          .ifPresent(
              name -> {
                if (nodes.stream().noneMatch(node -> node.id().equals(sink(name)))) {
                  addSink(name, job.sinks().get(name));
                }
                edges.add(new Edge(source(source.table().name()), sink(name)));
              });
    }

    /** The id of a step, which is added with those that feed it if it is new. */
    private String add(PlanNode node) {
      if (node instanceof PlanNode.Scan scan) {
        return source(scan.table());
      }
      String known = steps.get(node);
      if (known != null) {
        return known;
      }
      String id = "step:" + (steps.size() + 1);
      steps.put(node, id);
      String[] words = PlanPrinter.step(node).split(" ", 2);
      List<String> detail = new ArrayList<>();
      if (words.length > 1) {
        detail.add(words[1]);
      }
      PlanPrinter.state(node).ifPresent(state -> detail.add("keeps " + state));
      nodes.add(new Node(id, Kind.OPERATOR, words[0], detail));
      for (PlanNode input : node.inputs()) {
        edges.add(new Edge(add(input), id));
      }
      return id;
    }

    private static String source(String table) {
      return "source:" + table;
    }

    private static String sink(String table) {
      return "sink:" + table;
    }
  }
}
