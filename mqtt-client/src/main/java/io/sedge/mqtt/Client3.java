package io.sedge.mqtt;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttTopicFilter;
import com.hivemq.client.mqtt.lifecycle.MqttClientReconnector;
import com.hivemq.client.mqtt.mqtt3.Mqtt3AsyncClient;
import com.hivemq.client.mqtt.mqtt3.exceptions.Mqtt3SubAckException;
import com.hivemq.client.mqtt.mqtt3.lifecycle.Mqtt3ClientReconnector;
import com.hivemq.client.mqtt.mqtt3.message.connect.Mqtt3Connect;
import com.hivemq.client.mqtt.mqtt3.message.connect.Mqtt3ConnectBuilder;
import com.hivemq.client.mqtt.mqtt3.message.publish.Mqtt3Publish;
import com.hivemq.client.mqtt.mqtt3.message.subscribe.Mqtt3Subscription;
import com.hivemq.client.mqtt.mqtt3.message.subscribe.suback.Mqtt3SubAck;
import com.hivemq.client.mqtt.mqtt3.message.subscribe.suback.Mqtt3SubAckReturnCode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** MQTT 3.1.1. */
final class Client3 implements Client {
  private static final long UNSUBSCRIBE_SECONDS = 2;

  private final Mqtt3AsyncClient client;
  private final int keepAliveSeconds;
  private final @Nullable PacketIdentity identity;
  private final Flows flows = new Flows();
  private volatile boolean lasting;
  private volatile List<String> subscribed = List.of();

  Client3(Mqtt3AsyncClient client, int keepAliveSeconds, @Nullable PacketIdentity identity) {
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

  private Incoming incoming(Mqtt3Publish publish) {
    int qos = publish.getQos().getCode();
    Incoming.Header header =
        new Incoming.Header(publish.getTopic().toString(), qos, publish.isRetain(), null, "");
    return Incoming.of(
        header,
        publish.getPayloadAsBytes(),
        qos == 0 || identity == null ? 0 : identity.of(publish),
        qos == 0 ? null : publish::acknowledge);
  }

  /** In 3.1.1 a session that does not begin clean is kept, for as long as the broker likes. */
  @Override
  public void connect(Begin begin) {
    lasting = !begin.cleanStart();
    // Failures reach the listeners; this future only repeats them.
    CompletableFuture<?> ignored = client.connect(message(begin));
  }

  @Override
  public void beginAnew(MqttClientReconnector reconnector, Begin begin) {
    if (reconnector instanceof Mqtt3ClientReconnector three) {
      three.connect(message(begin));
    }
  }

  private Mqtt3Connect message(Begin begin) {
    Mqtt3ConnectBuilder connect = Mqtt3Connect.builder().cleanSession(begin.cleanStart());
    connect = keepAliveSeconds == 0 ? connect.noKeepAlive() : connect.keepAlive(keepAliveSeconds);
    if (begin.will() != null) {
      Outgoing will = begin.will().get();
      connect =
          connect
              .willPublish()
              .topic(will.topic())
              .qos(Client5.quality(will.qos()))
              .retain(will.retain())
              .payload(will.payload())
              .applyWillPublish();
    }
    return connect.build();
  }

  @Override
  public CompletableFuture<?> subscribe(List<String> filters, int qos, boolean retained) {
    subscribed = List.copyOf(filters);
    return flows.answer(
        client
            .toRx()
            .subscribeWith()
            .addSubscriptions(
                filters.stream()
                    .map(
                        filter ->
                            Mqtt3Subscription.builder()
                                .topicFilter(filter)
                                .qos(Client5.quality(qos))
                                .build())
                    .toList())
            .applySubscribe()
            .doOnSuccess(Client3::throwIfRefused));
  }

  /** The client takes it for a success if only some are refused. */
  private static void throwIfRefused(Mqtt3SubAck answer) {
    if (answer.getReturnCodes().stream().anyMatch(Mqtt3SubAckReturnCode::isError)) {
      throw new Mqtt3SubAckException(answer, "SUBACK contains error codes", null);
    }
  }

  @Override
  public CompletableFuture<?> publish(Outgoing message) {
    return client
        .publishWith()
        .topic(message.topic())
        .qos(Client5.quality(message.qos()))
        .retain(message.retain())
        .payload(message.payload())
        .send();
  }

  @Override
  public CompletableFuture<?> disconnect(boolean forget) {
    List<String> filters = subscribed;
    if (!forget || !lasting || filters.isEmpty()) {
      return client.disconnect();
    }
    return flows
        .answer(
            client
                .toRx()
                .unsubscribeWith()
                .addTopicFilters(filters.stream().map(MqttTopicFilter::of))
                .applyUnsubscribe()
                .toSingleDefault(true))
        .completeOnTimeout(false, UNSUBSCRIBE_SECONDS, TimeUnit.SECONDS)
        .exceptionally(_ -> false)
        .thenCompose(_ -> client.disconnect());
  }
}
