package io.sedge.connector.opcua.internal;

import java.util.Map;
import org.eclipse.milo.opcua.stack.core.types.builtin.NodeId;

/** A node that a table reads, and how far its values have come. */
final class Variable {
  /** No value yet, or none with a time. */
  static final long NEVER = Long.MIN_VALUE;

  private final NodeId nodeId;
  private final String id;
  private final String browseName;
  private final Map<String, String> columns;

  // What follows belongs to the feeder's thread.

  /** Whether the server keeps past values; the task looks at it too. */
  volatile boolean hasHistory;

  /** Whether it is watched; if not, it is tried again. */
  boolean isMonitored;

  /** Whether the server has said that it is no longer there. */
  boolean isGone;

  /** The source's time of the last value that went to the task, 100 ns since 1601. */
  long received = NEVER;

  /** Whether a value may come again that history has given, or that came before. */
  boolean mayRepeat;

  /** The same as {@link #received} for the last value in a row; belongs to the task's thread. */
  long polled = NEVER;

  /**
   * @param browseName empty if no column has it
   * @param columns the values of the columns that {@code 'nodes'} names
   */
  Variable(NodeId nodeId, String browseName, Map<String, String> columns) {
    this.nodeId = nodeId;
    this.id = nodeId.toParseableString();
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

  /** What stands for the node in a position. */
  long hash() {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < id.length(); i++) {
      hash = (hash ^ id.charAt(i)) * 0x100000001b3L;
    }
    return hash;
  }

  @Override
  public String toString() {
    return id;
  }
}
