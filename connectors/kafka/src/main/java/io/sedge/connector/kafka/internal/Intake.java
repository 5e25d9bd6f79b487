package io.sedge.connector.kafka.internal;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

/**
 * Puts what a poll gave into the inbox, all of it or none. The consumer stands after these records
 * already, so a record that is left out here is lost. Therefore nothing here waits for a broker:
 * such a wait ends when the consumer is woken up.
 */
final class Intake {
  private static final long UNKNOWN = -1;

  private Intake() {}

  /**
   * Takes what was polled.
   *
   * @return whether the task may have waited for it
   */
  static boolean take(
      Consumer<byte[], byte[]> consumer, ConsumerRecords<byte[], byte[]> records, Inbox inbox) {
    Map<TopicPartition, Long> next = inbox.fetched();
    records.nextOffsets().forEach((partition, offset) -> next.put(partition, offset.offset()));
    Map<TopicPartition, Long> ends = new HashMap<>();
    next.forEach((partition, offset) -> ends.put(partition, end(consumer, partition, offset)));
    boolean awaited = false;
    for (Map.Entry<TopicPartition, Long> one : next.entrySet()) {
      TopicPartition partition = one.getKey();
      awaited |=
          inbox.add(
              partition,
              records.records(partition),
              one.getValue(),
              ends.getOrDefault(partition, UNKNOWN));
    }
    return awaited;
  }

  private static long end(
      Consumer<byte[], byte[]> consumer, TopicPartition partition, long position) {
    try {
      OptionalLong lag = consumer.currentLag(partition);
      return lag.isPresent() ? position + lag.getAsLong() : UNKNOWN;
    } catch (WakeupException e) {
      return UNKNOWN; // The client asks the broker for the end in passing.
    }
  }
}
