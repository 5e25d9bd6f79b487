package io.sedge.bench.connectors;

import static org.eclipse.milo.opcua.stack.core.types.builtin.unsigned.Unsigned.uint;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.eclipse.milo.opcua.sdk.client.OpcUaClient;
import org.eclipse.milo.opcua.sdk.client.subscriptions.OpcUaMonitoredItem;
import org.eclipse.milo.opcua.sdk.client.subscriptions.OpcUaSubscription;
import org.eclipse.milo.opcua.stack.core.security.SecurityPolicy;
import org.eclipse.milo.opcua.stack.core.types.builtin.DataValue;
import org.eclipse.milo.opcua.stack.core.types.builtin.NodeId;

/**
 * A process with the client library alone, the one that Sedge uses: it subscribes to nodes of an
 * {@link OpcUaServer}, and counts the values of each second: {@code OpcUaClientBare URL NODES}.
 */
final class OpcUaClientBare implements OpcUaSubscription.SubscriptionListener {
  private static final double SECOND_MS = 1_000;

  /** As Sedge asks for it: so many values a message has at most. */
  private static final int PER_MESSAGE = 2_000;

  private static final int QUEUE = 100;

  private final int nodes;

  /** How many values have come of a second, which is complete with one of each node. */
  private final Map<Long, Integer> counts = new HashMap<>();

  private OpcUaClientBare(int nodes) {
    this.nodes = nodes;
  }

  public static void main(String[] args) throws Exception {
    OpcUaClient client =
        OpcUaClient.create(
            args[0],
            endpoints ->
                endpoints.stream()
                    .filter(
                        each -> SecurityPolicy.None.getUri().equals(each.getSecurityPolicyUri()))
                    .findFirst(),
            transport -> {},
            config -> {});
    var _ = client.connect();
    int namespace = client.getNamespaceTable().getIndex(OpcUaServer.NAMESPACE).intValue();
    OpcUaSubscription subscription = new OpcUaSubscription(client, SECOND_MS);
    subscription.setMaxNotificationsPerPublish(uint(PER_MESSAGE));
    int nodes = Integer.parseInt(args[1]);
    subscription.setSubscriptionListener(new OpcUaClientBare(nodes));
    subscription.create();
    List<OpcUaMonitoredItem> items = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      OpcUaMonitoredItem item =
          OpcUaMonitoredItem.newDataItem(new NodeId(namespace, OpcUaServer.identifier(i)));
      item.setSamplingInterval(SECOND_MS);
      item.setQueueSize(uint(QUEUE));
      items.add(item);
    }
    subscription.addMonitoredItems(items);
    subscription.synchronizeMonitoredItems();
    new CountDownLatch(1).await();
  }

  /** Called by one thread at a time. */
  @Override
  public void onDataReceived(
      OpcUaSubscription subscription, List<OpcUaMonitoredItem> items, List<DataValue> values) {
    for (DataValue value : values) {
      long second = Objects.requireNonNull(value.sourceTime()).getJavaInstant().getEpochSecond();
      if (counts.merge(second, 1, Integer::sum) == nodes) {
        System.out.printf("{\"n\":%d}%n", nodes);
        counts.remove(second);
      }
    }
  }
}
