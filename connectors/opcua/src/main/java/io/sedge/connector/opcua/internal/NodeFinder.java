package io.sedge.connector.opcua.internal;

import static org.eclipse.milo.opcua.stack.core.types.builtin.unsigned.Unsigned.uint;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.eclipse.milo.opcua.stack.core.AttributeId;
import org.eclipse.milo.opcua.stack.core.NodeIds;
import org.eclipse.milo.opcua.stack.core.StatusCodes;
import org.eclipse.milo.opcua.stack.core.types.builtin.ByteString;
import org.eclipse.milo.opcua.stack.core.types.builtin.DataValue;
import org.eclipse.milo.opcua.stack.core.types.builtin.DateTime;
import org.eclipse.milo.opcua.stack.core.types.builtin.ExpandedNodeId;
import org.eclipse.milo.opcua.stack.core.types.builtin.NodeId;
import org.eclipse.milo.opcua.stack.core.types.builtin.QualifiedName;
import org.eclipse.milo.opcua.stack.core.types.builtin.StatusCode;
import org.eclipse.milo.opcua.stack.core.types.enumerated.BrowseDirection;
import org.eclipse.milo.opcua.stack.core.types.enumerated.BrowseResultMask;
import org.eclipse.milo.opcua.stack.core.types.enumerated.NodeClass;
import org.eclipse.milo.opcua.stack.core.types.enumerated.TimestampsToReturn;
import org.eclipse.milo.opcua.stack.core.types.structured.BrowseDescription;
import org.eclipse.milo.opcua.stack.core.types.structured.BrowseNextRequest;
import org.eclipse.milo.opcua.stack.core.types.structured.BrowseNextResponse;
import org.eclipse.milo.opcua.stack.core.types.structured.BrowseRequest;
import org.eclipse.milo.opcua.stack.core.types.structured.BrowseResponse;
import org.eclipse.milo.opcua.stack.core.types.structured.BrowseResult;
import org.eclipse.milo.opcua.stack.core.types.structured.ReadRequest;
import org.eclipse.milo.opcua.stack.core.types.structured.ReadResponse;
import org.eclipse.milo.opcua.stack.core.types.structured.ReadValueId;
import org.eclipse.milo.opcua.stack.core.types.structured.ReferenceDescription;
import org.eclipse.milo.opcua.stack.core.types.structured.ViewDescription;

/**
 * Finds the nodes that a table's patterns mean. Nodes are looked for breadth first along
 * hierarchical references, each once; a node that several patterns fit belongs to the first.
 */
final class NodeFinder {
  /** So many operations a request has at most; the server may have a lower limit. */
  private static final int PER_CALL = 1_000;

  private static final int BROWSES_PER_CALL = 100;
  private static final int REFERENCES_PER_NODE = 1_000;

  /** So many answers the references of a node may take. */
  private static final int PAGES_PER_NODE = 10_000;

  /** No view, but all that there is. */
  private static final ViewDescription WHOLE =
      new ViewDescription(NodeId.NULL_VALUE, DateTime.NULL_VALUE, uint(0));

  private final Link link;
  private final ServerLimits limits;
  private final List<String> skipped = new ArrayList<>();

  NodeFinder(Link link, ServerLimits limits) {
    this.link = link;
    this.limits = limits;
  }

  /** What a node leads to. */
  private record Found(NodeId node, String path, ReferenceDescription reference) {}

  /** The nodes whose references the server did not give, each with the reason. */
  List<String> skipped() {
    return List.copyOf(skipped);
  }

