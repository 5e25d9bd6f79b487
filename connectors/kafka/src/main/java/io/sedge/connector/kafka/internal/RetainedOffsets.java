package io.sedge.connector.kafka.internal;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * The offsets that are kept of a topic: the first, and the one behind the last.
 *
 * @param ranges by partition; those that have not told are left out
 * @param asked whether each partition was asked
 * @param isComplete whether each partition has told
 */
record RetainedOffsets(Map<TopicPartition, Range> ranges, boolean asked, boolean isComplete) {
  /** Of all topics together: partitions beyond are not asked. */
  private static final int MOST_PARTITIONS = 20_000;

  RetainedOffsets {
    ranges = Map.copyOf(ranges);
  }

  /** Offsets of a partition, the last one excluded. */
  record Range(long from, long to) {
    long records() {
      return to - from;
    }
  }

  /** Those of topics, by name. Blocks as the client's time-outs say. */
  static Map<String, RetainedOffsets> of(Admin admin, Map<String, TopicShape> shapes) {
    return of(admin, shapes, MOST_PARTITIONS);
  }

  /** As {@link #of(Admin, Map)}, of so many partitions at most. */
  static Map<String, RetainedOffsets> of(
      Admin admin, Map<String, TopicShape> shapes, int mostPartitions) {
    Map<TopicPartition, OffsetSpec> first = new HashMap<>();
    Map<TopicPartition, OffsetSpec> last = new HashMap<>();
    for (Map.Entry<String, TopicShape> shape : shapes.entrySet()) {
      for (int i = 0; i < shape.getValue().partitions() && first.size() < mostPartitions; i++) {
        TopicPartition partition = new TopicPartition(shape.getKey(), i);
        first.put(partition, OffsetSpec.earliest());
        last.put(partition, OffsetSpec.latest());
      }
    }
    ListOffsetsResult from = admin.listOffsets(first);
    ListOffsetsResult to = admin.listOffsets(last);
    Map<String, Map<TopicPartition, Range>> ranges = new TreeMap<>();
    for (TopicPartition partition : first.keySet()) {
      Optional<Long> begin = offset(from, partition);
      Optional<Long> end = begin.flatMap(_ -> offset(to, partition));
      end.ifPresent(
          offset ->
              ranges
                  .computeIfAbsent(partition.topic(), _ -> new HashMap<>())
                  .put(partition, new Range(begin.orElseThrow(), offset)));
    }
    Map<String, RetainedOffsets> all = new TreeMap<>();
    shapes.forEach(
        (topic, shape) -> {
          Map<TopicPartition, Range> its = ranges.getOrDefault(topic, Map.of());
          boolean asked =
              shape.partitions() == 0
                  || first.containsKey(new TopicPartition(topic, shape.partitions() - 1));
          all.put(topic, new RetainedOffsets(its, asked, its.size() == shape.partitions()));
        });
    return all;
  }

  /** Empty of a partition that has no leader, or that this user may not see. */
  private static Optional<Long> offset(ListOffsetsResult result, TopicPartition partition) {
    try {
      return Optional.of(TopicShape.await(result.partitionResult(partition)).offset());
    } catch (KafkaException e) {
      return Optional.empty();
    }
  }

  /** Why there is nothing to look at, for people; empty if there are records. */
  Optional<String> nothing() {
    if (ranges.values().stream().anyMatch(range -> range.records() > 0)) {
      return Optional.empty();
    }
    if (isComplete) {
      return Optional.of("it is empty, so no columns are known");
    }
    return Optional.of(
        asked
            ? "its offsets are not known: a partition has no leader"
            : "its offsets are not known: of many partitions it was not asked; name the topic");
  }

  /** At most so many: offsets of compacted and of transactional topics have gaps. */
  String records() {
    return isComplete
        ? String.valueOf(ranges.values().stream().mapToLong(Range::records).sum())
        : "?";
  }
}
