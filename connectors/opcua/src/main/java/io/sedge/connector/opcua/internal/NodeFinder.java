package io.sedge.connector.opcua.internal;

import static org.eclipse.milo.opcua.stack.core.types.builtin.unsigned.Unsigned.uint;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.eclipse.milo.opcua.stack.core.AttributeId;
import org.eclipse.milo.opcua.stack.core.NodeIds;
import org.eclipse.milo.opcua.stack.core.types.builtin.ByteString;
import org.eclipse.milo.opcua.stack.core.types.builtin.DataValue;
import org.eclipse.milo.opcua.stack.core.types.builtin.DateTime;
import org.eclipse.milo.opcua.stack.core.types.builtin.ExpandedNodeId;
import org.eclipse.milo.opcua.stack.core.types.builtin.NodeId;
import org.eclipse.milo.opcua.stack.core.types.builtin.QualifiedName;
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
  /** The fewest operations that a request of ours has, where the server sets no limit. */
  private static final int PER_CALL = 1_000;

  private static final int BROWSES_PER_CALL = 100;
  private static final int REFERENCES_PER_NODE = 1_000;

  /** No view, but all that there is. */
  private static final ViewDescription WHOLE =
      new ViewDescription(NodeId.NULL_VALUE, DateTime.NULL_VALUE, uint(0));

  private final Link link;
  private final ServerLimits limits;

  NodeFinder(Link link, ServerLimits limits) {
    this.link = link;
    this.limits = limits;
  }

  /** What a node leads to. */
  record Found(
      NodeId parent,
      NodeId node,
      String path,
      NodeClass nodeClass,
      ReferenceDescription reference) {}

  /** Takes what is found; false ends the search. */
  @FunctionalInterface
  interface Visitor {
    boolean visit(Found found);
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
          exact.get(i), new Variable(exact.get(i), names ? browseNames.get(i) : "", Map.of()));
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
              Integer.MAX_VALUE,
              at -> {
                if (at.nodeClass() == NodeClass.Variable) {
                  match(namespaces, at)
                      .ifPresent(
                          columns ->
                              found.putIfAbsent(
                                  at.node(),
                                  new Variable(
                                      at.node(), name(at.reference().getBrowseName()), columns)));
                }
                return true;
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
  boolean walk(NodeId root, int maxNodes, int maxDepth, Visitor visitor) throws Exception {
    record Step(NodeId node, String path, int depth) {}
    Set<NodeId> seen = new HashSet<>();
    Deque<Step> queue = new ArrayDeque<>();
    queue.add(new Step(root, "/" + browseNames(List.of(root)).getFirst(), 0));
    seen.add(root);
    int perCall = limits.perCall(BROWSES_PER_CALL, limits.browse());
    while (!queue.isEmpty()) {
      List<Step> steps = new ArrayList<>();
      while (!queue.isEmpty() && steps.size() < perCall) {
        steps.add(queue.remove());
      }
      List<List<ReferenceDescription>> all = browse(steps.stream().map(Step::node).toList());
      for (int i = 0; i < steps.size(); i++) {
        Step step = steps.get(i);
        for (ReferenceDescription reference : all.get(i)) {
          Optional<NodeId> node = reference.getNodeId().toNodeId(link.client().getNamespaceTable());
          if (node.isEmpty() || !reference.getNodeId().isLocal()) {
            continue;
          }
          String path = step.path() + "/" + name(reference.getBrowseName());
          if (!visitor.visit(
              new Found(step.node(), node.get(), path, reference.getNodeClass(), reference))) {
            return true;
          }
          // The server's own object has thousands of nodes that nobody means by a pattern.
          if (seen.add(node.get())
              && step.depth() + 1 < maxDepth
              && !node.get().equals(NodeIds.Server)) {
            if (seen.size() > maxNodes) {
              return false;
            }
            queue.add(new Step(node.get(), path, step.depth() + 1));
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
    BrowseResult[] results =
        Objects.requireNonNull(
            link.request(
                    header -> new BrowseRequest(header, WHOLE, uint(REFERENCES_PER_NODE), wanted),
                    BrowseResponse.class)
                .getResults());
    List<List<ReferenceDescription>> all = new ArrayList<>();
    for (BrowseResult result : results) {
      List<ReferenceDescription> references = new ArrayList<>();
      BrowseResult part = result;
      while (true) {
        if (part.getReferences() != null) {
          references.addAll(List.of(part.getReferences()));
        }
        ByteString more = part.getContinuationPoint();
        if (more == null || more.isNullOrEmpty()) {
          break;
        }
        part =
            Objects.requireNonNull(
                link.request(
                        header -> new BrowseNextRequest(header, false, new ByteString[] {more}),
                        BrowseNextResponse.class)
                    .getResults())[0];
      }
      all.add(references);
    }
    return all;
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
          List.of(
              Objects.requireNonNull(
                  link.request(
                          header -> new ReadRequest(header, 0.0, TimestampsToReturn.Both, wanted),
                          ReadResponse.class)
                      .getResults())));
    }
    return values;
  }

  /** A browse name with its namespace: {@code 2:Temp}. */
  static String name(QualifiedName name) {
    return "%s:%s".formatted(name.namespaceIndex(), name.name());
  }
}
