package io.sedge.mqtt;

import com.hivemq.client.internal.checkpoint.Confirmable;
import com.hivemq.client.internal.mqtt.message.publish.MqttPublish;
import com.hivemq.client.internal.mqtt.message.publish.MqttStatefulPublish;
import com.hivemq.client.internal.mqtt.message.publish.mqtt3.Mqtt3PublishView;
import com.hivemq.client.mqtt.mqtt3.message.publish.Mqtt3Publish;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the packet identifier and the DUP flag of a message, which the HiveMQ client has but does
 * not show: without them a message that the broker sends again after an outage cannot be told from
 * a new one. This is the one place that looks into the client (reflection is against the house
 * style and stands here for want of another way; a test fails if a newer client has other insides).
 * Where it finds nothing, messages that are sent again count twice, as MQTT allows at QoS 1.
 */
public final class PacketIdentity {
  private static final String INCOMING =
      "com.hivemq.client.internal.mqtt.handler.publish.incoming.";
  private static final int DUPLICATE = 1 << 16;

  private final VarHandle confirmable;
  private final VarHandle flows;
  private final VarHandle stateful;

  private PacketIdentity(VarHandle confirmable, VarHandle flows, VarHandle stateful) {
    this.confirmable = confirmable;
    this.flows = flows;
    this.stateful = stateful;
  }

  /** The way into this client, or empty if it is not the one known. */
  static Optional<PacketIdentity> find() {
    try {
      Class<?> confirmableClass = Class.forName(INCOMING + "MqttIncomingPublishConfirmable");
      Class<?> flowsClass = Class.forName(INCOMING + "MqttStatefulPublishWithFlows");
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      return Optional.of(
          new PacketIdentity(
              MethodHandles.privateLookupIn(MqttPublish.class, lookup)
                  .findVarHandle(MqttPublish.class, "confirmable", Confirmable.class),
              MethodHandles.privateLookupIn(confirmableClass, lookup)
                  .findVarHandle(confirmableClass, "publishWithFlows", flowsClass),
              MethodHandles.privateLookupIn(flowsClass, lookup)
                  .findVarHandle(flowsClass, "publish", MqttStatefulPublish.class)));
    } catch (ReflectiveOperationException | LinkageError e) {
      return Optional.empty();
    }
  }

  /** The identity of a message of QoS 1 or 2, or 0 if it cannot be found. */
  int of(Mqtt5Publish publish) {
    return publish instanceof MqttPublish known ? of(known) : 0;
  }

  /** The identity of a message of QoS 1 or 2, or 0 if it cannot be found. */
  int of(Mqtt3Publish publish) {
    return publish instanceof Mqtt3PublishView view ? of(view.getDelegate()) : 0;
  }

  private int of(MqttPublish publish) {
    @Nullable Object holder = confirmable.get(publish);
    if (holder == null || !flows.coordinateTypes().getFirst().isInstance(holder)) {
      return 0;
    }
    MqttStatefulPublish found = (MqttStatefulPublish) stateful.get(flows.get(holder));
    return identity(found.getPacketIdentifier(), found.isDup());
  }

  /**
   * What tells messages apart: the packet identifier, 1 to 65535, and the DUP flag in one number.
   */
  public static int identity(int packet, boolean duplicate) {
    return packet | (duplicate ? DUPLICATE : 0);
  }

  static int packet(int identity) {
    return identity & (DUPLICATE - 1);
  }

  static boolean duplicate(int identity) {
    return (identity & DUPLICATE) != 0;
  }
}
