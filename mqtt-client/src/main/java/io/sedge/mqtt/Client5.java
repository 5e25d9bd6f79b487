package io.sedge.mqtt;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.datatypes.MqttUtf8String;
import com.hivemq.client.mqtt.lifecycle.MqttClientReconnector;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperty;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5SubAckException;
import com.hivemq.client.mqtt.mqtt5.lifecycle.Mqtt5ClientReconnector;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5ConnectBuilder;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5RetainHandling;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscription;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.suback.Mqtt5SubAck;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.suback.Mqtt5SubAckReasonCode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** MQTT 5. */
final class Client5 implements Client {
  private final Mqtt5AsyncClient client;
  private final int keepAliveSeconds;
  private final @Nullable PacketIdentity identity;
  private final Flows flows = new Flows();

  Client5(Mqtt5AsyncClient client, int keepAliveSeconds, @Nullable PacketIdentity identity) {
    this.client = client;
    this.keepAliveSeconds = keepAliveSeconds;
    this.identity = identity;
  }

  @Override
  public void receive(Consumer<Incoming> consumer) {
    flows.receive(
        client.toRx().publishes(MqttGlobalPublishFilter.ALL, true),
        publish -> consumer.accept(incoming(publish)));
  }

  @Override
  public void end() {
    flows.end();
  }

  private Incoming incoming(Mqtt5Publish publish) {
    int qos = publish.getQos().getCode();
    Incoming.Header header =
        new Incoming.Header(
            publish.getTopic().toString(),
            qos,
            publish.isRetain(),
            publish.getContentType().map(MqttUtf8String::toString).orElse(null),
            properties(publish));
    return Incoming.of(
        header,
        publish.getPayloadAsBytes(),
        qos == 0 || identity == null ? 0 : identity.of(publish),
        qos == 0 ? null : publish::acknowledge);
  }

  private static String properties(Mqtt5Publish publish) {
    List<? extends Mqtt5UserProperty> all = publish.getUserProperties().asList();
    return all.isEmpty() ? "" : all.toString();
  }

  @Override
  public void connect(Begin begin) {
    // Failures reach the listeners; this future only repeats them.
    CompletableFuture<?> ignored = client.connect(message(begin));
  }

  @Override
  public void beginAnew(MqttClientReconnector reconnector, Begin begin) {
    if (reconnector instanceof Mqtt5ClientReconnector five) {
      five.connect(message(begin));
    }
  }

  private Mqtt5Connect message(Begin begin) {
    Mqtt5ConnectBuilder connect =
        Mqtt5Connect.builder()
            .cleanStart(begin.cleanStart())
            .sessionExpiryInterval(begin.sessionExpirySeconds())
            .restrictions()
            .receiveMaximum(begin.receiveMaximum())
            .maximumPacketSize(begin.maxPacket())
            .applyRestrictions();
    connect = keepAliveSeconds == 0 ? connect.noKeepAlive() : connect.keepAlive(keepAliveSeconds);
    if (begin.will() != null) {
      Outgoing will = begin.will().get();
      connect =
          connect
              .willPublish()
              .topic(will.topic())
              .qos(quality(will.qos()))
              .retain(will.retain())
              .payload(will.payload())
              .applyWillPublish();
    }
    return connect.build();
  }

  @Override
  public CompletableFuture<?> subscribe(List<String> filters, int qos, boolean retained) {
    return flows.answer(
        client
            .toRx()
            .subscribeWith()
            .addSubscriptions(
                filters.stream()
                    .map(
                        filter ->
                            Mqtt5Subscription.builder()
                                .topicFilter(filter)
                                .qos(quality(qos))
                                .retainHandling(
                                    retained
                                        ? Mqtt5RetainHandling.SEND_IF_SUBSCRIPTION_DOES_NOT_EXIST
                                        : Mqtt5RetainHandling.DO_NOT_SEND)
                                .build())
                    .toList())
            .applySubscribe()
            .doOnSuccess(Client5::throwIfRefused));
  }

  /** The client takes it for a success if only some are refused. */
  private static void throwIfRefused(Mqtt5SubAck answer) {
    if (answer.getReasonCodes().stream().anyMatch(Mqtt5SubAckReasonCode::isError)) {
      throw new Mqtt5SubAckException(answer, "SUBACK contains error codes");
    }
  }

  static MqttQos quality(int qos) {
    return switch (qos) {
      case 0 -> MqttQos.AT_MOST_ONCE;
      case 1 -> MqttQos.AT_LEAST_ONCE;
      default -> MqttQos.EXACTLY_ONCE;
    };
  }

  @Override
  public CompletableFuture<?> publish(Outgoing message) {
    return client
        .publishWith()
        .topic(message.topic())
        .qos(quality(message.qos()))
        .retain(message.retain())
        .payload(message.payload())
        .userProperties(message.origin().map(Client5::properties).orElse(Mqtt5UserProperties.of()))
        .send();
  }

  /** What tells a row from all others, so that who reads it knows it when it comes again. */
  private static Mqtt5UserProperties properties(Outgoing.Origin origin) {
    return Mqtt5UserProperties.of(
        Mqtt5UserProperty.of("sedge-site", origin.writer().site()),
        Mqtt5UserProperty.of("sedge-job", origin.writer().job()),
        Mqtt5UserProperty.of("sedge-table", origin.writer().table()),
        Mqtt5UserProperty.of("sedge-sequence", Long.toString(origin.sequence())));
  }

  @Override
  public CompletableFuture<?> disconnect(boolean forget) {
    return forget ? client.disconnectWith().sessionExpiryInterval(0).send() : client.disconnect();
  }
}
