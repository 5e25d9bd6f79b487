package io.sedge.connector.sparkplug.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Reports;
import io.sedge.connector.SourceCounters;
import io.sedge.connector.SourceReader;
import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.engine.column.Batch;
import io.sedge.mqtt.Client;
import io.sedge.mqtt.Connection;
import io.sedge.mqtt.ConnectionSettings;
import io.sedge.mqtt.Incoming;
import io.sedge.mqtt.Outgoing;
import io.sedge.mqtt.Refusals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.eclipse.tahu.protobuf.SparkplugBProto.Payload.Metric;
import org.jspecify.annotations.Nullable;

/**
 * Reads one table. Messages come in on the connection's thread and wait in an {@link Inbox}; {@link
 * #poll} has a {@link Host} make rows of them on the task's thread. A session at the broker begins
 * clean each time, as the specification has it (5.3), so what the connection missed is gone: it is
 * said from when to when, and the births that are asked for tell the present values.
 *
 * <p>The subscription is of QoS 1. Data is published at QoS 0 all the same, but deaths are not, and
 * no broker drops those.
 */
final class SparkplugReader implements SourceReader, Connection.Listener {
  /** As much of a malformed payload is handed on. */
  private static final int SAMPLE_BYTES = 4096;

  /** An MQTT 5 broker does not send what is this many times larger than a payload may be. */
  private static final int PACKET_FACTOR = 8;

  private static final int HEADER_BYTES = 128 * 1024;
  private static final int MAX_PACKET = 268_435_460;
  private static final int RECEIVE_MAXIMUM = 1000;
  private static final Duration NEXT_REQUESTS = Duration.ofMillis(250);

  private final String table;
  private final ConnectorContext context;
  private final ConnectionSettings connectionSettings;
  private final ReadSettings settings;
  private final RowWriter rows;
  private final Reports reports;
  private final Inbox inbox;
  private final Host host;
  private final Rebirths rebirths;
  private final Optional<HostState> state;
  private final Connection connection;
  private volatile boolean isSaidOnline;
  private boolean opened;
  private boolean closed;
  private volatile boolean isWakeUpDue;

  /** Until then all was read that came. */
  private long readMicros = Payloads.NO_TIME;

  private TreeSet<String> known = new TreeSet<>();
  private long readings;
  private long bytes;
  private long malformed;

  SparkplugReader(
      String table,
      ConnectorContext context,
      ConnectionSettings connectionSettings,
      ReadSettings settings,
      RowWriter rows) {
    this.table = table;
    this.context = context;
    this.connectionSettings = connectionSettings;
    this.settings = settings;
    this.rows = rows;
    this.reports = new Reports(table, context);
    this.inbox = new Inbox(settings.queueCapacity(), settings.queueBytes());
    this.rebirths = new Rebirths(settings.rebirth(), this::publishRebirth);
    this.host = new Host(settings, rows, rebirths, reports, this::refuse);
    this.state = settings.hostId().map(id -> new HostState(id, context.clock()));
    this.connection = new Connection(connectionSettings, context, this);
    connection.mqtt().receive(this::receive);
  }

  /** Connects at the first poll, since what {@link #seek} says must be known before. */
  private void open() {
    opened = true;
    known.addAll(settings.knownNodes());
    connection.open(
        new Client.Begin(
            true,
            0,
            false,
            RECEIVE_MAXIMUM,
            (int)
                Math.min(
                    MAX_PACKET, (long) settings.maxPayloadBytes() * PACKET_FACTOR + HEADER_BYTES),
            state.map(own -> (Supplier<Outgoing>) own::will).orElse(null)));
  }

  // The connection's thread.

  private void receive(Incoming message) {
    if (state.isPresent() && message.topic().equals(state.get().topic())) {
      if (isSaidOnline && HostState.isOffline(message.payload())) {
        send(state.get().online());
      }
    } else if (!message.retained()
        && inbox.offer(
            message.length() > settings.maxPayloadBytes()
                ? message.cut(sample(message.payload()))
                : message,
            reports.nowMicros())) {
      context.wakeUp();
    }
    Runnable acknowledgement = message.acknowledgement();
    if (acknowledgement != null) {
      acknowledgement.run();
    }
  }

  @Override
  public void connected(boolean first, boolean sessionPresent) {
    List<String> filters = new ArrayList<>(settings.filters());
    state.ifPresent(own -> filters.add(own.topic()));
    // Failures are told by whenComplete.
    CompletableFuture<?> ignored =
        connection
            .mqtt()
            .subscribe(filters, 1, false)
            .whenComplete((_, thrown) -> subscribed(filters, thrown));
  }

  private void subscribed(List<String> filters, @Nullable Throwable thrown) {
    if (thrown == null) {
      inbox.subscribed(reports.nowMicros());
      state.ifPresent(
          own -> {
            send(own.online());
            isSaidOnline = true;
          });
      context.wakeUp();
    } else if (Refusals.isSubscription(thrown)) {
      connection.fail(
          new ConnectorException(
              ConnectorException.Kind.USER,
              "table %s: %s refuses the subscription to %s: %s"
                  .formatted(
                      table,
                      connectionSettings.broker(),
                      String.join(", ", filters),
                      Refusals.explain(thrown)),
              thrown));
    }
  }

