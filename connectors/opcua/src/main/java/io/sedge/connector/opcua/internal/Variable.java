package io.sedge.connector.opcua.internal;

import java.util.Map;
import org.eclipse.milo.opcua.stack.core.NamespaceTable;
import org.eclipse.milo.opcua.stack.core.types.builtin.DateTime;
import org.eclipse.milo.opcua.stack.core.types.builtin.NodeId;
import org.jspecify.annotations.Nullable;

/** A node that a table reads, and how far its values have come. */
final class Variable {
  /** No value yet, or none with a time. */
  static final long NEVER = Long.MIN_VALUE;

  private final String key;
  private final String browseName;
  private final Map<String, String> columns;

  // Servers number their namespaces anew when they start.
  private volatile NodeId nodeId;
  private volatile String id;

  // What follows belongs to the feeder's thread.

  /** Whether the server keeps past values. */
  boolean hasHistory;

  /** Whether it is watched; if not, it is tried again. */
  boolean isMonitored;

  /** Whether the server has said that it is no longer there. */
  boolean isGone;

  /** The source's time of the last value that went to the task, 100 ns since 1601. */
  long received = NEVER;

  /** Whether the first value of the subscription, which may be the last of before, is to come. */
  boolean isFirst;

  /** What {@link #received} was when the subscription was made. */
  long filledAfter = NEVER;

  /** The last time that history gave since then; nothing before it is taken again. */
  long filledTo = NEVER;

  /** The same as {@link #received} for the last value in a row; belongs to the task's thread. */
  long polled = NEVER;

  /** A new subscription begins, which may repeat what came before. */
  void subscribed() {
    isFirst = true;
    filledAfter = received;
    filledTo = received;
  }

  /** Whether a value of the subscription came before, or was given by history. */
  boolean isRepeated(@Nullable DateTime source) {
    boolean first = isFirst;
    isFirst = false;
    long time = source == null ? NEVER : source.utcTime();
    if (time != NEVER
        && time <= filledTo
        && (time > filledAfter || (first && time == filledAfter))) {
      return true;
    }
    if (time != NEVER) {
      // From now on all is new, also if the source's clock is set back.
      filledTo = NEVER;
    }
    return false;
  }

  /**
   * @param namespaces the server's
   * @param browseName empty if no column has it
   * @param columns the values of the columns that {@code 'nodes'} names
   */
  Variable(
      NodeId nodeId, NamespaceTable namespaces, String browseName, Map<String, String> columns) {
    this.nodeId = nodeId;
    this.id = nodeId.toParseableString();
    @Nullable String namespace = namespaces.get(nodeId.getNamespaceIndex());
    this.key =
        namespace == null ? id : "nsu=%s;%s".formatted(namespace, id.replaceFirst("^ns=\\d+;", ""));
    this.browseName = browseName;
    this.columns = Map.copyOf(columns);
  }

  NodeId nodeId() {
    return nodeId;
  }

  String id() {
    return id;
  }

  String browseName() {
    return browseName;
  }

  Map<String, String> columns() {
    return columns;
  }

  /** Its identifier with the name of its namespace, which stays the same. */
  String key() {
    return key;
  }

  /** Where the node is now that the server has other numbers. */
  void moveTo(NodeId now) {
    nodeId = now;
    id = now.toParseableString();
  }

  /** What stands for the node in a position. */
  long hash() {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < key.length(); i++) {
      hash = (hash ^ key.charAt(i)) * 0x100000001b3L;
    }
    return hash;
  }

  @Override
  public String toString() {
    return id;
  }
}
