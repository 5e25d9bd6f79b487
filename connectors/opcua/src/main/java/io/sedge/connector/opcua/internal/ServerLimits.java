package io.sedge.connector.opcua.internal;

import java.util.List;
import org.eclipse.milo.opcua.stack.core.AttributeId;
import org.eclipse.milo.opcua.stack.core.NodeIds;
import org.eclipse.milo.opcua.stack.core.types.builtin.NodeId;
import org.eclipse.milo.opcua.stack.core.types.builtin.QualifiedName;
import org.eclipse.milo.opcua.stack.core.types.builtin.unsigned.UInteger;
import org.eclipse.milo.opcua.stack.core.types.enumerated.TimestampsToReturn;
import org.eclipse.milo.opcua.stack.core.types.structured.ReadRequest;
import org.eclipse.milo.opcua.stack.core.types.structured.ReadResponse;
import org.eclipse.milo.opcua.stack.core.types.structured.ReadValueId;

/** How many operations of a kind a server takes in a request; 0 where it says nothing. */
record ServerLimits(int read, int write, int browse, int monitor, int history) {
  private static final List<NodeId> NODES =
      List.of(
          NodeIds.Server_ServerCapabilities_OperationLimits_MaxNodesPerRead,
          NodeIds.Server_ServerCapabilities_OperationLimits_MaxNodesPerWrite,
          NodeIds.Server_ServerCapabilities_OperationLimits_MaxNodesPerBrowse,
          NodeIds.Server_ServerCapabilities_OperationLimits_MaxMonitoredItemsPerCall,
          NodeIds.Server_ServerCapabilities_OperationLimits_MaxNodesPerHistoryReadData);

  /** Those of a server; it may have none of these nodes. */
  static ServerLimits of(Link link) throws Exception {
    int[] limits = new int[NODES.size()];
    // One at a time: a server may take no more.
    for (int i = 0; i < limits.length; i++) {
      ReadValueId[] wanted = {
        new ReadValueId(NODES.get(i), AttributeId.Value.uid(), null, QualifiedName.NULL_VALUE)
      };
      ReadResponse response =
          link.request(
              header -> new ReadRequest(header, 0.0, TimestampsToReturn.Neither, wanted),
              ReadResponse.class);
      limits[i] =
          response.getResults() != null
                  && response.getResults()[0].value().value() instanceof UInteger limit
              ? (int) Math.min(Integer.MAX_VALUE, limit.longValue())
              : 0;
    }
    return new ServerLimits(limits[0], limits[1], limits[2], limits[3], limits[4]);
  }

  /** How many operations a request of ours has. */
  int perCall(int ours, int limit) {
    return limit > 0 ? Math.min(ours, limit) : ours;
  }
}
