package io.sedge.connector.opcua.internal;

import static org.eclipse.milo.opcua.stack.core.types.builtin.unsigned.Unsigned.ubyte;
import static org.eclipse.milo.opcua.stack.core.types.builtin.unsigned.Unsigned.uint;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.milo.opcua.stack.core.AttributeId;
import org.eclipse.milo.opcua.stack.core.StatusCodes;
import org.eclipse.milo.opcua.stack.core.types.UaResponseMessageType;
import org.eclipse.milo.opcua.stack.core.types.builtin.DataValue;
import org.eclipse.milo.opcua.stack.core.types.builtin.ExtensionObject;
import org.eclipse.milo.opcua.stack.core.types.builtin.QualifiedName;
import org.eclipse.milo.opcua.stack.core.types.builtin.StatusCode;
import org.eclipse.milo.opcua.stack.core.types.builtin.unsigned.UInteger;
import org.eclipse.milo.opcua.stack.core.types.enumerated.DataChangeTrigger;
import org.eclipse.milo.opcua.stack.core.types.enumerated.DeadbandType;
import org.eclipse.milo.opcua.stack.core.types.enumerated.MonitoringMode;
import org.eclipse.milo.opcua.stack.core.types.enumerated.TimestampsToReturn;
import org.eclipse.milo.opcua.stack.core.types.structured.CreateMonitoredItemsRequest;
import org.eclipse.milo.opcua.stack.core.types.structured.CreateMonitoredItemsResponse;
import org.eclipse.milo.opcua.stack.core.types.structured.CreateSubscriptionRequest;
import org.eclipse.milo.opcua.stack.core.types.structured.CreateSubscriptionResponse;
import org.eclipse.milo.opcua.stack.core.types.structured.DataChangeFilter;
import org.eclipse.milo.opcua.stack.core.types.structured.DataChangeNotification;
import org.eclipse.milo.opcua.stack.core.types.structured.DeleteSubscriptionsRequest;
import org.eclipse.milo.opcua.stack.core.types.structured.DeleteSubscriptionsResponse;
import org.eclipse.milo.opcua.stack.core.types.structured.MonitoredItemCreateRequest;
import org.eclipse.milo.opcua.stack.core.types.structured.MonitoredItemCreateResult;
import org.eclipse.milo.opcua.stack.core.types.structured.MonitoredItemNotification;
import org.eclipse.milo.opcua.stack.core.types.structured.MonitoringParameters;
import org.eclipse.milo.opcua.stack.core.types.structured.NotificationMessage;
import org.eclipse.milo.opcua.stack.core.types.structured.PublishRequest;
import org.eclipse.milo.opcua.stack.core.types.structured.PublishResponse;
import org.eclipse.milo.opcua.stack.core.types.structured.ReadValueId;
import org.eclipse.milo.opcua.stack.core.types.structured.RepublishRequest;
import org.eclipse.milo.opcua.stack.core.types.structured.RepublishResponse;
import org.eclipse.milo.opcua.stack.core.types.structured.StatusChangeNotification;
import org.eclipse.milo.opcua.stack.core.types.structured.SubscriptionAcknowledgement;
import org.eclipse.milo.opcua.stack.core.types.structured.TransferResult;
import org.eclipse.milo.opcua.stack.core.types.structured.TransferSubscriptionsRequest;
import org.eclipse.milo.opcua.stack.core.types.structured.TransferSubscriptionsResponse;
import org.jspecify.annotations.Nullable;

/**
 * A subscription at a server. Some requests to publish are always on their way; a message is
 * acknowledged with the request after it was taken. The server numbers its messages, so one that is
 * missing is asked for again. Belongs to the feeder's thread.
 */
final class Subscription {
  /** So many requests to publish are on their way. */
  private static final int OUTSTANDING = 3;

  /** So many messages that came while something else is done wait to be taken. */
  private static final int HELD = 50;

  /** So many values a message has at most. */
  private static final int PER_MESSAGE = 2_000;

  private static final int PER_CALL = 1_000;

