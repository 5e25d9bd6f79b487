package io.sedge.connector.kafka.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.ForwardingAdmin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

/** A topic of which nothing is known is not said to be empty. */
final class KafkaRetainedOffsetsTest {
  private static final String LEADERLESS = "its offsets are not known: a partition has no leader";

  /** Brokers where partition 1 of each topic has no leader, and each other one ten records. */
  private static final class Brokers extends ForwardingAdmin {
    Brokers() {
      super(Map.of("bootstrap.servers", "127.0.0.1:1"));
    }

    @Override
    public ListOffsetsResult listOffsets(
        Map<TopicPartition, OffsetSpec> wanted, ListOffsetsOptions options) {
      Map<TopicPartition, KafkaFuture<ListOffsetsResultInfo>> told = new HashMap<>();
      wanted.forEach((partition, spec) -> told.put(partition, offset(partition, spec)));
      return new ListOffsetsResult(told);
    }

    private static KafkaFuture<ListOffsetsResultInfo> offset(
        TopicPartition partition, OffsetSpec spec) {
      KafkaFutureImpl<ListOffsetsResultInfo> future = new KafkaFutureImpl<>();
      if (partition.partition() == 1) {
        future.completeExceptionally(new TimeoutException("no leader"));
      } else {
        boolean isEnd = spec instanceof OffsetSpec.LatestSpec;
        long offset = isEnd && !partition.topic().startsWith("empty") ? 10 : 0;
        future.complete(new ListOffsetsResultInfo(offset, -1, Optional.empty()));
      }
      return future;
    }
  }

  private static Map<String, Optional<String>> nothing(
      Map<String, Integer> partitions, int mostPartitions) {
    Map<String, TopicShape> shapes = new TreeMap<>();
    partitions.forEach((topic, count) -> shapes.put(topic, new TopicShape(Uuid.ZERO_UUID, count)));
    Map<String, Optional<String>> nothing = new TreeMap<>();
    try (Brokers brokers = new Brokers()) {
      RetainedOffsets.of(brokers, shapes, mostPartitions)
          .forEach((topic, its) -> nothing.put(topic, its.nothing()));
    }
    return nothing;
  }

  @Test
  void aTopicWithAPartitionThatHasNoLeaderIsNotSaidToBeEmpty() {
    assertThat(nothing(Map.of("empty", 1, "empty-as-known", 2, "full", 1, "some", 2), 100))
        .isEqualTo(
            Map.of(
                "empty",
                Optional.of("it is empty, so no columns are known"),
                "empty-as-known",
                Optional.of(LEADERLESS),
                "full",
                Optional.empty(),
                "some",
                Optional.empty()));
  }

  @Test
  void aTopicThatWasNotAskedIsNotSaidToBeEmpty() {
    assertThat(nothing(Map.of("a", 1, "b", 1), 1))
        .isEqualTo(
            Map.of(
                "a",
                Optional.empty(),
                "b",
                Optional.of(
                    "its offsets are not known: of many partitions it was not asked; name the"
                        + " topic")));
  }
}
