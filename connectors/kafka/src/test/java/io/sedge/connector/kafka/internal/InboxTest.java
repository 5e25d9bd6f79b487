package io.sedge.connector.kafka.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.kafka.internal.ReadPosition.Span;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which records come next, and what is remembered of them. */
final class InboxTest {
  private static final long CAPACITY = 128 << 10;
  private static final long SECOND = 1_000_000_000L;
  private static final TopicPartition LEFT = new TopicPartition("t", 0);
  private static final TopicPartition RIGHT = new TopicPartition("t", 1);
  private static final Uuid ID = Uuid.randomUuid();

  private final Inbox inbox = new Inbox(CAPACITY, true);
  private final List<ConsumerRecord<byte[], byte[]>> drained = new ArrayList<>();

  @BeforeEach
  void open() {
    inbox.open(
        Map.of("t", ID),
        Map.of(LEFT, new Lane(ID, new Span(0, 10), 10), RIGHT, new Lane(ID, new Span(5, 8), 8)));
  }

  private static List<ConsumerRecord<byte[], byte[]>> records(
      TopicPartition partition, long offset, int bytes, long... times) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int i = 0; i < times.length; i++) {
      records.add(
          new ConsumerRecord<>(
              partition.topic(),
              partition.partition(),
              offset + i,
              times[i],
              TimestampType.CREATE_TIME,
              0,
              bytes,
              null,
              new byte[bytes],
              new RecordHeaders(),
              Optional.empty()));
    }
    return records;
  }

  private List<Long> drain(int atMost, long nowNanos) {
    drained.clear();
    var _ = inbox.drain(drained, atMost, Long.MAX_VALUE, nowNanos, _ -> true);
    return drained.stream().map(ConsumerRecord::timestamp).toList();
  }

  private Span left(int partition) {
    return inbox.position().topics().get("t").partitions().get(partition);
  }

  /** Its schema is under way: what is after it waits too, and the position stays before it. */
  @Test
  void aRecordThatIsNotReadyEndsWhatIsTaken() {
    inbox.add(LEFT, records(LEFT, 0, 1, 1, 4, 5), 10, -1);
    inbox.add(RIGHT, records(RIGHT, 5, 1, 2, 3, 6), 8, -1);
    for (int i = 0; i < 2; i++) {
      var _ = inbox.drain(drained, 10, Long.MAX_VALUE, 0, record -> record.timestamp() < 4);
      assertThat(drained.stream().map(ConsumerRecord::timestamp)).containsExactly(1L, 2L, 3L);
      assertThat(left(0)).isEqualTo(new Span(1, 10));
      assertThat(left(1)).isEqualTo(new Span(7, 8));
    }
    assertThat(drain(10, 0)).containsExactly(4L, 5L, 6L);
  }

  @Test
  void partitionsAreMergedByTheTimesOfTheirRecords() {
    inbox.add(LEFT, records(LEFT, 0, 1, 1, 4, 5), 10, -1);
    inbox.add(RIGHT, records(RIGHT, 5, 1, 2, 3, 9), 8, -1);
    assertThat(drain(4, 0)).containsExactly(1L, 2L, 3L, 4L);
    assertThat(left(0)).isEqualTo(new Span(2, 10));
    assertThat(left(1)).isEqualTo(new Span(7, 8));
    assertThat(inbox.isFinished()).isFalse();
    assertThat(drain(4, 0)).containsExactly(5L, 9L);
    assertThat(left(0)).as("markers of transactions are passed too").isEqualTo(new Span(10, 10));
    assertThat(inbox.isFinished()).isTrue();
  }

  @Test
  void aPartitionThatHasMoreIsWaitedForAndNotForLong() {
    inbox.add(LEFT, records(LEFT, 0, 1, 1, 4), 2, 10);
    assertThat(drain(9, 0)).as("the other one may have older records").isEmpty();
    assertThat(drain(9, SECOND)).containsExactly(1L, 4L);
    inbox.add(LEFT, records(LEFT, 2, 1, 5), 3, 10);
    inbox.add(RIGHT, records(RIGHT, 5, 1, 2), 6, 8);
    assertThat(drain(9, SECOND)).as("then it is waited for again").containsExactly(2L);
    assertThat(drain(9, SECOND + 1)).isEmpty();
    assertThat(drain(9, 3 * SECOND)).containsExactly(5L);
  }

  @Test
  void aPartitionAtItsEndHoldsNothingBack() {
    inbox.add(LEFT, records(LEFT, 0, 1, 1, 4), 2, 10);
    inbox.add(RIGHT, List.of(), 8, 8);
    assertThat(drain(9, 0)).containsExactly(1L, 4L);
  }

  @Test
  void aPartitionThatIsAheadIsNotFetchedOn() {
    int half = (int) CAPACITY / 2;
    inbox.add(LEFT, records(LEFT, 0, half, 1), 1, 10);
    assertThat(inbox.full()).containsExactly(LEFT);
    inbox.add(RIGHT, records(RIGHT, 5, 1, 2), 8, 8);
    assertThat(inbox.full()).as("one that was read to its end neither").contains(LEFT, RIGHT);
    assertThat(inbox.drain(drained, 1, Long.MAX_VALUE, 0, _ -> true))
        .as("there is room again")
        .isTrue();
    assertThat(inbox.full()).containsExactly(RIGHT);
  }

  /** Each lane has a part that is not full; together they have more than there is room for. */
  @Test
  void manyPartitionsHoldNoMoreThanTheCapacity() {
    Map<TopicPartition, Lane> lanes = new HashMap<>();
    for (int i = 0; i < 50; i++) {
      lanes.put(new TopicPartition("many", i), new Lane(ID, Span.WHOLE, 1));
    }
    Inbox many = new Inbox(CAPACITY, false);
    many.open(Map.of("many", ID), lanes);
    int bytes = 4 << 10;
    for (int i = 0; i < 49; i++) {
      TopicPartition partition = new TopicPartition("many", i);
      boolean fetches = !many.full().contains(partition);
      assertThat(fetches).as("one that is empty is fetched").isTrue();
      many.add(partition, records(partition, 0, bytes, i), 1, 1);
    }
    assertThat(many.full()).hasSize(49).doesNotContain(new TopicPartition("many", 49));
    many.add(new TopicPartition("many", 49), records(LEFT, 0, 1, 99), 1, 1);
    assertThat(many.drain(drained, 5, Long.MAX_VALUE, 0, _ -> true)).as("room").isFalse();
    assertThat(many.drain(drained, 40, Long.MAX_VALUE, 0, _ -> true)).as("room").isTrue();
    assertThat(many.full()).isEmpty();
  }

  @Test
  void recordsThatAreLostAreJumpedOver() {
    inbox.add(LEFT, records(LEFT, 0, 1, 1), 1, 10);
    inbox.add(RIGHT, List.of(), 8, 8);
    inbox.jump(LEFT, 6);
    assertThat(left(0)).as("what was fetched comes first").isEqualTo(new Span(0, 10));
    assertThat(drain(9, 0)).containsExactly(1L);
    assertThat(left(0)).isEqualTo(new Span(6, 10));
  }

  /** A lane that stayed would keep the old id, and the topic would be made anew at each look. */
  @Test
  void aTopicThatIsMadeAnewLeavesNothingOfTheOldOne() {
    inbox.add(RIGHT, records(RIGHT, 5, 1, 2), 6, 8);
    Uuid anew = Uuid.randomUuid();
    inbox.open(Map.of("t", anew), Map.of(LEFT, new Lane(anew, new Span(0, 10), 10)));
    assertThat(inbox.partitions()).containsExactly(LEFT);
    assertThat(inbox.idOf("t")).contains(anew);
    assertThat(inbox.position().topics())
        .isEqualTo(Map.of("t", new ReadPosition.Topic(anew, Map.of(0, new Span(0, 10)))));
    Uuid empty = Uuid.randomUuid();
    inbox.open(Map.of("t", empty), Map.of());
    assertThat(inbox.idOf("t")).as("also if no partition of it is read").contains(empty);
    assertThat(inbox.partitions()).isEmpty();
  }

  @Test
  void aPositionIsKeptInBytes() {
    assertThat(ReadPosition.parse(inbox.position().bytes())).isEqualTo(inbox.position());
    assertThat(ReadPosition.parse(new byte[0])).isEqualTo(ReadPosition.NONE);
    Inbox next = new Inbox(CAPACITY, true);
    next.seek(inbox.position());
    assertThat(next.position()).as("before anything was found").isEqualTo(inbox.position());
  }
}