  /**
   * The nodes of all patterns.
   *
   * @param root where to look
   * @param maxNodes so many nodes are looked at
   * @param names whether the nodes' browse names are needed
   * @throws ConnectorRefusal if there are more nodes, or the namespace of a pattern is unknown
   */
  List<Variable> find(List<NodePattern> patterns, String root, int maxNodes, boolean names)
      throws Exception {
    Map<NodeId, Variable> found = new LinkedHashMap<>();
    List<NodePattern> open = new ArrayList<>();
    List<NodeId> exact = new ArrayList<>();
    for (NodePattern pattern : patterns) {
      if (pattern.isExact()) {
        exact.add(nodeId(pattern.text()));
      } else {
        open.add(pattern);
      }
    }
    List<String> browseNames = names ? browseNames(exact) : List.of();
    for (int i = 0; i < exact.size(); i++) {
      found.putIfAbsent(
          exact.get(i), variable(exact.get(i), names ? browseNames.get(i) : "", Map.of()));
    }
    if (!open.isEmpty()) {
      Map<NodePattern, Integer> namespaces = new LinkedHashMap<>();
      for (NodePattern pattern : open) {
        namespaces.put(pattern, pattern.isPath() ? -1 : namespace(pattern));
      }
      boolean whole =
          walk(
              nodeId(root),
              maxNodes,
              at -> {
                if (at.reference().getNodeClass() == NodeClass.Variable) {
                  match(namespaces, at)
                      .ifPresent(
                          columns ->
                              found.putIfAbsent(
                                  at.node(),
                                  variable(
                                      at.node(), name(at.reference().getBrowseName()), columns)));
                }
              });
      if (!whole) {
        throw new ConnectorRefusal(
            ("there are more than %d nodes below %s; name a node nearer to those you want in"
                    + " 'browse.root', or raise 'browse.max-nodes'")
                .formatted(maxNodes, root));
      }
    }
    return List.copyOf(found.values());
  }

  private Variable variable(NodeId node, String name, Map<String, String> columns) {
    return new Variable(node, link.client().getNamespaceTable(), name, columns);
  }

  private static Optional<Map<String, String>> match(
      Map<NodePattern, Integer> patterns, Found found) {
    String identifier = "s=" + found.node().getIdentifier();
    int namespace = found.node().getNamespaceIndex().intValue();
    boolean isText = found.node().getIdentifier() instanceof String;
    for (Map.Entry<NodePattern, Integer> entry : patterns.entrySet()) {
      NodePattern pattern = entry.getKey();
      Optional<Map<String, String>> columns =
          pattern.isPath()
              ? pattern.match(found.path())
              : isText && entry.getValue() == namespace
                  ? pattern.match(identifier)
                  : Optional.empty();
      if (columns.isPresent()) {
        return columns;
      }
    }
    return Optional.empty();
  }

  private int namespace(NodePattern pattern) throws ConnectorRefusal {
    if (pattern.namespace().isEmpty()) {
      return 0;
    }
    return nodeId(pattern.namespace() + ";s=any").getNamespaceIndex().intValue();
  }

  /** A node id with the index that the server has for its namespace now. */
  NodeId nodeId(String text) throws ConnectorRefusal {
    return ExpandedNodeId.parse(text)
        .toNodeId(link.client().getNamespaceTable())
        .orElseThrow(
            () ->
                new ConnectorRefusal(
                    "the server has no namespace of '%s'; it has %s"
                        .formatted(
                            text, String.join(", ", link.client().getNamespaceTable().toArray()))));
  }

  /**
   * Looks at all nodes below one.
   *
   * @return false if there are more than {@code maxNodes}
   */
  private boolean walk(NodeId root, int maxNodes, Consumer<Found> visitor) throws Exception {
    record Step(NodeId node, String path) {}
    Set<NodeId> seen = new HashSet<>();
    Deque<Step> queue = new ArrayDeque<>();
    queue.add(new Step(root, "/" + browseNames(List.of(root)).getFirst()));
    seen.add(root);
    int perCall = limits.perCall(BROWSES_PER_CALL, limits.browse());
    while (!queue.isEmpty()) {
      List<Step> steps = new ArrayList<>();
      while (!queue.isEmpty() && steps.size() < perCall) {
        steps.add(queue.remove());
      }
      List<List<ReferenceDescription>> all = browse(steps.stream().map(Step::node).toList());
      if (steps.getFirst().node().equals(root) && !skipped.isEmpty()) {
        throw new ConnectorRefusal(
            "the server does not say what is below 'browse.root': " + skipped.getFirst());
      }
      for (int i = 0; i < steps.size(); i++) {
        Step step = steps.get(i);
        for (ReferenceDescription reference : all.get(i)) {
          Optional<NodeId> node = reference.getNodeId().toNodeId(link.client().getNamespaceTable());
          if (node.isEmpty() || !reference.getNodeId().isLocal()) {
            continue;
          }
          String path = step.path() + "/" + name(reference.getBrowseName());
          visitor.accept(new Found(node.get(), path, reference));
          // The server's own object has thousands of nodes that nobody means by a pattern.
          if (seen.add(node.get()) && !node.get().equals(NodeIds.Server)) {
            if (seen.size() > maxNodes) {
              return false;
            }
            queue.add(new Step(node.get(), path));
          }
        }
      }
    }
    return true;
  }

