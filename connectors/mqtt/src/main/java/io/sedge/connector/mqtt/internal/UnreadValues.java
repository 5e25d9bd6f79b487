package io.sedge.connector.mqtt.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.FileAccess;
import io.sedge.connector.mqtt.internal.MqttOptions.Sharding;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Says which values of the shard key have readings that no shard reads. The broker sends a shard
 * its own topics alone, so this looks at the topics of all values: now and then, for some seconds
 * or some hundred messages, at QoS 0, by a connection of its own that leaves nothing behind.
 *
 * <p>One reader of a table does this for all its shards. It runs in a virtual thread of its own,
 * which sleeps between two looks.
 */
final class UnreadValues implements AutoCloseable {
  /**
   * When to look.
   *
   * @param first after the reader began
   * @param every from the end of a look to the next
   * @param length how long a look lasts, connecting included
   */
  record Rhythm(Duration first, Duration every, Duration length) {
    static final Rhythm USUAL =
        new Rhythm(Duration.ofSeconds(5), Duration.ofMinutes(1), Duration.ofSeconds(5));
  }

  /**
   * A look ends after so many messages: it costs the same on a plant that is a hundred times
   * busier.
   */
  private static final int MESSAGES = 1000;

  /** Of the table's, so that whoever reads the broker's log knows whose it is. */
  private static final String CLIENT_SUFFIX = "-look";

  private static final int MAX_PACKET = 1 << 20;
  private static final int NAMED = 5;
  private static final int SAID = 10_000;
  private static final int LONGEST = 100;

  private final Sharding sharding;
  private final List<TopicPattern> patterns;
  private final ConnectionSettings settings;
  private final ConnectorContext context;
  private final Rhythm rhythm;
  private final Thread thread;

  /** Used by the thread alone. */
  private final Set<String> said = new HashSet<>();

  private final Repetition repetition = new Repetition(1);

  /**
   * @param patterns of the whole table
   * @param settings of the whole table; a client identifier in it gets a suffix
   */
  UnreadValues(
      Sharding sharding,
      List<TopicPattern> patterns,
      ConnectionSettings settings,
      ConnectorContext context,
      Rhythm rhythm) {
    this.sharding = sharding;
    this.patterns = List.copyOf(patterns);
    String client = settings.clientId();
    this.settings = settings.withClientId(client == null ? null : client + CLIENT_SUFFIX);
    this.context = context;
    this.rhythm = rhythm;
    this.thread =
        Thread.ofVirtual()
            .name("sedge-mqtt-" + settings.table() + CLIENT_SUFFIX)
            .unstarted(this::run);
  }

  /** Begins; does not wait. */
  void start() {
    thread.start();
  }

  private void run() {
    try {
      Thread.sleep(rhythm.first());
      Optional<String> refusal = look();
      while (refusal.isEmpty()) {
        Thread.sleep(rhythm.every());
        refusal = look();
      }
      context.report(
          Severity.INFO,
          "table %s: %s does not let this client see %s, so values that 'shard.values' lacks are not noticed: %s"
              .formatted(
                  settings.table(),
                  settings.broker(),
                  String.join(", ", filters()),
                  refusal.orElseThrow()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<String> filters() {
    return patterns.stream().map(TopicPattern::filter).toList();
  }

  /** Looks, and says what was seen; returns why the broker does not let it, if it does not. */
  private Optional<String> look() throws InterruptedException {
    try (Look look = new Look()) {
      Optional<String> refusal = look.await();
      tell(look.unread());
      return refusal;
    } catch (ConnectorException e) {
      return Optional.empty(); // A file that is not there now: the reader says it, if it needs it.
    }
  }

  private void tell(Map<String, String> found) {
    if (said.size() < SAID && said.addAll(found.keySet())) {
      repetition.reset();
    }
    if (!found.isEmpty() && repetition.isDue(context.clock().millis())) {
      context.report(Severity.WARNING, message(found));
    }
  }

  private String message(Map<String, String> found) {
    String names =
        found.keySet().stream()
            .limit(NAMED)
            .map(value -> "'" + value + "'")
            .collect(Collectors.joining(", "));
    return "table %s: nobody reads what comes of %s %s%s, since 'shard.values' lacks %s (%s): add %s there"
        .formatted(
            settings.table(),
            sharding.column(),
            names,
            found.size() > NAMED ? " and %d more".formatted(found.size() - NAMED) : "",
            found.size() == 1 ? "it" : "them",
            found.values().iterator().next(),
            found.size() == 1 ? "it" : "them");
  }

  /** Ends it; a look that is under way is given up. */
  @Override
  public void close() {
    thread.interrupt();
  }

  /** One connection, for one look; what comes, comes on its thread. */
  private final class Look implements Connection.Listener, AutoCloseable {
    private final Connection connection = new Connection(settings, new Silent(context), this);
    private final CompletableFuture<Optional<String>> refusal = new CompletableFuture<>();
    private final Map<String, String> unread = new LinkedHashMap<>();
    private int messages;

    /** Waits until it has seen enough; returns why the broker does not let it look. */
    Optional<String> await() throws InterruptedException {
      connection.mqtt().receive(this::receive);
      connection.open(new Client.Begin(true, 0, false, MESSAGES, MAX_PACKET));
      try {
        return refusal.get(rhythm.length().toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        return Optional.empty(); // A quiet plant; or a broker that is away, which the reader says.
      } catch (ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }

    /** The values that came and are in no shard, with a topic of each. */
    synchronized Map<String, String> unread() {
      return new LinkedHashMap<>(unread);
    }

    /** What the broker has kept may be of a machine that is gone: it must speak. */
    private synchronized void receive(Incoming message) {
      if (message.retained() || messages == MESSAGES) {
        return;
      }
      for (TopicPattern pattern : patterns) {
        List<String> values = pattern.match(message.topic());
        if (values != null) {
          String value = values.get(pattern.columns().indexOf(sharding.column()));
          if (!sharding.values().contains(value)) {
            unread.putIfAbsent(cut(value), cut(message.topic()));
          }
        }
      }
      messages++;
      if (messages == MESSAGES) {
        refusal.complete(Optional.empty());
      }
    }

    @Override
    public void connected(boolean first, boolean sessionPresent) {
      CompletableFuture<?> ignored =
          connection.mqtt().subscribe(filters(), 0).whenComplete((_, thrown) -> subscribed(thrown));
    }

    private void subscribed(@Nullable Throwable thrown) {
      if (thrown != null && Refusals.isSubscription(thrown)) {
        refusal.complete(Optional.of(Refusals.explain(thrown)));
      }
    }

    @Override
    public void disconnected() {}

    @Override
    public void failed() {
      ConnectorException failure = connection.failure();
      refusal.complete(Optional.ofNullable(failure).map(Throwable::getMessage));
    }

    @Override
    public void close() {
      connection.close();
    }
  }

  private static String cut(String text) {
    return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
  }

  /** The reader says what is wrong with its connection; a look would only say it once more. */
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
