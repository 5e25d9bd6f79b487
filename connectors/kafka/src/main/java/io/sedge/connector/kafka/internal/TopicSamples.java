package io.sedge.connector.kafka.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.Findings.Payload;
import io.sedge.connector.Findings.Records;
import io.sedge.connector.kafka.internal.RetainedOffsets.Range;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Reads some of the newest records of topics. One thread. */
final class TopicSamples implements AutoCloseable {
  private static final int RECORDS = 100;
  private static final int PARTITIONS = 20;

  /** Of all records of a topic together; that of them which reaches it is the last. */
  private static final int BYTES = 256 << 10;

  /** Of a longer value its beginning is kept. */
  private static final int VALUE_BYTES = 1 << 20;

  private static final int KEY_BYTES = 1 << 10;

  private static final long TOPIC_NANOS = Duration.ofSeconds(5).toNanos();
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration CLOSING = Duration.ofSeconds(2);

  private final Consumer<byte[], byte[]> consumer;
  private final ConnectorContext context;

  TopicSamples(Consumer<byte[], byte[]> consumer, ConnectorContext context) {
    this.consumer = consumer;
    this.context = context;
  }

  /**
   * Those of a topic.
   *
   * @param endNanos when looking ends at the latest
   * @throws org.apache.kafka.common.KafkaException if it cannot be read
   */
  Records of(RetainedOffsets retained, long endNanos) {
    List<Map.Entry<TopicPartition, Range>> most =
        retained.ranges().entrySet().stream()
            .filter(range -> range.getValue().records() > 0)
            .sorted(Comparator.comparingLong(range -> -range.getValue().records()))
            .limit(PARTITIONS)
            .toList();
    List<Payload> payloads = new ArrayList<>();
    long empty = 0;
    if (!most.isEmpty()) {
      seek(most);
      long end = Math.min(endNanos, context.nanoTime() + TOPIC_NANOS);
      int bytes = 0;
      while (payloads.size() < RECORDS
          && bytes < BYTES
          && hasMore(most)
          && context.nanoTime() < end) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          if (record.value() == null) {
            empty++;
          } else if (payloads.size() < RECORDS && bytes < BYTES) {
            payloads.add(payload(record));
            bytes += Math.min(record.value().length, VALUE_BYTES);
          }
        }
      }
    }
    return new Records(payloads, Metadata.TIMESTAMP.key(), empty);
  }

  private void seek(List<Map.Entry<TopicPartition, Range>> ranges) {
    consumer.assign(ranges.stream().map(Map.Entry::getKey).toList());
    int each = Math.max(1, RECORDS / ranges.size());
    for (Map.Entry<TopicPartition, Range> range : ranges) {
      consumer.seek(
          range.getKey(), Math.max(range.getValue().from(), range.getValue().to() - each));
    }
  }

  private boolean hasMore(List<Map.Entry<TopicPartition, Range>> ranges) {
    return ranges.stream()
        .anyMatch(range -> consumer.position(range.getKey()) < range.getValue().to());
  }

  private static Payload payload(ConsumerRecord<byte[], byte[]> record) {
    return new Payload(
        Optional.ofNullable(record.key()).map(key -> cut(key, KEY_BYTES)),
        cut(record.value(), VALUE_BYTES));
  }

  private static byte[] cut(byte[] bytes, int most) {
    return bytes.length > most ? Arrays.copyOf(bytes, most) : bytes;
  }

  @Override
  public void close() {
    consumer.close(CloseOptions.timeout(CLOSING));
  }
}
