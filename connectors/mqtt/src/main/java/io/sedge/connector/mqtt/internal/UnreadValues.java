package io.sedge.connector.mqtt.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.mqtt.internal.MqttOptions.Sharding;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Says which values of the shard key have readings that no shard reads. The broker sends a shard
 * its own topics alone, so this {@linkplain TopicLook looks} at the topics of all, now and then.
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
   * @param look what ends a look
   */
  record Rhythm(Duration first, Duration every, TopicLook.Bounds look) {
    /** By its messages a look costs the same on a plant that is a hundred times busier. */
    static final Rhythm USUAL =
        new Rhythm(
            Duration.ofSeconds(5),
            Duration.ofMinutes(1),
            new TopicLook.Bounds(Duration.ofSeconds(5), 1000));
  }

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
   * @param patterns of the whole table, each with the column
   * @param settings of the whole table
   */
  UnreadValues(
      Sharding sharding,
      List<TopicPattern> patterns,
      ConnectionSettings settings,
      ConnectorContext context,
      Rhythm rhythm) {
    this.sharding = sharding;
    this.patterns = List.copyOf(patterns);
    this.settings = settings;
    this.context = context;
    this.rhythm = rhythm;
    this.thread =
        Thread.ofVirtual().name("sedge-mqtt-look-" + settings.table()).unstarted(this::run);
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
                  String.join(", ", patterns.stream().map(TopicPattern::filter).toList()),
                  refusal.orElseThrow()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Looks, and says what was seen; returns why the broker does not let it, if it does not. */
  private Optional<String> look() throws InterruptedException {
    try (TopicLook look =
        new TopicLook(patterns, sharding.column(), settings, context, rhythm.look())) {
      Optional<String> refusal = look.await();
      Map<String, String> found = look.values();
      found.keySet().removeAll(sharding.values());
      tell(found);
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
            .map(value -> "'" + cut(value) + "'")
            .collect(Collectors.joining(", "));
    return "table %s: nobody reads what comes of %s %s%s, since 'shard.values' lacks %s (%s): add %s there"
        .formatted(
            settings.table(),
            sharding.column(),
            names,
            found.size() > NAMED ? " and %d more".formatted(found.size() - NAMED) : "",
            found.size() == 1 ? "it" : "them",
            cut(found.values().iterator().next()),
            found.size() == 1 ? "it" : "them");
  }

  /** Ends it; a look that is under way is given up. */
  @Override
  public void close() {
    thread.interrupt();
  }

  private static String cut(String text) {
    return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
  }
}
