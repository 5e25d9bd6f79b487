package io.sedge.connector.mqtt.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.SourceCounters;
import io.sedge.connector.SourceReader;
import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.connector.mqtt.internal.Inbox.Delivery;
import io.sedge.connector.mqtt.internal.Inbox.Outcome;
import io.sedge.engine.column.Batch;
import io.sedge.mqtt.Client;
import io.sedge.mqtt.Connection;
import io.sedge.mqtt.ConnectionSettings;
import io.sedge.mqtt.Incoming;
import io.sedge.mqtt.Refusals;
import io.sedge.mqtt.Repetition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads the topics of one table. Messages come in on the connection's thread and wait in an {@link
 * Inbox}; {@link #poll} decodes them on the task's thread, and {@link #acknowledge} lets the broker
 * forget them.
 */
final class MqttReader implements SourceReader, Connection.Listener {
  /**
   * Messages of so many bytes make a batch, however few rows they are: what follows grows with
   * them.
   */
  private static final long BATCH_BYTES = 1 << 20;

  /** As much of a malformed payload is handed on. */
  private static final int SAMPLE_BYTES = 4096;

  /** An MQTT 5 broker does not send what is this many times larger than a payload may be. */
  private static final int PACKET_FACTOR = 8;

  private static final int HEADER_BYTES = 128 * 1024;
  private static final int MAX_PACKET = 268_435_460;
  private static final Duration REPORT_EVERY = Duration.ofSeconds(10);

  private final String table;
  private final ConnectorContext context;
  private final ConnectionSettings connectionSettings;
  private final SourceSettings settings;
  private final boolean named;
  private final List<String> filters;
  private final RowAssembler rows;
  private final Optional<UnreadValues> unread;
  private final Inbox inbox;
  private final Connection connection;
  private final Backlog backlog = new Backlog();
  private final List<Delivery> drained = new ArrayList<>();
  private boolean opened;
  private long readings;
  private long bytes;
  private long malformed;

  /** Used by the connection's thread alone. */
  private boolean subscribed;

  private final Repetition forgotten = new Repetition(3);

  private Instant lastDropReport = Instant.MIN;

  /**
   * @param named whether the script names the session
   */
  MqttReader(
      String table,
      ConnectorContext context,
      ConnectionSettings connectionSettings,
      SourceSettings settings,
      boolean named,
      List<TopicPattern> patterns,
      RowAssembler rows,
      Optional<UnreadValues> unread) {
    this.table = table;
    this.context = context;
    this.connectionSettings = connectionSettings;
    this.settings = settings;
    this.named = named;
    this.rows = rows;
    this.unread = unread;
    String group = settings.shareGroup();
    String prefix = group == null ? "" : "$share/" + group + "/";
    this.filters = patterns.stream().map(pattern -> prefix + pattern.filter()).toList();
    this.inbox = new Inbox(settings);
    this.connection = new Connection(connectionSettings, context, this);
    connection.mqtt().receive(this::receive);
  }

  /** Connects at the first poll, since what {@link #seek} says must be known before. */
  private void open() {
    opened = true;
    boolean session = settings.qos() > 0;
    connection.open(
        new Client.Begin(
            settings.cleanStart() || !session,
            session ? settings.sessionExpirySeconds() : 0,
            connectionSettings.clientId() != null,
            settings.receiveMaximum(),
            (int)
                Math.min(
                    MAX_PACKET, (long) settings.maxPayloadBytes() * PACKET_FACTOR + HEADER_BYTES)));
    unread.ifPresent(UnreadValues::start);
  }

  // The connection's thread.

  private void receive(Incoming message) {
    Instant now = context.clock().instant();
    Incoming kept = message.length() > settings.maxPayloadBytes() ? cut(message) : message;
    Outcome outcome = inbox.offer(kept, now.getEpochSecond() * 1_000_000 + now.getNano() / 1000);
    if (outcome == Outcome.FIRST) {
      context.wakeUp();
    } else if (outcome == Outcome.DROPPED && now.isAfter(lastDropReport.plus(REPORT_EVERY))) {
      lastDropReport = now;
      context.report(
          Severity.WARNING,
          "table %s: the queue of %d messages is full and 'overflow' = 'drop-newest': %d dropped so"
                  .formatted(table, settings.queueCapacity(), inbox.dropped())
              + " far");
    }
  }

  private static Incoming cut(Incoming message) {
    return message.cut(Arrays.copyOf(message.payload(), Math.min(SAMPLE_BYTES, message.length())));
  }

  @Override
  public void connected(boolean first, boolean sessionPresent) {
    if (!sessionPresent) {
      boolean lost = !first && settings.qos() > 0;
      if (lost && forgotten.isDue(context.clock().millis())) {
        context.report(
            Severity.WARNING,
            "table %s: %s has forgotten the session: what was published since the connection was lost"
                    .formatted(table, connectionSettings.broker())
                + " is gone; let the broker keep its data, and 'session-expiry' outlast outages");
      }
      inbox.sessionLost();
      subscribed = false;
    }
    if (!subscribed) {
      // Failures are told by whenComplete.
      CompletableFuture<?> ignored =
          connection
              .mqtt()
              .subscribe(filters, settings.qos(), true)
              .whenComplete((_, thrown) -> subscribed(thrown));
    }
  }

  private void subscribed(@Nullable Throwable thrown) {
    if (thrown == null) {
      subscribed = true;
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

  @Override
  public void disconnected() {
    inbox.disconnected();
  }

  @Override
  public void failed() {
    context.wakeUp();
  }

  // The task's thread.

  @Override
  public @Nullable Batch poll(long nowNanos) {
    if (!opened) {
      open();
    }
    while (rows.rows() == 0) {
      if (!context.takesMalformed()) {
        return null;
      }
      inbox.drain(drained, Batch.TARGET_ROWS, BATCH_BYTES, nowNanos);
      Duration waited =
          drained.isEmpty()
              ? Duration.ZERO
              : Duration.ofNanos(nowNanos - drained.getFirst().sinceNanos);
      backlog.polled(nowNanos, waited).ifPresent(change -> report(change, waited));
      if (drained.isEmpty()) {
        ConnectorException failure = connection.failure();
        if (failure != null) {
          throw failure;
        }
        return null;
      }
      drained.forEach(this::decode);
      drained.clear();
    }
    readings += rows.rows();
    return rows.build();
  }

  private void report(Backlog.Change change, Duration waited) {
    switch (change) {
      case BEHIND ->
          context.report(
              Severity.WARNING,
              "table %s: messages wait %d s for the job, which takes fewer than come; the rest waits in %s, %s"
                  .formatted(
                      table,
                      waited.toSeconds(),
                      connectionSettings.broker(),
                      settings.qos() == 0
                          ? "which may drop what it has no room for (QoS 0)"
                          : "whose queue must be long enough for it (Mosquitto's"
                              + " max_queued_messages)"));
      case CAUGHT_UP ->
          context.report(Severity.INFO, "table %s: the job has caught up".formatted(table));
    }
  }

  private void decode(Delivery delivery) {
    Incoming message = delivery.message;
    bytes += message.length();
    try {
      if (message.length() > settings.maxPayloadBytes()) {
        throw new MalformedPayloadException(
            "the payload has %d bytes, 'max-payload' is %d"
                .formatted(message.length(), settings.maxPayloadBytes()));
      }
      rows.add(delivery);
    } catch (MalformedPayloadException e) {
      malformed++;
      byte[] payload = message.payload();
      context.malformed(
          table,
          message.topic(),
          payload.length > SAMPLE_BYTES ? Arrays.copyOf(payload, SAMPLE_BYTES) : payload,
          String.valueOf(e.getMessage()));
    }
  }

  @Override
  public boolean finished() {
    return false;
  }

  @Override
  public byte[] position() {
    return inbox.position();
  }

  @Override
  public void seek(byte[] position) {
    inbox.seek(position);
  }

  @Override
  public void acknowledge(byte[] position) {
    inbox.acknowledge(position);
  }

  @Override
  public long idlePollNanos() {
    return Long.MAX_VALUE;
  }

  @Override
  public boolean wantsCommit() {
    return inbox.wantsCommit();
  }

  @Override
  public SourceCounters counters() {
    return new SourceCounters(readings, bytes, malformed, inbox.dropped());
  }

  /** What the script has named stays, for whoever comes with that name. */
  @Override
  public void retire() {
    if (!named) {
      connection.retire();
    }
  }

  @Override
  public void close() {
    unread.ifPresent(UnreadValues::close);
    inbox.close();
    connection.close();
  }
}
