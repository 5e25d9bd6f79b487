package io.sedge.connector.kafka.internal;

import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;

/**
 * How far a writer has come, kept at the brokers in one step with its rows: a group that has no
 * members, named for the writer. The offset that it has committed is the sequence of the last row,
 * and the note beside it names the sink that wrote it.
 *
 * @param sequence 0 if nothing is kept
 * @param owner of the sink that has written it; empty if nothing is kept
 */
record Progress(long sequence, String owner) {
  private static final Progress NONE = new Progress(0, "");

  /** Whether nothing is kept. */
  boolean isNone() {
    return owner.isEmpty();
  }

  /** The partition whose offset of the group it is. Any that is there for good would do. */
  private static TopicPartition place(String topic) {
    return new TopicPartition(topic, 0);
  }

  /**
   * Reads it; waits for what a transaction that ends is about to write.
   *
   * @param group a consumer of the writer's group
   */
  static Progress read(Consumer<byte[], byte[]> group, String topic) {
    OffsetAndMetadata found = group.committed(Set.of(place(topic))).get(place(topic));
    return found == null ? NONE : new Progress(found.offset(), found.metadata());
  }

  /** Writes it, as a part of the producer's transaction. */
  void write(Producer<byte[], byte[]> producer, ConsumerGroupMetadata group, String topic) {
    producer.sendOffsetsToTransaction(
        Map.of(place(topic), new OffsetAndMetadata(sequence, owner)), group);
  }
}
