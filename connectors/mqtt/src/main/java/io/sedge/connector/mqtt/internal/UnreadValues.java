package io.sedge.connector.mqtt.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.mqtt.internal.MqttOptions.Sharding;
import io.sedge.mqtt.ConnectionSettings;
import io.sedge.mqtt.Repetition;
import java.time.Duration;
import java.util.ArrayList;
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
    /** By messages and bytes: a look costs the same on a plant that is a hundred times busier. */
    static final Rhythm USUAL =
        new Rhythm(
            Duration.ofSeconds(5),
            Duration.ofMinutes(1),
            new TopicLook.Bounds(Duration.ofSeconds(5), 1000, 4 << 20));
  }

  private static final int NAMED = 5;
  private static final int SAID = 10_000;

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
      report(
          Severity.INFO,
          "%s does not let this client see %s, so values that 'shard.values' lacks are not noticed: %s"
              .formatted(
                  settings.broker(),
                  String.join(", ", patterns.stream().map(TopicPattern::filter).toList()),
                  refusal.orElseThrow()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      report(Severity.WARNING, "values that 'shard.values' lacks are not noticed any more: " + e);
    }
  }

  private void report(Severity severity, String message) {
    context.report(severity, "table %s: %s".formatted(settings.table(), message));
  }

  /** Looks, and says what was seen; returns why the broker does not let it, if it does not. */
  private Optional<String> look() throws InterruptedException {
    try (TopicLook look =
        new TopicLook(
            patterns,
            sharding.column(),
            value -> !sharding.values().contains(value),
            settings,
            context,
            rhythm.look())) {
      look.await();
      Map<String, String> found = look.values();
      found.putAll(look.unfit());
      tell(found);
      return look.refusal();
    } catch (ConnectorException e) {
      return Optional.empty(); // A file that is not there now: the reader says it, if it needs it.
    }
  }

  /** New ones are said at once, and first; the same ones after gaps. */
  private void tell(Map<String, String> found) {
    List<String> names = new ArrayList<>(found.keySet());
    List<String> more = names.stream().filter(value -> !said.contains(value)).toList();
    names.removeAll(more);
    names.addAll(0, more);
    if (!more.isEmpty() && said.size() < SAID) {
      said.addAll(more);
      repetition.reset();
    }
    if (!names.isEmpty() && repetition.isDue(context.clock().millis())) {
      report(Severity.WARNING, message(names, String.valueOf(found.get(names.getFirst()))));
    }
  }

  private String message(List<String> names, String topic) {
    return "no shard reads %s %s%s (topic %s): add what is missing to 'shard.values', or, where that is '*', submit the script again"
        .formatted(
            sharding.column(),
            names.stream()
                .limit(NAMED)
                .map(value -> "'" + value + "'")
                .collect(Collectors.joining(", ")),
            names.size() > NAMED ? " and %d more".formatted(names.size() - NAMED) : "",
            topic);
  }

  /** Ends it; a look that is under way is given up. */
  @Override
  public void close() {
    thread.interrupt();
  }
}
