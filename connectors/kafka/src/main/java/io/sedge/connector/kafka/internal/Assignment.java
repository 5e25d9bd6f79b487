package io.sedge.connector.kafka.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.kafka.internal.ReadPosition.Span;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * Finds the partitions that a reader has, and where each begins: at its position, if it has one; at
 * its start, if it is new; else where the table says. Used by the fetcher's thread alone.
 */
final class Assignment {
  private final String table;
  private final ConnectorContext context;
  private final SourceSettings settings;
  private final Inbox inbox;
  private final Set<String> missing = new TreeSet<>();

  /** Topics that are there since the last look that was finished missed them. */
  private final Set<String> appeared = new HashSet<>();

  private final Set<TopicPartition> unread = new HashSet<>();

  Assignment(String table, ConnectorContext context, SourceSettings settings, Inbox inbox) {
    this.table = table;
    this.context = context;
    this.settings = settings;
    this.inbox = inbox;
  }

  /** Whether some topic was not there at the last look. */
  boolean isIncomplete() {
    return !missing.isEmpty();
  }

  /**
   * Looks at the topics, and opens a lane for each partition that has none. A look that fails has
   * opened none, and may be made again.
   *
   * @return the partitions whose lanes were opened
   * @throws org.apache.kafka.common.KafkaException if the brokers cannot be asked
   */
  Set<TopicPartition> look(Admin admin, Consumer<byte[], byte[]> consumer) {
    Map<String, TopicShape> shapes = TopicShape.look(admin, settings.topics());
    noteMissing(shapes);
    Map<TopicPartition, Lane> lanes = new HashMap<>();
    Offsets offsets = new Offsets(table, settings.client(), consumer);
    shapes.forEach(
        (topic, shape) -> {
          Map<TopicPartition, Span> spans = spans(topic, shape, offsets);
          consumer
              .endOffsets(spans.keySet())
              .forEach(
                  (partition, end) ->
                      lanes.put(
                          partition,
                          new Lane(shape.id(), spans.getOrDefault(partition, Span.WHOLE), end)));
        });
    Map<String, Uuid> ids = new HashMap<>();
    shapes.forEach((topic, shape) -> ids.put(topic, shape.id()));
    tellOfNew(ids);
    inbox.open(ids, lanes);
    appeared.clear();
    return Set.copyOf(lanes.keySet());
  }

  /** What is to be read of the partitions of a topic that have no lane. */
  private Map<TopicPartition, Span> spans(String topic, TopicShape shape, Offsets offsets) {
    Set<TopicPartition> left = partitions(topic, shape);
    Optional<Uuid> before = inbox.idOf(topic);
    boolean madeAnew = before.isPresent() && !before.get().equals(shape.id());
    if (madeAnew && settings.isBounded()) {
      throw Failures.user(
          "table %s: topic '%s' was deleted and made anew, so its end is not known any more; submit the job anew"
              .formatted(table, topic));
    }
    Map<TopicPartition, Span> spans = new HashMap<>();
    if (before.isPresent() && !madeAnew) {
      left.removeAll(inbox.partitions());
      known(topic, shape.id())
          .forEach(
              (number, span) -> {
                TopicPartition partition = new TopicPartition(topic, number);
                if (left.remove(partition)) {
                  spans.put(partition, span);
                }
              });
    }
    if (left.isEmpty() || (before.isPresent() && settings.isBounded())) {
      return spans;
    }
    boolean isNew = before.isPresent() || appeared.contains(topic);
    Map<TopicPartition, Long> stops = offsets.stops(settings.bounded(), left);
    offsets
        .starts(isNew ? new OffsetChoice.Earliest() : settings.startup(), left)
        .forEach(
            (partition, start) ->
                spans.put(
                    partition, new Span(start, stops.getOrDefault(partition, Long.MAX_VALUE))));
    return spans;
  }

  private void tellOfNew(Map<String, Uuid> ids) {
    ids.forEach(
        (topic, id) -> {
          if (inbox.idOf(topic).filter(before -> !before.equals(id)).isPresent()) {
            context.report(
                Severity.WARNING,
                "table %s: topic '%s' was deleted and made anew; it is read from its start"
                    .formatted(table, topic));
          }
        });
  }

  private Map<Integer, Span> known(String topic, Uuid id) {
    ReadPosition.Topic known = inbox.sought().topics().get(topic);
    return known == null || !known.id().equals(id) ? Map.of() : known.partitions();
  }

  /** Says which topics are not there, once, and remembers those that have appeared. */
  private void noteMissing(Map<String, TopicShape> shapes) {
    for (String topic : settings.topics()) {
      if (shapes.containsKey(topic)) {
        if (missing.remove(topic)) {
          appeared.add(topic);
          context.report(Severity.INFO, "table %s: topic '%s' is there".formatted(table, topic));
        }
      } else if (settings.isBounded()) {
        throw Failures.user(
            "table %s: topic '%s' does not exist at %s"
                .formatted(table, topic, settings.client().servers()));
      } else if (missing.add(topic)) {
        context.report(
            Severity.WARNING,
            "table %s: topic '%s' does not exist at %s; it is waited for"
                .formatted(table, topic, settings.client().servers()));
      }
    }
  }

  private Set<TopicPartition> partitions(String topic, TopicShape shape) {
    Set<TopicPartition> others = new HashSet<>();
    Set<TopicPartition> its = new HashSet<>();
    for (int number = 0; number < shape.partitions(); number++) {
      TopicPartition partition = new TopicPartition(topic, number);
      if (settings.reads(number)) {
        its.add(partition);
      } else if (!settings.listed().contains(number)) {
        others.add(partition);
      }
    }
    if (settings.tells() && unread.addAll(others)) {
      context.report(
          Severity.WARNING,
          "table %s: partitions %s of topic '%s' are not in '%s' and are not read; add them, and"
                  .formatted(table, numbers(others), topic, KafkaOptions.SHARD_VALUES)
              + " submit the job with --replace");
    }
    return its;
  }

  private static String numbers(Set<TopicPartition> partitions) {
    return partitions.stream()
        .map(TopicPartition::partition)
        .sorted()
        .map(String::valueOf)
        .collect(Collectors.joining(", "));
  }
}
