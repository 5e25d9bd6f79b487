package io.sedge.connector.kafka.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.kafka.internal.ReadPosition.Span;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.WakeupException;
import org.junit.jupiter.api.Test;

/** What was polled reaches the inbox. */
final class IntakeTest {
  private static final TopicPartition LEFT = new TopicPartition("t", 0);
  private static final TopicPartition RIGHT = new TopicPartition("t", 1);

  /** A broker whose leader is away: whatever asks it is woken up while it waits. */
  private static final class Woken extends MockConsumer<byte[], byte[]> {
    Woken() {
      super("none");
    }

    @Override
    public synchronized long position(TopicPartition partition) {
      throw new WakeupException();
    }

    @Override
    public OptionalLong currentLag(TopicPartition partition) {
      throw new WakeupException();
    }
  }

  /** The consumer stands after them, so they would never come again. */
  @Test
  void recordsThatWerePolledAreKeptWhenTheConsumerIsWokenUp() {
    Inbox inbox = new Inbox(1 << 20, false);
    Uuid id = Uuid.randomUuid();
    inbox.open(
        Map.of("t", id),
        Map.of(LEFT, new Lane(id, Span.WHOLE, 0), RIGHT, new Lane(id, Span.WHOLE, 0)));
    List<ConsumerRecord<byte[], byte[]>> drained = new ArrayList<>();
    try (Woken consumer = new Woken()) {
      consumer.assign(List.of(LEFT, RIGHT));
      consumer.updateBeginningOffsets(Map.of(LEFT, 0L, RIGHT, 0L));
      consumer.seek(LEFT, 0);
      consumer.seek(RIGHT, 0);
      consumer.addRecord(new ConsumerRecord<>("t", 0, 0, null, new byte[1]));
      consumer.addRecord(new ConsumerRecord<>("t", 1, 0, null, new byte[1]));
      assertThat(Intake.take(consumer, consumer.poll(Duration.ZERO), inbox)).isTrue();
    }
    var _ = inbox.drain(drained, 9, Long.MAX_VALUE, 0, _ -> true);
    assertThat(drained).extracting(ConsumerRecord::partition).containsExactlyInAnyOrder(0, 1);
    assertThat(inbox.fetched()).isEqualTo(Map.of(LEFT, 1L, RIGHT, 1L));
  }
}
