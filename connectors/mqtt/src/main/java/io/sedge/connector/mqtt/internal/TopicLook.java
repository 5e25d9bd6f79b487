package io.sedge.connector.mqtt.internal;

import static java.util.Objects.requireNonNull;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.FileAccess;
import io.sedge.mqtt.Client;
import io.sedge.mqtt.Connection;
import io.sedge.mqtt.ConnectionSettings;
import io.sedge.mqtt.Incoming;
import io.sedge.mqtt.Refusals;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One look at the topics of a table, for the values that a column has there: by a connection of its
 * own, at QoS 0, which leaves nothing behind and acknowledges nothing. Says nothing by itself.
 *
 * <p>What the broker has kept (retained) does not count: it may be of a machine that is gone.
 */
final class TopicLook implements Connection.Listener, AutoCloseable {
  /**
   * When a look ends, whichever comes first.
   *
   * @param length from when the broker sends
   * @param messages that have come
   * @param bytes of payloads that have come
   */
  record Bounds(Duration length, int messages, long bytes) {}

  /** Of those that are not wanted, for each that is: MQTT 3.1.1 sends what the broker has kept. */
  private static final int RETAINED_FACTOR = 10;

  private static final Duration CONNECTING = Duration.ofSeconds(10);
  private static final int MAX_PACKET = 1 << 20;
  private static final int RECEIVE_MAXIMUM = 1000;
  private static final int LONGEST = 100;

  private final List<TopicPattern> patterns;
  private final String column;
  private final Predicate<String> wanted;
  private final Bounds bounds;
  private final Duration connecting;
  private final Connection connection;
  private final CompletableFuture<@Nullable Void> answered = new CompletableFuture<>();
  private final CompletableFuture<@Nullable Void> over = new CompletableFuture<>();
  private final Map<String, String> values = new TreeMap<>();
  private final Map<String, String> unfit = new TreeMap<>();
  private int messages;
  private int retained;
  private long bytes;
  private volatile boolean subscribed;
  private volatile @Nullable String refusal;
  private volatile String trouble = "it does not answer";

  /**
   * @param patterns of the whole table, each with the column
   * @param wanted which values are looked for
   * @param settings of the whole table
   */
  TopicLook(
      List<TopicPattern> patterns,
      String column,
      Predicate<String> wanted,
      ConnectionSettings settings,
      ConnectorContext context,
      Bounds bounds) {
    this.patterns = List.copyOf(patterns);
    this.column = column;
    this.wanted = wanted;
    this.bounds = bounds;
    // No shard's: their names have no slash. Nor that of another look.
    ConnectionSettings own =
        settings.beside("/look-%08x".formatted(ThreadLocalRandom.current().nextInt()), CONNECTING);
    this.connecting = own.timeout();
    this.connection = new Connection(own, new Listening(context), this);
    connection.mqtt().receive(this::receive);
  }

  /** Connects, and looks until it has seen enough; or until the broker does not let it. */
  void await() throws InterruptedException {
    connection.open(new Client.Begin(true, 0, false, RECEIVE_MAXIMUM, MAX_PACKET));
    await(answered, connecting);
    if (subscribed) {
      await(over, bounds.length());
    }
  }

  private static void await(CompletableFuture<?> event, Duration atMost)
      throws InterruptedException {
    try {
      event.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      // As long as it was to take.
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Why the broker refuses the subscription, if it does. */
  Optional<String> refusal() {
    return Optional.ofNullable(refusal);
  }

  /** Why nothing could be seen; empty if it could. */
  Optional<String> trouble() {
    return subscribed ? Optional.empty() : refusal().or(() -> Optional.of(trouble));
  }

  /** Those that may be shards, sorted, with a topic of each; one more than there may be at most. */
  synchronized Map<String, String> values() {
    return new TreeMap<>(values);
  }

  /** Some of those that may not, cut, with a topic of each. */
  synchronized Map<String, String> unfit() {
    return new TreeMap<>(unfit);
  }

  private synchronized void receive(Incoming message) {
    if (over.isDone()) {
      return;
    }
    bytes += message.length();
    if (message.retained()) {
      retained++;
    } else {
      messages++;
      patterns.forEach(pattern -> add(pattern, message.topic()));
    }
    if (messages >= bounds.messages()
        || retained >= (long) RETAINED_FACTOR * bounds.messages()
        || bytes >= bounds.bytes()) {
      over.complete(null);
    }
  }

  private void add(TopicPattern pattern, String topic) {
    List<String> levels = pattern.match(topic);
    if (levels == null) {
      return;
    }
    String value = levels.get(pattern.columns().indexOf(column));
    boolean fits = MqttOptions.mayBeShard(value);
    Map<String, String> its = fits ? values : unfit;
    if (wanted.test(value) && its.size() <= MqttOptions.MAX_SHARDS) {
      its.putIfAbsent(fits ? value : cut(value), cut(topic));
    }
  }

  private static String cut(String text) {
    return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
  }

  @Override
  public void connected(boolean first, boolean sessionPresent) {
    CompletableFuture<?> ignored =
        connection
            .mqtt()
            .subscribe(patterns.stream().map(TopicPattern::filter).toList(), 0, false)
            .whenComplete((_, thrown) -> subscribed(thrown));
  }

  private void subscribed(@Nullable Throwable thrown) {
    if (thrown == null) {
      subscribed = true;
      answered.complete(null);
    } else if (Refusals.isSubscription(thrown)) {
      refusal = Refusals.explain(thrown);
      answered.complete(null);
    }
  }

  @Override
  public void disconnected() {}

  @Override
  public void failed() {
    trouble = String.valueOf(requireNonNull(connection.failure()).getMessage());
    answered.complete(null);
  }

  @Override
  public void close() {
    connection.close();
  }

  /** Keeps what the connection says for whoever looks, who says what is worth it. */
  private final class Listening implements ConnectorContext {
    private final ConnectorContext context;

    Listening(ConnectorContext context) {
      this.context = context;
    }

    @Override
    public InstantSource clock() {
      return context.clock();
    }

    @Override
    public Path directory() {
      return context.directory();
    }

    @Override
    public FileAccess files() {
      return context.files();
    }

    @Override
    public void wakeUp() {}

    @Override
    public void malformed(String table, String origin, byte[] payload, String reason) {}

    @Override
    public void report(Severity severity, String message) {
      trouble = message;
    }
  }
}
