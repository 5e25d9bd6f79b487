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
 * @param isComplete whether each partition has told
 */
record RetainedOffsets(Map<TopicPartition, Range> ranges, boolean isComplete) {
  static final RetainedOffsets UNKNOWN = new RetainedOffsets(Map.of(), false);

  /** Partitions beyond are not asked for. */
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
    Map<TopicPartition, OffsetSpec> first = new HashMap<>();
    Map<TopicPartition, OffsetSpec> last = new HashMap<>();
    for (Map.Entry<String, TopicShape> shape : shapes.entrySet()) {
      for (int i = 0; i < shape.getValue().partitions() && first.size() < MOST_PARTITIONS; i++) {
        TopicPartition partition = new TopicPartition(shape.getKey(), i);
        first.put(partition, OffsetSpec.earliest());
        last.put(partition, OffsetSpec.latest());
      }
    }
    if (first.isEmpty()) {
      return Map.of();
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
    ranges.forEach(
        (topic, its) -> {
          TopicShape shape = shapes.get(topic);
          boolean complete = shape != null && its.size() == shape.partitions();
          all.put(topic, new RetainedOffsets(its, complete));
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

  /** Whether it is known that it keeps nothing. */
  boolean isEmpty() {
    return isComplete && ranges.values().stream().allMatch(range -> range.records() == 0);
  }

  /** At most so many: offsets of compacted and of transactional topics have gaps. */
  String records() {
    return isComplete
        ? String.valueOf(ranges.values().stream().mapToLong(Range::records).sum())
        : "?";
  }
}