  private List<List<ReferenceDescription>> browse(List<NodeId> nodes) throws Exception {
    BrowseDescription[] wanted =
        nodes.stream()
            .map(
                node ->
                    new BrowseDescription(
                        node,
                        BrowseDirection.Forward,
                        NodeIds.HierarchicalReferences,
                        true,
                        uint(NodeClass.Object.getValue() | NodeClass.Variable.getValue()),
                        uint(BrowseResultMask.All.getValue())))
            .toArray(BrowseDescription[]::new);
    List<BrowseResult> results;
    try {
      results =
          Link.all(
              link.request(
                      header -> new BrowseRequest(header, WHOLE, uint(REFERENCES_PER_NODE), wanted),
                      BrowseResponse.class)
                  .getResults(),
              wanted.length);
    } catch (ExecutionException e) {
      if (nodes.size() == 1 || !Failures.isTooMuch(e)) {
        throw e;
      }
      List<List<ReferenceDescription>> all = new ArrayList<>();
      all.addAll(browse(nodes.subList(0, nodes.size() / 2)));
      all.addAll(browse(nodes.subList(nodes.size() / 2, nodes.size())));
      return all;
    }
    List<List<ReferenceDescription>> all = new ArrayList<>();
    List<Integer> again = new ArrayList<>();
    for (int i = 0; i < wanted.length; i++) {
      List<ReferenceDescription> references = new ArrayList<>();
      StatusCode status = follow(results.get(i), references);
      if (status.isBad()) {
        // A server has few continuation points, which others of the request may have had.
        if (wanted.length > 1 && status.value() == StatusCodes.Bad_NoContinuationPoints) {
          again.add(i);
        } else {
          skipped.add("%s: %s".formatted(nodes.get(i).toParseableString(), Failures.name(status)));
        }
      }
      all.add(references);
    }
    for (int i : again) {
      all.set(i, browse(List.of(nodes.get(i))).getFirst());
    }
    return all;
  }

  /** Collects references to their end, or to what the server says against it. */
  private StatusCode follow(BrowseResult first, List<ReferenceDescription> references)
      throws Exception {
    BrowseResult part = first;
    for (int page = 0; page < PAGES_PER_NODE; page++) {
      if (part.getStatusCode().isBad()) {
        return part.getStatusCode();
      }
      if (part.getReferences() != null) {
        references.addAll(List.of(part.getReferences()));
      }
      ByteString more = part.getContinuationPoint();
      if (more == null || more.isNullOrEmpty()) {
        return part.getStatusCode();
      }
      part =
          Link.all(
                  link.request(
                          header -> new BrowseNextRequest(header, false, new ByteString[] {more}),
                          BrowseNextResponse.class)
                      .getResults(),
                  1)
              .getFirst();
    }
    return new StatusCode(StatusCodes.Bad_TooManyMatches);
  }

  private List<String> browseNames(List<NodeId> nodes) throws Exception {
    return read(nodes, AttributeId.BrowseName).stream()
        .map(value -> value.value().value() instanceof QualifiedName name ? name(name) : "")
        .toList();
  }

  /** An attribute of each node. */
  List<DataValue> read(List<NodeId> nodes, AttributeId attribute) throws Exception {
    List<DataValue> values = new ArrayList<>(nodes.size());
    int perCall = limits.perCall(PER_CALL, limits.read());
    for (int from = 0; from < nodes.size(); from += perCall) {
      ReadValueId[] wanted =
          nodes.subList(from, Math.min(nodes.size(), from + perCall)).stream()
              .map(node -> new ReadValueId(node, attribute.uid(), null, QualifiedName.NULL_VALUE))
              .toArray(ReadValueId[]::new);
      values.addAll(
          Link.all(
              link.request(
                      header -> new ReadRequest(header, 0.0, TimestampsToReturn.Both, wanted),
                      ReadResponse.class)
                  .getResults(),
              wanted.length));
    }
    return values;
  }

  /** A browse name with its namespace: {@code 2:Temp}. */
  static String name(QualifiedName name) {
    return "%s:%s".formatted(name.namespaceIndex(), name.name());
  }
}
