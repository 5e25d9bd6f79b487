package io.sedge.connector.opcua.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import org.eclipse.milo.opcua.sdk.core.AccessLevel;
import org.eclipse.milo.opcua.sdk.core.Reference;
import org.eclipse.milo.opcua.sdk.server.ManagedNamespaceWithLifecycle;
import org.eclipse.milo.opcua.sdk.server.OpcUaServer;
import org.eclipse.milo.opcua.sdk.server.items.DataItem;
import org.eclipse.milo.opcua.sdk.server.items.MonitoredItem;
import org.eclipse.milo.opcua.sdk.server.nodes.UaFolderNode;
import org.eclipse.milo.opcua.sdk.server.nodes.UaVariableNode;
import org.eclipse.milo.opcua.stack.core.NodeIds;
import org.eclipse.milo.opcua.stack.core.OpcUaDataType;
import org.eclipse.milo.opcua.stack.core.StatusCodes;
import org.eclipse.milo.opcua.stack.core.types.builtin.ByteString;
import org.eclipse.milo.opcua.stack.core.types.builtin.DataValue;
import org.eclipse.milo.opcua.stack.core.types.builtin.DateTime;
import org.eclipse.milo.opcua.stack.core.types.builtin.ExtensionObject;
import org.eclipse.milo.opcua.stack.core.types.builtin.LocalizedText;
import org.eclipse.milo.opcua.stack.core.types.builtin.NodeId;
import org.eclipse.milo.opcua.stack.core.types.builtin.StatusCode;
import org.eclipse.milo.opcua.stack.core.types.builtin.Variant;
import org.eclipse.milo.opcua.stack.core.types.builtin.unsigned.UByte;
import org.eclipse.milo.opcua.stack.core.types.enumerated.TimestampsToReturn;
import org.eclipse.milo.opcua.stack.core.types.structured.HistoryData;
import org.eclipse.milo.opcua.stack.core.types.structured.HistoryReadDetails;
import org.eclipse.milo.opcua.stack.core.types.structured.HistoryReadResult;
import org.eclipse.milo.opcua.stack.core.types.structured.HistoryReadValueId;
import org.eclipse.milo.opcua.stack.core.types.structured.ReadRawModifiedDetails;
import org.eclipse.milo.opcua.stack.core.types.structured.WriteValue;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a server. Values that are put reach those who watch at once, each of them; what is
 * written is remembered; nodes may have a history.
 */
public final class Plant extends ManagedNamespaceWithLifecycle {
  public static final String URI = "urn:sedge:plant";

  private static final UByte READ_WRITE_HISTORY =
      AccessLevel.toValue(
          AccessLevel.CurrentRead, AccessLevel.CurrentWrite, AccessLevel.HistoryRead);

  private final UaFolderNode folder;
  private final Map<NodeId, List<DataItem>> items = new ConcurrentHashMap<>();
  private final Map<NodeId, List<DataValue>> histories = new ConcurrentHashMap<>();
  private final List<WriteValue> written = new CopyOnWriteArrayList<>();
  private volatile BiFunction<NodeId, Object, @Nullable StatusCode> onWrite = (node, value) -> null;

  Plant(OpcUaServer server) {
    super(server, URI);
    folder =
        new UaFolderNode(
            getNodeContext(),
            newNodeId("Plant"),
            newQualifiedName("Plant"),
            LocalizedText.english("Plant"));
    getLifecycleManager()
        .addStartupTask(
            () -> {
              getNodeManager().addNode(folder);
              folder.addReference(
                  new Reference(
                      folder.getNodeId(),
                      NodeIds.Organizes,
                      NodeIds.ObjectsFolder.expanded(),
                      false));
            });
  }

  /** The id of a node as a table names it. */
  public String id(String name) {
    return newNodeId(name).toParseableString();
  }

  /** Adds a node with a value; its type is the value's. */
  public void add(String name, Object value) {
    add(folder, name, value);
  }

  /**
   * Adds nodes to a folder of their own, which is not below Objects, so that others need not look
   * at them.
   */
  public String addFolder(String name, int nodes) {
    UaFolderNode apart =
        new UaFolderNode(
            getNodeContext(), newNodeId(name), newQualifiedName(name), LocalizedText.english(name));
    getNodeManager().addNode(apart);
    for (int i = 0; i < nodes; i++) {
      add(apart, "%s.%d".formatted(name, i), (double) i);
    }
    return id(name);
  }

  private void add(UaFolderNode parent, String name, Object value) {
    Class<?> type =
        value.getClass().isArray() ? value.getClass().getComponentType() : value.getClass();
    UaVariableNode node =
        new UaVariableNode.UaVariableNodeBuilder(getNodeContext())
            .setNodeId(newNodeId(name))
            .setAccessLevel(AccessLevel.READ_WRITE)
            .setUserAccessLevel(AccessLevel.READ_WRITE)
            .setBrowseName(newQualifiedName(name))
            .setDisplayName(LocalizedText.english(name))
            .setDataType(OpcUaDataType.fromBackingClass(type).getNodeId())
            .setTypeDefinition(NodeIds.BaseDataVariableType)
            .setValueRank(value.getClass().isArray() ? 1 : -1)
            .setValue(value(value, 0))
            .build();
    getNodeManager().addNode(node);
    parent.addOrganizes(node);
  }

