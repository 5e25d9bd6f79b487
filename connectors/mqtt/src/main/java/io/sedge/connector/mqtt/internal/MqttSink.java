package io.sedge.connector.mqtt.internal;

import com.hivemq.client.mqtt.exceptions.MqttEncodeException;
import io.sedge.connector.Awaited;
import io.sedge.connector.Backoff;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Delivery;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Sink;
import io.sedge.connector.format.PayloadWriter;
import io.sedge.mqtt.Client;
import io.sedge.mqtt.Connection;
import io.sedge.mqtt.ConnectionSettings;
import io.sedge.mqtt.Outgoing;
import io.sedge.mqtt.Refusals;
import io.sedge.mqtt.Repetition;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Publishes rows. A batch is taken if fewer than {@code max-in-flight} messages wait or are under
 * way, so there are at most that many and one batch. A message is under way until the broker has
 * acknowledged it as its QoS demands; over a lost connection the client sends it again, and what
 * the client gives up is put back to wait, in order. A broker that takes no more for now (MQTT 5,
 * quota exceeded) is sent nothing for a while.
 *
 * <p>Of a table with a primary key a topic is to have its last row. Of a batch the last row of each
 * topic is sent, a removed one as an empty payload, and what a later message has replaced is not
 * sent any more.
 */
final class MqttSink implements Sink, Connection.Listener {
  private static final int SAMPLE_BYTES = 4096;

  /** Long enough for the client to finish a QoS 2 exchange after an outage. */
  private static final long SESSION_SECONDS = 3600;

  /** A sink receives nothing. */
  private static final int RECEIVE_MAXIMUM = 1;

  private static final int MAX_PACKET = 64 * 1024;

  private static final byte[] REMOVED = {};

  /** A message with its place in the order of rows. */
  private record Entry(long sequence, Outgoing message, Optional<Awaited> awaited) {
    boolean isOver() {
      return awaited.filter(Awaited::isOver).isPresent();
    }
  }

  private final String table;
  private final ConnectorContext context;
  private final ConnectionSettings connectionSettings;
  private final MqttSinkFactory.Settings settings;
  private final TopicWriter topics;
  private final PayloadWriter payloads;
  private final Optional<Delivery.Writer> writer;
  private final Connection connection;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition settled = lock.newCondition();
  private final Deque<Entry> waiting = new ArrayDeque<>();
  private final PriorityQueue<Entry> again =
      new PriorityQueue<>(Comparator.comparingLong(Entry::sequence));

  /** Of a table with a primary key. */
  private final LatestRows latest = new LatestRows();

  private final Backoff backoff;
  private final Repetition fullBroker = new Repetition(1);
  private long taken;
  private long durable;
  private int underWay;

  /** How often in a row the broker took no more. */
  private int pauses;

  private boolean paused;
  private boolean begun;

  /** Whether some thread is in {@link #pump}. */
  private boolean pumping;

  private long bytes;

  MqttSink(
      String table,
      ConnectorContext context,
      ConnectionSettings connectionSettings,
      MqttSinkFactory.Settings settings,
      TopicWriter topics,
      PayloadWriter payloads,
      Delivery delivery) {
    this.table = table;
    this.context = context;
    this.connectionSettings = connectionSettings;
    this.settings = settings;
    this.topics = topics;
    this.payloads = payloads;
    this.writer = delivery.writer();
    this.taken = delivery.recoveryPoint();
    this.durable = delivery.recoveryPoint();
    this.backoff =
        new Backoff(
            connectionSettings.minDelay(),
            connectionSettings.maxDelay(),
            ThreadLocalRandom.current());
    this.connection = new Connection(connectionSettings, context, this);
    // Always a clean start: packet identifiers of a former process would be taken for this one's.
    connection.open(new Client.Begin(true, SESSION_SECONDS, false, RECEIVE_MAXIMUM, MAX_PACKET));
  }

  @Override
  public boolean offer(NumberedBatch numbered) {
    throwIfFailed();
    lock.lock();
    try {
      if (waiting.size() + again.size() + underWay >= settings.maxInFlight()) {
        return false;
      }
    } finally {
      lock.unlock();
    }
    if (settings.upsert()) {
      encodeLast(numbered);
    } else {
      encodeAll(numbered);
    }
    taken = numbered.last();
    pump();
    return true;
  }

  private void encodeAll(NumberedBatch numbered) {
    for (int row = 0; row < numbered.batch().rows(); row++) {
      entry(numbered, row).ifPresent(this::add);
    }
  }

  private Optional<Entry> entry(NumberedBatch numbered, int row) {
    return topic(numbered, row)
        .flatMap(
            topic ->
                payloads
                    .payload(numbered, row)
                    .map(payload -> message(numbered, row, topic, payload)));
  }

