package io.sedge.bench.connectors;

import io.sedge.bench.parts.DeviceProcesses;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.milo.opcua.sdk.core.AccessLevel;
import org.eclipse.milo.opcua.sdk.core.Reference;
import org.eclipse.milo.opcua.sdk.server.EndpointConfig;
import org.eclipse.milo.opcua.sdk.server.ManagedNamespaceWithLifecycle;
import org.eclipse.milo.opcua.sdk.server.OpcUaServerConfig;
import org.eclipse.milo.opcua.sdk.server.identity.AnonymousIdentityValidator;
import org.eclipse.milo.opcua.sdk.server.items.DataItem;
import org.eclipse.milo.opcua.sdk.server.items.MonitoredItem;
import org.eclipse.milo.opcua.sdk.server.nodes.UaFolderNode;
import org.eclipse.milo.opcua.sdk.server.nodes.UaVariableNode;
import org.eclipse.milo.opcua.stack.core.NodeIds;
import org.eclipse.milo.opcua.stack.core.security.DefaultCertificateManager;
import org.eclipse.milo.opcua.stack.core.security.MemoryCertificateQuarantine;
import org.eclipse.milo.opcua.stack.core.transport.TransportProfile;
import org.eclipse.milo.opcua.stack.core.types.builtin.DataValue;
import org.eclipse.milo.opcua.stack.core.types.builtin.DateTime;
import org.eclipse.milo.opcua.stack.core.types.builtin.LocalizedText;
import org.eclipse.milo.opcua.stack.core.types.builtin.StatusCode;
import org.eclipse.milo.opcua.stack.core.types.builtin.Variant;
import org.eclipse.milo.opcua.stack.core.types.structured.BuildInfo;
import org.eclipse.milo.opcua.stack.transport.server.tcp.OpcTcpServerTransport;
import org.eclipse.milo.opcua.stack.transport.server.tcp.OpcTcpServerTransportConfig;

/**
 * A process with a server of Milo whose nodes all change at each full second: {@code OpcUaServer
 * NODES}. It says {@code serves URL} when it is there.
 */
final class OpcUaServer extends ManagedNamespaceWithLifecycle {
  static final String NAMESPACE = "urn:sedge:bench";
  static final String SERVES = "serves ";

  /** Nodes are in folders, as in a plant. */
  private static final int PER_LINE = 100;

  private final Set<DataItem> items = ConcurrentHashMap.newKeySet();

  private OpcUaServer(org.eclipse.milo.opcua.sdk.server.OpcUaServer server, int nodes) {
    super(server, NAMESPACE);
    getLifecycleManager().addStartupTask(() -> add(nodes));
  }

  public static void main(String[] args) throws Exception {
    int port = DeviceProcesses.freePorts();
    EndpointConfig endpoint =
        EndpointConfig.newBuilder()
            .setBindAddress("127.0.0.1")
            .setBindPort(port)
            .setHostname("127.0.0.1")
            .setTransportProfile(TransportProfile.TCP_UASC_UABINARY)
            .addTokenPolicies(OpcUaServerConfig.USER_TOKEN_POLICY_ANONYMOUS)
            .build();
    OpcUaServerConfig config =
        OpcUaServerConfig.builder()
            .setApplicationUri(NAMESPACE + ":server")
            .setApplicationName(LocalizedText.english("bench"))
            .setProductUri(NAMESPACE)
            .setBuildInfo(new BuildInfo("", "", "", "", "", DateTime.NULL_VALUE))
            .setEndpoints(Set.of(endpoint))
            .setCertificateManager(
                new DefaultCertificateManager(new MemoryCertificateQuarantine(), List.of()))
            .setIdentityValidator(AnonymousIdentityValidator.INSTANCE)
            .build();
    var server =
        new org.eclipse.milo.opcua.sdk.server.OpcUaServer(
            config,
            profile -> new OpcTcpServerTransport(OpcTcpServerTransportConfig.newBuilder().build()));
    OpcUaServer plant = new OpcUaServer(server, Integer.parseInt(args[0]));
    plant.startup();
    var _ = server.startup().get();
    System.out.println(SERVES + "opc.tcp://127.0.0.1:" + port);
    plant.tick();
  }

  /** The identifier of a node. */
  static String identifier(int node) {
    return "line-%d.sensor-%d".formatted(node / PER_LINE, node % PER_LINE);
  }

  private void add(int nodes) {
    for (int from = 0; from < nodes; from += PER_LINE) {
      add(folder("line-" + from / PER_LINE), from, Math.min(nodes, from + PER_LINE));
    }
  }

  private void add(UaFolderNode line, int from, int to) {
    for (int i = from; i < to; i++) {
      String name = identifier(i);
      UaVariableNode node =
          new UaVariableNode.UaVariableNodeBuilder(getNodeContext())
              .setNodeId(newNodeId(name))
              .setAccessLevel(AccessLevel.READ_ONLY)
              .setUserAccessLevel(AccessLevel.READ_ONLY)
              .setBrowseName(newQualifiedName(name))
              .setDisplayName(LocalizedText.english(name))
              .setDataType(NodeIds.Double)
              .setTypeDefinition(NodeIds.BaseDataVariableType)
              .setValueRank(-1)
              .setValue(value(Instant.now().truncatedTo(ChronoUnit.SECONDS)))
              .build();
      getNodeManager().addNode(node);
      line.addOrganizes(node);
    }
  }

  private UaFolderNode folder(String name) {
    UaFolderNode folder =
        new UaFolderNode(
            getNodeContext(), newNodeId(name), newQualifiedName(name), LocalizedText.english(name));
    getNodeManager().addNode(folder);
    folder.addReference(
        new Reference(
            folder.getNodeId(), NodeIds.Organizes, NodeIds.ObjectsFolder.expanded(), false));
    return folder;
  }

  private static DataValue value(Instant second) {
    DateTime time = new DateTime(second);
    return new DataValue(
        new Variant((double) (second.getEpochSecond() % 1_000)), StatusCode.GOOD, time, time);
  }

  private void tick() {
    Instant next = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    while (true) {
      next = next.plusSeconds(1);
      for (long left = nanosUntil(next); left > 0; left = nanosUntil(next)) {
        LockSupport.parkNanos(left);
      }
      DataValue value = value(next);
      items.forEach(item -> item.setValue(value));
    }
  }

  private static long nanosUntil(Instant time) {
    return Duration.between(Instant.now(), time).toNanos();
  }

  @Override
  public void onDataItemsCreated(List<DataItem> created) {
    DataValue value = value(Instant.now().truncatedTo(ChronoUnit.SECONDS));
    created.forEach(item -> item.setValue(value));
    items.addAll(created);
  }

  @Override
  public void onDataItemsModified(List<DataItem> modified) {}

  @Override
  public void onDataItemsDeleted(List<DataItem> deleted) {
    deleted.forEach(items::remove);
  }

  @Override
  public void onMonitoringModeChanged(List<MonitoredItem> changed) {}
}