  /** What cannot be published is not needed: the next connection begins anew. Any thread. */
  private void send(Outgoing message) {
    CompletableFuture<?> ignored = connection.mqtt().publish(message);
  }

  @Override
  public void disconnected() {
    isSaidOnline = false;
    inbox.lost(reports.nowMicros());
    context.wakeUp();
  }

  @Override
  public void failed() {
    context.wakeUp();
  }

  // The task's thread.

  @Override
  public @Nullable Batch poll(long nowNanos) {
    if (closed) {
      return null;
    }
    if (!opened) {
      open();
    }
    while (!rows.rows().isFull() && context.takesMalformed()) {
      Inbox.Event event = inbox.poll();
      if (event == null) {
        break;
      }
      handle(event, nowNanos);
    }
    rebirths.send(nowNanos);
    wakeUpForRequests();
    int count = rows.rows().rows();
    if (count == 0) {
      ConnectorException failure = connection.failure();
      if (failure != null) {
        throw failure;
      }
      return null;
    }
    readings += count;
    return rows.rows().build();
  }

  private void handle(Inbox.Event event, long nowNanos) {
    switch (event) {
      case Inbox.Arrived arrived -> {
        decode(arrived.message(), arrived.micros(), nowNanos);
        readMicros = arrived.micros();
      }
      case Inbox.Lost lost -> {
        known.addAll(host.alive());
        host.lost();
        readMicros = lost.micros();
      }
      case Inbox.Subscribed subscribed -> {
        if (readMicros != Payloads.NO_TIME) {
          reports.warn(
              "from %s to %s nothing was read from %s: what edge nodes published meanwhile, and did not store, is lost"
                  .formatted(
                      Reports.time(readMicros),
                      Reports.time(subscribed.micros()),
                      connectionSettings.broker()));
        }
        readMicros = subscribed.micros();
        host.subscribed(known, nowNanos);
        known = new TreeSet<>();
      }
    }
  }

  private void decode(Incoming message, long micros, long nowNanos) {
    Optional<NodeTopic> topic = NodeTopic.parse(message.topic());
    if (topic.isEmpty()) {
      return;
    }
    bytes += message.length();
    try {
      if (message.length() > settings.maxPayloadBytes()) {
        throw new MalformedPayloadException(
            "the payload has %d bytes, 'max-payload' is %d"
                .formatted(message.length(), settings.maxPayloadBytes()));
      }
      host.take(topic.get(), message.payload(), micros, nowNanos);
    } catch (MalformedPayloadException e) {
      malformed++;
      context.malformed(
          table, message.topic(), sample(message.payload()), String.valueOf(e.getMessage()));
    }
  }

  private void refuse(NodeTopic topic, Metric metric, String reason) {
    malformed++;
    context.malformed(
        table,
        "%s %s".formatted(topic.descriptor(), topic.type())
            + (topic.device().isEmpty() ? "" : " " + topic.device()),
        sample(metric.toByteArray()),
        reason);
  }

  private static byte[] sample(byte[] payload) {
    return payload.length > SAMPLE_BYTES ? Arrays.copyOf(payload, SAMPLE_BYTES) : payload;
  }

  private void publishRebirth(EdgeNode node) {
    send(
        new Outgoing(
            NodeTopic.command(node.descriptor()),
            Payloads.rebirth(context.clock().millis()),
            0,
            false,
            Optional.empty()));
  }

  private void wakeUpForRequests() {
    if (rebirths.areWaiting() && !isWakeUpDue) {
      isWakeUpDue = true;
      CompletableFuture.delayedExecutor(NEXT_REQUESTS.toMillis(), TimeUnit.MILLISECONDS)
          .execute(
              () -> {
                isWakeUpDue = false;
                context.wakeUp();
              });
    }
  }

  @Override
  public boolean finished() {
    return false;
  }

  @Override
  public byte[] position() {
    TreeSet<String> nodes = new TreeSet<>(known);
    nodes.addAll(host.alive());
    return new ReaderPosition(readMicros, List.copyOf(nodes)).bytes();
  }

  @Override
  public void seek(byte[] position) {
    ReaderPosition resumed = ReaderPosition.parse(position);
    readMicros = resumed.micros();
    known.addAll(resumed.nodes());
  }

  @Override
  public void acknowledge(byte[] position) {
    // Nothing is kept at the broker.
  }

  /** The task is woken when there is something. */
  @Override
  public long idlePollNanos() {
    return Long.MAX_VALUE;
  }

  @Override
  public SourceCounters counters() {
    return new SourceCounters(readings, bytes, malformed, host.dropped());
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    inbox.close();
    if (state.isPresent() && isSaidOnline && connection.isConnected()) {
      isSaidOnline = false;
      sayOffline(state.get());
    }
    connection.close();
  }

  private void sayOffline(HostState own) {
    try {
      connection
          .mqtt()
          .publish(own.offline())
          .get(connectionSettings.timeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      reports.warn(
          "the host application could not say that it goes offline: "
              + Refusals.explain(e.getCause() == null ? e : e.getCause()));
    }
  }
}
