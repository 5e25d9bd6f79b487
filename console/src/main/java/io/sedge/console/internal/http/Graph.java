package io.sedge.console.internal.http;

import io.sedge.sql.PlanGraph;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A job's plan, as the page draws it. */
public record Graph(List<Node> nodes, List<List<String>> edges) {
  /**
   * A table or a step.
   *
   * @param table its name, of a source or a sink
   */
  public record Node(
      String id, String kind, String title, List<String> detail, @Nullable String table) {}

  public static Graph of(PlanGraph graph) {
    return new Graph(
        graph.nodes().stream()
            .map(
                node ->
                    new Node(
                        node.id(),
                        node.kind().name().toLowerCase(Locale.ROOT),
                        node.title(),
                        node.detail(),
                        node.kind() == PlanGraph.Kind.OPERATOR ? null : node.title()))
            .toList(),
        graph.edges().stream().map(edge -> List.of(edge.from(), edge.to())).toList());
  }
}