  /** Of each topic the last row of the batch that can be written, in the order of the rows. */
  private void encodeLast(NumberedBatch numbered) {
    Deque<Entry> entries = new ArrayDeque<>();
    Set<String> done = new HashSet<>();
    for (int row = numbered.batch().rows() - 1; row >= 0; row--) {
      Optional<String> topic = topic(numbered, row);
      if (topic.isEmpty() || done.contains(topic.get())) {
        continue;
      }
      Optional<byte[]> payload =
          switch (numbered.batch().change(row)) {
            case INSERT, UPDATE_AFTER -> payloads.payload(numbered, row);
            case UPDATE_BEFORE, DELETE -> Optional.of(REMOVED);
          };
      if (payload.isPresent()) {
        done.add(topic.get());
        entries.addFirst(message(numbered, row, topic.get(), payload.get()));
      }
    }
    entries.forEach(this::add);
  }

  /** The topic of a row; empty if it has none, which is said. */
  private Optional<String> topic(NumberedBatch numbered, int row) {
    try {
      return Optional.of(topics.topic(numbered.batch(), row));
    } catch (IllegalArgumentException e) {
      payloads.refuse(numbered, row, String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  private void add(Entry entry) {
    lock.lock();
    try {
      waiting.add(entry);
      bytes += entry.message().payload().length;
      if (settings.upsert()) {
        latest.add(entry.message().topic(), entry.sequence());
      }
    } finally {
      lock.unlock();
    }
  }

  private Entry message(NumberedBatch numbered, int row, String topic, byte[] payload) {
    long sequence = numbered.first() + row;
    return new Entry(
        sequence,
        new Outgoing(
            topic,
            payload,
            settings.qos(),
            settings.retain(),
            writer.map(its -> new Outgoing.Origin(its, sequence))),
        numbered.awaited());
  }

  private void unwritten(String origin, byte[] payload, String reason) {
    byte[] sample = payload.length > SAMPLE_BYTES ? Arrays.copyOf(payload, SAMPLE_BYTES) : payload;
    context.unwritten(table, origin, sample, reason);
  }

  /**
   * Gives the client what may be under way. Any thread; one at a time, so that messages are given
   * in their order. Who comes meanwhile leaves it to the other, who looks once more before it ends.
   */
  private void pump() {
    lock.lock();
    try {
      if (pumping) {
        return;
      }
      pumping = true;
    } finally {
      lock.unlock();
    }
    for (Entry entry = next(); entry != null; entry = next()) {
      publish(entry);
    }
  }

  private void publish(Entry entry) {
    // What comes of it is told by whenComplete.
    CompletableFuture<?> ignored =
        connection
            .mqtt()
            .publish(entry.message())
            .whenComplete((_, thrown) -> completed(entry, thrown));
  }

  /** What the client is to be given next; null if there is nothing, and then nobody pumps. */
  private @Nullable Entry next() {
    lock.lock();
    try {
      boolean ready = begun && !paused && connection.isConnected();
      Entry entry = ready && underWay < settings.maxInFlight() ? poll() : null;
      underWay += entry == null ? 0 : 1;
      pumping = entry != null;
      return entry;
    } finally {
      lock.unlock();
    }
  }

  /** The next entry that no later one has replaced, and that is not late. With the lock. */
  private @Nullable Entry poll() {
    while (true) {
      boolean sent = !again.isEmpty();
      Entry entry = sent ? again.poll() : waiting.poll();
      if (entry != null && isReplaced(entry)) {
        replaced(entry, sent);
      } else if (entry != null && entry.isOver()) {
        expired(entry, sent);
      } else {
        return entry;
      }
    }
  }

  /** A later row of its topic is sent in its place. Called with the lock. */
  private void replaced(Entry entry, boolean sent) {
    entry
        .awaited()
        .ifPresent(
            awaited ->
                awaited.failed(
                    "a later row of topic '%s' has replaced it%s"
                        .formatted(
                            entry.message().topic(),
                            sent ? "; it was sent before, but not confirmed" : "")));
    settle(entry);
  }

  /**
   * It is late.
   *
   * @param sent whether it was given to the client before. Called with the lock
   */
  private void expired(Entry entry, boolean sent) {
    entry
        .awaited()
        .orElseThrow()
        .expired(sent ? "it was sent, but not confirmed, and is not sent again" : "");
    settle(entry);
  }

  private void completed(Entry entry, @Nullable Throwable thrown) {
    Throwable cause =
        thrown instanceof CompletionException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    boolean retry = cause != null && !(cause instanceof MqttEncodeException);
    if (cause != null && Refusals.isPublish(cause)) {
      connection.fail(
          new ConnectorException(
              ConnectorException.Kind.EXTERNAL,
              "table %s: %s refuses a message on topic '%s': %s"
                  .formatted(
                      table,
                      connectionSettings.broker(),
                      entry.message().topic(),
                      Refusals.explain(cause)),
              cause));
    }
    if (cause instanceof MqttEncodeException) {
      unwritten(
          entry.message().topic(), entry.message().payload(), String.valueOf(cause.getMessage()));
      entry
          .awaited()
          .ifPresent(awaited -> awaited.failed("it is no message of MQTT: " + cause.getMessage()));
    }
    boolean refused = cause != null && Refusals.isQuota(cause);
    boolean room;
    lock.lock();
    try {
      underWay--;
      if (retry && isReplaced(entry)) {
        replaced(entry, true);
      } else if (retry) {
        again.add(entry);
      } else {
        settle(entry);
      }
      if (refused) {
        pause();
      } else if (cause == null) {
        pauses = 0;
      }
      room = waiting.size() + again.size() + underWay < settings.maxInFlight();
      settled.signalAll();
    } finally {
      lock.unlock();
    }
    if (!retry) {
      pump();
    }
    if (room && !refused) {
      context.wakeUp();
    }
  }

  /** Called with the lock. */
  private boolean isReplaced(Entry entry) {
    return settings.upsert() && latest.isReplaced(entry.message().topic(), entry.sequence());
  }

  /** It needs no sending any more. Called with the lock. */
  private void settle(Entry entry) {
    if (settings.upsert()) {
      latest.settle(entry.message().topic());
    }
    settled.signalAll();
  }

  /** Sends nothing until the broker may have room again. Called with the lock. */
  private void pause() {
    if (paused) {
      return;
    }
    paused = true;
    pauses++;
    Duration delay = backoff.delay(pauses);
    if (fullBroker.isDue(context.clock().millis())) {
      context.report(
          Severity.WARNING,
          "table %s: %s takes no more messages for now (quota exceeded); next attempt in %.1f s"
              .formatted(table, connectionSettings.broker(), delay.toMillis() / 1000.0));
    }
    CompletableFuture<?> ignored =
        new CompletableFuture<@Nullable Void>()
            .completeOnTimeout(null, delay.toMillis(), TimeUnit.MILLISECONDS)
            .thenRun(this::resume);
  }

  private void resume() {
    lock.lock();
    try {
      paused = false;
    } finally {
      lock.unlock();
    }
    pump();
  }

  @Override
  public void connected(boolean first, boolean sessionPresent) {
    lock.lock();
    try {
      begun = true;
    } finally {
      lock.unlock();
    }
    pump();
  }

  @Override
  public void disconnected() {}

  @Override
  public void failed() {
    lock.lock();
    try {
      settled.signalAll();
    } finally {
      lock.unlock();
    }
    context.wakeUp();
  }

  @Override
  public long flush() {
    throwIfFailed();
    pump();
    dropLate();
    durable = outstanding() == 0 ? taken : durable;
    return durable;
  }

  /** What is late while the broker is away is said at once, not when it is back. */
  private void dropLate() {
    lock.lock();
    try {
      dropLate(waiting, false);
      dropLate(again, true);
    } finally {
      lock.unlock();
    }
  }

  /** Called with the lock. */
  private void dropLate(Collection<Entry> entries, boolean sent) {
    entries.removeIf(
        entry -> {
          boolean late = entry.isOver();
          if (late) {
            expired(entry, sent);
          }
          return late;
        });
  }

  private int outstanding() {
    lock.lock();
    try {
      return waiting.size() + again.size() + underWay;
    } finally {
      lock.unlock();
    }
  }

  private void throwIfFailed() {
    ConnectorException failure = connection.failure();
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public long bytes() {
    lock.lock();
    try {
      return bytes;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for what is under way, for as long as 'connection-timeout' says. */
  @Override
  public void close() {
    pump();
    int left = awaitSettled();
    if (left > 0) {
      context.report(
          Severity.WARNING,
          "table %s: %d messages were not acknowledged by %s when the table was closed"
              .formatted(table, left, connectionSettings.broker()));
    }
    connection.close();
  }

  private int awaitSettled() {
    long nanos = TimeUnit.MILLISECONDS.toNanos(connectionSettings.timeout().toMillis());
    lock.lock();
    try {
      while (nanos > 0
          && connection.failure() == null
          && waiting.size() + again.size() + underWay > 0) {
        nanos = settled.awaitNanos(nanos);
      }
      return waiting.size() + again.size() + underWay;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return waiting.size() + again.size() + underWay;
    } finally {
      lock.unlock();
    }
  }
}
