package io.sedge.connector.kafka.internal;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;

/** Asks the brokers for the offsets that a choice means. Blocks as the client's time-outs say. */
final class Offsets {
  private final String table;
  private final ClientProperties client;
  private final Consumer<byte[], byte[]> consumer;

  Offsets(String table, ClientProperties client, Consumer<byte[], byte[]> consumer) {
    this.table = table;
    this.client = client;
    this.consumer = consumer;
  }

  /** Where reading begins in each. */
  Map<TopicPartition, Long> starts(OffsetChoice choice, Set<TopicPartition> partitions) {
    return switch (choice) {
      case OffsetChoice.Earliest _, OffsetChoice.None _ -> consumer.beginningOffsets(partitions);
      case OffsetChoice.Latest _ -> consumer.endOffsets(partitions);
      case OffsetChoice.Timestamp(long millis) -> at(millis, partitions);
      case OffsetChoice.Group _ -> committed(partitions, client.find("auto.offset.reset"));
      case OffsetChoice.Specific(Map<Integer, Long> given) -> {
        Map<TopicPartition, Long> others =
            client.find("group.id").isPresent()
                ? committed(partitions, Optional.of("earliest"))
                : consumer.beginningOffsets(partitions);
        yield given(given, others);
      }
    };
  }

  /** The first offset of each that is not to be read. */
  Map<TopicPartition, Long> stops(OffsetChoice choice, Set<TopicPartition> partitions) {
    return switch (choice) {
      case OffsetChoice.None _ -> {
        Map<TopicPartition, Long> never = new HashMap<>();
        partitions.forEach(partition -> never.put(partition, Long.MAX_VALUE));
        yield never;
      }
      case OffsetChoice.Specific(Map<Integer, Long> given) ->
          given(given, consumer.endOffsets(partitions));
      case OffsetChoice.Latest _ -> consumer.endOffsets(partitions);
      case OffsetChoice.Earliest _, OffsetChoice.Timestamp _, OffsetChoice.Group _ ->
          starts(choice, partitions);
    };
  }

  private static Map<TopicPartition, Long> given(
      Map<Integer, Long> given, Map<TopicPartition, Long> others) {
    Map<TopicPartition, Long> offsets = new HashMap<>(others);
    offsets.replaceAll((partition, other) -> given.getOrDefault(partition.partition(), other));
    return offsets;
  }

  private Map<TopicPartition, Long> at(long millis, Collection<TopicPartition> partitions) {
    Map<TopicPartition, Long> times = new HashMap<>();
    partitions.forEach(partition -> times.put(partition, millis));
    Map<TopicPartition, Long> offsets = new HashMap<>(consumer.endOffsets(partitions));
    for (Map.Entry<TopicPartition, OffsetAndTimestamp> found :
        consumer.offsetsForTimes(times).entrySet()) {
      if (found.getValue() != null) {
        offsets.put(found.getKey(), found.getValue().offset());
      }
    }
    return offsets;
  }

  private Map<TopicPartition, Long> committed(
      Set<TopicPartition> partitions, Optional<String> reset) {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    for (Map.Entry<TopicPartition, OffsetAndMetadata> found :
        consumer.committed(partitions).entrySet()) {
      if (found.getValue() != null) {
        offsets.put(found.getKey(), found.getValue().offset());
      }
    }
    if (offsets.size() == partitions.size()) {
      return offsets;
    }
    Map<TopicPartition, Long> others =
        switch (reset.orElse("none")) {
          case "earliest" -> consumer.beginningOffsets(partitions);
          case "latest" -> consumer.endOffsets(partitions);
          default ->
              throw Failures.user(
                  "table %s: group '%s' has committed no offsets of %s; set '%s' ="
                          .formatted(
                              table,
                              client.find("group.id").orElse(""),
                              partitions.stream()
                                  .filter(partition -> !offsets.containsKey(partition))
                                  .map(TopicPartition::toString)
                                  .sorted()
                                  .findFirst()
                                  .orElse(""),
                              KafkaOptions.STARTUP)
                      + " 'earliest-offset', or 'properties.auto.offset.reset' = 'earliest'");
        };
    others.forEach(offsets::putIfAbsent);
    return offsets;
  }
}
