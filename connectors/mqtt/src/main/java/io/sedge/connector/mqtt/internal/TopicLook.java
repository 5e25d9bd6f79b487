package io.sedge.connector.mqtt.internal;

import static java.util.Objects.requireNonNull;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.FileAccess;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One look at the topics of a table, for the values that a column has there: by a connection of its
 * own, at QoS 0, which leaves nothing behind and acknowledges nothing. Says nothing by itself.
 *
 * <p>What the broker has kept (retained) does not count: it may be of a machine that is gone.
 */
final class TopicLook implements Connection.Listener, AutoCloseable {
  /**
   * When a look ends.
   *
   * @param length from when it begins to connect
   * @param messages that have come
   */
  record Bounds(Duration length, int messages) {}

  /** Of the table's, so that whoever reads the broker's log knows whose it is. */
  private static final String CLIENT_SUFFIX = "-look";

  private static final int MAX_PACKET = 1 << 20;
  private static final int RECEIVE_MAXIMUM = 1000;
  private static final int MAX_VALUES = 10_000;

  private final List<TopicPattern> patterns;
  private final String column;
  private final Bounds bounds;
  private final Connection connection;

  /** Completed at the last message, or with why the broker does not let it look. */
  private final CompletableFuture<Optional<String>> over = new CompletableFuture<>();

  private final Map<String, String> values = new TreeMap<>();
  private int messages;
  private volatile boolean subscribed;

  /**
   * @param patterns of the whole table, each with the column
   * @param settings of the whole table; a client identifier in it gets a suffix
   */
  TopicLook(
      List<TopicPattern> patterns,
      String column,
      ConnectionSettings settings,
      ConnectorContext context,
      Bounds bounds) {
    this.patterns = List.copyOf(patterns);
    this.column = column;
    this.bounds = bounds;
    String client = settings.clientId();
    this.connection =
        new Connection(
            settings.withClientId(client == null ? null : client + CLIENT_SUFFIX),
            new Silent(context),
            this);
    connection.mqtt().receive(this::receive);
  }

  /**
   * Looks until it has seen enough.
   *
   * @return why the broker does not let it look, if it does not
   */
  Optional<String> await() throws InterruptedException {
    connection.open(new Client.Begin(true, 0, false, RECEIVE_MAXIMUM, MAX_PACKET));
    try {
      return over.get(bounds.length().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return Optional.empty(); // A quiet plant; or a broker that is away.
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whether the broker has let it look. */
  boolean isSubscribed() {
    return subscribed;
  }

  /** The values that came, sorted, with a topic of each. */
  synchronized Map<String, String> values() {
    return new TreeMap<>(values);
  }

  private synchronized void receive(Incoming message) {
    if (message.retained() || messages == bounds.messages()) {
      return;
    }
    for (TopicPattern pattern : patterns) {
      List<String> levels = pattern.match(message.topic());
      if (levels != null && values.size() < MAX_VALUES) {
        values.putIfAbsent(levels.get(pattern.columns().indexOf(column)), message.topic());
      }
    }
    messages++;
    if (messages == bounds.messages()) {
      over.complete(Optional.empty());
    }
  }

  @Override
  public void connected(boolean first, boolean sessionPresent) {
    CompletableFuture<?> ignored =
        connection
            .mqtt()
            .subscribe(patterns.stream().map(TopicPattern::filter).toList(), 0)
            .whenComplete((_, thrown) -> subscribed(thrown));
  }

  private void subscribed(@Nullable Throwable thrown) {
    if (thrown == null) {
      subscribed = true;
    } else if (Refusals.isSubscription(thrown)) {
      over.complete(Optional.of(Refusals.explain(thrown)));
    }
  }

  @Override
  public void disconnected() {}

  @Override
  public void failed() {
    ConnectorException failure = requireNonNull(connection.failure());
    over.complete(Optional.of(String.valueOf(failure.getMessage())));
  }

  @Override
  public void close() {
    connection.close();
  }

  /** Whoever looks says what is worth it. */
  private record Silent(ConnectorContext context) implements ConnectorContext {
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
    public void report(Severity severity, String message) {}
  }
}