  /** Has the server keep the past of a node from now on. */
  public void keepHistory(String name) {
    NodeId id = newNodeId(name);
    histories.put(id, new CopyOnWriteArrayList<>());
    node(id).setAccessLevel(READ_WRITE_HISTORY);
    node(id).setUserAccessLevel(READ_WRITE_HISTORY);
    record(id, node(id).getValue());
  }

  private UaVariableNode node(NodeId id) {
    return (UaVariableNode) getNodeManager().getNode(id).orElseThrow();
  }

  /** A value that the source had so many seconds after 2026-01-01. */
  public static DataValue value(@Nullable Object value, long seconds) {
    DateTime time = new DateTime(java.time.Instant.ofEpochSecond(1_767_225_600 + seconds));
    return new DataValue(new Variant(value), StatusCode.GOOD, time, DateTime.now());
  }

  /** Changes a value. */
  public void put(String name, DataValue value) {
    NodeId id = newNodeId(name);
    node(id).setValue(value);
    record(id, value);
    items.getOrDefault(id, List.of()).forEach(item -> item.setValue(value));
  }

  private void record(NodeId id, DataValue value) {
    List<DataValue> history = histories.get(id);
    if (history != null) {
      history.add(value);
    }
  }

  /** Takes a node away, as when a program is loaded into a controller. */
  public void remove(String name) {
    NodeId id = newNodeId(name);
    node(id).delete();
    DataValue gone = new DataValue(StatusCodes.Bad_NodeIdUnknown);
    items.getOrDefault(id, List.of()).forEach(item -> item.setValue(gone));
  }

  /** Decides what is said to writes; null lets one be. */
  public void onWrite(BiFunction<NodeId, Object, @Nullable StatusCode> decision) {
    onWrite = decision;
  }

  /** What was written, in order. */
  public List<WriteValue> written() {
    return written;
  }

  /** How many items watch a node. */
  public int watched(String name) {
    return items.getOrDefault(newNodeId(name), List.of()).size();
  }

  /** The items of a node. */
  public List<DataItem> items(String name) {
    return items.getOrDefault(newNodeId(name), List.of());
  }

  @Override
  public List<StatusCode> write(WriteContext context, List<WriteValue> values) {
    List<StatusCode> results = new ArrayList<>();
    for (WriteValue value : values) {
      StatusCode decided = onWrite.apply(value.getNodeId(), value.getValue().value().value());
      if (decided == null) {
        written.add(value);
        results.addAll(super.write(context, List.of(value)));
      } else {
        results.add(decided);
      }
    }
    return results;
  }

  @Override
  public List<HistoryReadResult> historyRead(
      HistoryReadContext context,
      HistoryReadDetails details,
      TimestampsToReturn timestamps,
      List<HistoryReadValueId> nodes) {
    ReadRawModifiedDetails raw = (ReadRawModifiedDetails) details;
    List<HistoryReadResult> results = new ArrayList<>();
    for (HistoryReadValueId node : nodes) {
      List<DataValue> history = histories.get(node.getNodeId());
      if (history == null) {
        results.add(
            new HistoryReadResult(
                new StatusCode(StatusCodes.Bad_HistoryOperationUnsupported), null, null));
        continue;
      }
      // A few at a time, so that who reads has to go on where it was.
      int from =
          node.getContinuationPoint().isNullOrEmpty() ? 0 : node.getContinuationPoint().byteAt(0);
      List<DataValue> fitting =
          List.copyOf(history).stream()
              .filter(value -> time(value) >= raw.getStartTime().utcTime())
              .toList();
      int to = Math.min(fitting.size(), from + 3);
      if (to < fitting.size() && nodes.size() > 2) {
        // As servers that have few of them.
        results.add(
            new HistoryReadResult(
                new StatusCode(StatusCodes.Bad_NoContinuationPoints), null, null));
        continue;
      }
      results.add(
          new HistoryReadResult(
              StatusCode.GOOD,
              to < fitting.size() ? ByteString.of(new byte[] {(byte) to}) : ByteString.NULL_VALUE,
              ExtensionObject.encode(
                  getServer().getStaticEncodingContext(),
                  new HistoryData(fitting.subList(from, to).toArray(DataValue[]::new)))));
    }
    return results;
  }

  private static long time(DataValue value) {
    return value.sourceTime() == null ? 0 : value.sourceTime().utcTime();
  }

  @Override
  public void onDataItemsCreated(List<DataItem> created) {
    for (DataItem item : created) {
      NodeId id = item.getReadValueId().getNodeId();
      items.computeIfAbsent(id, key -> new CopyOnWriteArrayList<>()).add(item);
      getNodeManager()
          .getNode(id)
          .ifPresent(node -> item.setValue(((UaVariableNode) node).getValue()));
    }
  }

  @Override
  public void onDataItemsModified(List<DataItem> modified) {}

  @Override
  public void onDataItemsDeleted(List<DataItem> deleted) {
    for (DataItem item : deleted) {
      items.getOrDefault(item.getReadValueId().getNodeId(), new ArrayList<>()).remove(item);
    }
  }

  @Override
  public void onMonitoringModeChanged(List<MonitoredItem> changed) {}
}