  /** The server says at least that often that it is there. */
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(5);

  /**
   * A subscription that nobody asks for ends after so many times without a message: 5 minutes, in
   * which a job may be stalled, or read history.
   */
  private static final int LIFETIME_FACTOR = 60;

  /** What has become of a request to publish: a response, or else a failure. */
  private record Answered(@Nullable UaResponseMessageType response, @Nullable Throwable failure) {}

  private Link link;

  // Servers need not answer requests in their order. Of each connection.
  private BlockingQueue<Answered> answers = new LinkedBlockingQueue<>();
  private int outstanding;
  private final Deque<Answered> held = new ArrayDeque<>();

  /** So many requests to publish the server takes. */
  private int atOnce = OUTSTANDING;

  /** So many requests of before the server may answer first. */
  private int stale;

  private final UInteger id;
  private final double publishingMs;
  private final Duration keepAlive;
  private final List<UInteger> unacknowledged = new ArrayList<>();
  private long lastSequence;

  /** What a message brings. */
  interface Receiver {
    /** A value of the item with that handle. */
    void changed(int handle, DataValue value);

    /** Messages that the server no longer has were missed. */
    void missed(long messages);

    /** All of a message was given. */
    void messageEnds() throws InterruptedException;
  }

  private Subscription(Link link, UInteger id, double publishingMs, Duration keepAlive) {
    this.link = link;
    this.id = id;
    this.publishingMs = publishingMs;
    this.keepAlive = keepAlive;
  }

  static Subscription create(Link link, MonitorSettings settings) throws Exception {
    double interval = settings.publishing().toNanos() / 1e6;
    long keepAliveCount = Math.max(1, (long) (KEEP_ALIVE.toMillis() / interval));
    CreateSubscriptionResponse made =
        link.request(
            header ->
                new CreateSubscriptionRequest(
                    header,
                    interval,
                    uint(LIFETIME_FACTOR * keepAliveCount),
                    uint(keepAliveCount),
                    uint(PER_MESSAGE),
                    true,
                    ubyte(0)),
            CreateSubscriptionResponse.class);
    double revised =
        made.getRevisedPublishingInterval() * made.getRevisedMaxKeepAliveCount().doubleValue();
    return new Subscription(
        link,
        made.getSubscriptionId(),
        made.getRevisedPublishingInterval(),
        Duration.ofMillis(1 + (long) Math.ceil(revised)));
  }

  /** Whether the server's queue of an item is full before the server sends what is in it. */
  boolean isTooShort(MonitoredItemCreateResult item) {
    double sampling = item.getRevisedSamplingInterval();
    return sampling > 0 && item.getRevisedQueueSize().doubleValue() * sampling < publishingMs;
  }

  /**
   * Has items made for nodes; the handle of each is its position in the list.
   *
   * @return what the server says for each
   */
  List<MonitoredItemCreateResult> monitor(
      List<Variable> variables,
      List<Integer> handles,
      MonitorSettings settings,
      ServerLimits limits)
      throws Exception {
    ExtensionObject filter =
        ExtensionObject.encode(link.client().getStaticEncodingContext(), filter(settings));
    int perCall = limits.perCall(PER_CALL, limits.monitor());
    List<MonitoredItemCreateResult> results = new ArrayList<>();
    for (int from = 0; from < handles.size(); from += perCall) {
      MonitoredItemCreateRequest[] wanted =
          handles.subList(from, Math.min(handles.size(), from + perCall)).stream()
              .map(
                  handle ->
                      new MonitoredItemCreateRequest(
                          new ReadValueId(
                              variables.get(handle).nodeId(),
                              AttributeId.Value.uid(),
                              null,
                              QualifiedName.NULL_VALUE),
                          MonitoringMode.Reporting,
                          new MonitoringParameters(
                              uint(handle),
                              settings.sampling().toNanos() / 1e6,
                              filter,
                              uint(settings.queueSize()),
                              true)))
              .toArray(MonitoredItemCreateRequest[]::new);
      results.addAll(
          Link.all(
              link.request(
                      header ->
                          new CreateMonitoredItemsRequest(
                              header, id, TimestampsToReturn.Both, wanted),
                      CreateMonitoredItemsResponse.class)
                  .getResults(),
              wanted.length));
    }
    return results;
  }

