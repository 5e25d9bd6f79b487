package io.sedge.mqtt;

import com.hivemq.client.internal.mqtt.MqttClientConfig;
import com.hivemq.client.internal.mqtt.handler.publish.incoming.MqttIncomingQosHandler;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Optional;

/**
 * Makes the HiveMQ client bear with a broker that sends more than the receive maximum that it was
 * told. Mosquitto up to 2.0.11 at least does, after an outage: it sends again what was under way
 * and as much new on top. The client would end the connection before it says a single
 * acknowledgement, and so for ever. The broker is still told the maximum; what comes beyond it
 * waits like everything else. Looks into the client as {@link PacketIdentity} does, for the same
 * lack of another way; where it cannot, the client stays strict.
 */
final class ReceiveLimit {
  /** There are no more packet identifiers. */
  private static final int MOST = 65_535;

  private final VarHandle receiveMaximum;

  private ReceiveLimit(VarHandle receiveMaximum) {
    this.receiveMaximum = receiveMaximum;
  }

  /** The way into this client, or empty if it is not the one known. */
  static Optional<ReceiveLimit> find() {
    try {
      return Optional.of(
          new ReceiveLimit(
              MethodHandles.privateLookupIn(MqttIncomingQosHandler.class, MethodHandles.lookup())
                  .findVarHandle(MqttIncomingQosHandler.class, "receiveMaximum", int.class)));
    } catch (ReflectiveOperationException | LinkageError e) {
      return Optional.empty();
    }
  }

  /** Lifts the limit of the connection that was just made (3.1.1 has none); on its thread. */
  void lift(Object clientConfig) {
    if (clientConfig instanceof MqttClientConfig known) {
      receiveMaximum.set(known.getClientComponent().incomingQosHandler(), MOST);
    }
  }
}