  private static DataChangeFilter filter(MonitorSettings settings) {
    return settings
        .deadband()
        .map(
            deadband ->
                new DataChangeFilter(
                    DataChangeTrigger.StatusValue,
                    uint(
                        (deadband.percent() ? DeadbandType.Percent : DeadbandType.Absolute)
                            .getValue()),
                    deadband.value()))
        .orElseGet(
            () ->
                new DataChangeFilter(
                    DataChangeTrigger.StatusValue, uint(DeadbandType.None.getValue()), 0.0));
  }

  /**
   * Goes on over a connection that was regained: what the server has sent meanwhile, to nobody, is
   * asked for again. It may still answer the requests of before, so its next answer to us may take
   * that many times longer.
   */
  void resume(Receiver receiver) throws Exception {
    reset();
    stale = OUTSTANDING;
    try {
      while (true) {
        republish(lastSequence + 1, receiver);
      }
    } catch (ExecutionException e) {
      if (Failures.code(e) != StatusCodes.Bad_MessageNotAvailable) {
        throw e;
      }
    }
  }

  private void reset() {
    answers = new LinkedBlockingQueue<>();
    held.clear();
    outstanding = 0;
    atOnce = OUTSTANDING;
    stale = 0;
  }

  /**
   * Goes on in another session, if the server agrees.
   *
   * @return whether it does; what it has kept meanwhile is given to the receiver
   */
  boolean transferTo(Link other, Receiver receiver) throws Exception {
    TransferSubscriptionsResponse response =
        other.request(
            header -> new TransferSubscriptionsRequest(header, new UInteger[] {id}, false),
            TransferSubscriptionsResponse.class);
    TransferResult[] results = response.getResults();
    if (results == null || results.length != 1 || !results[0].getStatusCode().isGood()) {
      return false;
    }
    link = other;
    reset();
    unacknowledged.clear();
    UInteger[] available = results[0].getAvailableSequenceNumbers();
    long last = lastSequence;
    for (UInteger sequence : available == null ? new UInteger[0] : available) {
      last = Math.max(last, sequence.longValue());
      if (sequence.longValue() <= lastSequence) {
        unacknowledged.add(sequence);
      }
    }
    if (last > lastSequence) {
      try {
        recover(lastSequence + 1, last + 1, available, receiver);
      } catch (ExecutionException | TimeoutException e) {
        // Another will be made, which this one must not disturb.
        delete();
        throw e;
      }
    }
    return true;
  }

  private void delete() throws Exception {
    var _ =
        link.request(
            header -> new DeleteSubscriptionsRequest(header, new UInteger[] {id}),
            DeleteSubscriptionsResponse.class);
  }

  private void republish(long sequence, Receiver receiver) throws Exception {
    RepublishResponse response =
        link.request(
            header -> new RepublishRequest(header, id, uint(sequence)), RepublishResponse.class);
    take(response.getNotificationMessage(), receiver);
  }

  /**
   * Waits for the next message and gives it to the receiver.
   *
   * @throws Exception if the server is silent for longer than it may be, or ends the subscription
   */
  void next(Receiver receiver, Duration requestTimeout) throws Exception {
    Duration patience = keepAlive.plus(requestTimeout);
    Answered answered = held.poll();
    if (answered == null) {
      ask(patience);
      answered = answers.poll(patience.multipliedBy(1 + stale).toNanos(), TimeUnit.NANOSECONDS);
      if (answered == null) {
        throw new TimeoutException();
      }
      outstanding--;
      stale = 0;
    }
    if (answered.failure() != null) {
      failed(answered.failure());
      return;
    }
    take((PublishResponse) Objects.requireNonNull(answered.response()), receiver);
  }

  /**
   * Keeps the subscription while something else is done: what comes waits for {@link #next}. When
   * too much waits nothing more is asked for, and the server keeps what its queues hold.
   */
  void hold(Duration requestTimeout) {
    for (Answered answered = answers.poll(); answered != null; answered = answers.poll()) {
      outstanding--;
      held.add(answered);
    }
    if (held.size() < HELD) {
      ask(keepAlive.plus(requestTimeout));
    }
  }

  /** Takes what a failed request to publish means. */
  private void failed(Throwable failure) throws Exception {
    long code = Failures.code(failure);
    if (code == StatusCodes.Bad_TooManyPublishRequests && outstanding > 0) {
      atOnce = outstanding;
    } else if (code == StatusCodes.Bad_NoSubscription) {
      throw new EndedException(new StatusCode(code));
    } else {
      throw new ExecutionException(failure);
    }
  }

  private void ask(Duration patience) {
    while (outstanding < atOnce) {
      SubscriptionAcknowledgement[] acknowledged =
          unacknowledged.stream()
              .map(sequence -> new SubscriptionAcknowledgement(id, sequence))
              .toArray(SubscriptionAcknowledgement[]::new);
      unacknowledged.clear();
      BlockingQueue<Answered> own = answers;
      // The last of them waits for as many messages as there are requests before it.
      var _ =
          link.send(
                  header -> new PublishRequest(header, acknowledged),
                  patience.multipliedBy(OUTSTANDING + stale))
              .handle((response, failure) -> own.add(new Answered(response, failure)));
      outstanding++;
    }
  }

  private void take(PublishResponse response, Receiver receiver) throws Exception {
    if (!id.equals(response.getSubscriptionId())) {
      return;
    }
    NotificationMessage message = response.getNotificationMessage();
    long sequence = message.getSequenceNumber().longValue();
    boolean keepsAlive =
        message.getNotificationData() == null || message.getNotificationData().length == 0;
    long expected = lastSequence + 1;
    if (sequence > expected) {
      recover(expected, sequence, response.getAvailableSequenceNumbers(), receiver);
    }
    if (keepsAlive) {
      return;
    }
    if (sequence < expected) {
      // It was taken, and the server has not heard that.
      unacknowledged.add(message.getSequenceNumber());
    } else {
      take(message, receiver);
    }
  }

  private void recover(long from, long to, UInteger @Nullable [] available, Receiver receiver)
      throws Exception {
    long missed = to - from;
    UInteger[] kept = available == null ? new UInteger[0] : available.clone();
    Arrays.sort(kept);
    for (UInteger sequence : kept) {
      if (sequence.longValue() >= from && sequence.longValue() < to) {
        try {
          republish(sequence.longValue(), receiver);
          missed--;
        } catch (ExecutionException e) {
          if (Failures.code(e) != StatusCodes.Bad_MessageNotAvailable) {
            throw e;
          }
        }
      }
    }
    lastSequence = to - 1;
    if (missed > 0) {
      receiver.missed(missed);
    }
  }

  private void take(NotificationMessage message, Receiver receiver) throws Exception {
    ExtensionObject[] data = message.getNotificationData();
    for (ExtensionObject part : data == null ? new ExtensionObject[0] : data) {
      switch (part.decode(link.client().getStaticEncodingContext())) {
        case DataChangeNotification changes -> {
          MonitoredItemNotification[] items = changes.getMonitoredItems();
          for (MonitoredItemNotification item :
              items == null ? new MonitoredItemNotification[0] : items) {
            receiver.changed(item.getClientHandle().intValue(), item.getValue());
          }
        }
        case StatusChangeNotification ended -> throw new EndedException(ended.getStatus());
        default -> {}
      }
    }
    receiver.messageEnds();
    lastSequence = message.getSequenceNumber().longValue();
    unacknowledged.add(message.getSequenceNumber());
  }

  /** The server has ended the subscription. */
  static final class EndedException extends Exception {
    private static final long serialVersionUID = 1;

    EndedException(StatusCode status) {
      super("the server has ended the subscription: " + Failures.name(status));
    }
  }
}
