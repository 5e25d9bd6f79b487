package io.sedge.connector.kafka.internal;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * What was fetched and waits for the task. Partitions are merged by the times of their records: a
 * watermark is one of the table, so a partition that is read ahead would make the rows of the
 * others late. A partition that has more, and gives nothing, is waited for as {@link
 * Lane#PATIENCE_NANOS} says; one that is at its end is not.
 *
 * <p>Bounded: each partition has its part of the bytes, but {@value #LEAST_LANE_BYTES} at least,
 * and is not fetched on when it is full. When all of them together have all of the bytes, only
 * those that have nothing are fetched on: the merge may wait for one of them. Any thread.
 */
final class Inbox {
  private static final long LEAST_LANE_BYTES = 64 << 10;

  private final long capacityBytes;
  private final boolean ends;
  private final Map<TopicPartition, Lane> lanes = new HashMap<>();

  /** Of the topics that were found, by name. */
  private final Map<String, Uuid> ids = new HashMap<>();

  private ReadPosition sought = ReadPosition.NONE;
  private boolean assigned;
  private int openings;
  private boolean held;

  /**
   * @param ends whether the table does
   */
  Inbox(long capacityBytes, boolean ends) {
    this.capacityBytes = capacityBytes;
    this.ends = ends;
  }

  /**
   * Opens lanes. Those of a topic that was made anew are gone with all that waits in them.
   *
   * @param topics the ids of the topics that there are, by name
   */
  synchronized void open(Map<String, Uuid> topics, Map<TopicPartition, Lane> some) {
    lanes
        .entrySet()
        .removeIf(
            lane -> {
              Uuid now = topics.get(lane.getKey().topic());
              return now != null && !now.equals(lane.getValue().topicId());
            });
    lanes.putAll(some);
    ids.putAll(topics);
    openings += some.isEmpty() ? 0 : 1;
    assigned = true;
  }

  /** How often lanes were opened: where they begin is not told by any record. */
  synchronized int openings() {
    return openings;
  }

  /** The partitions that are read. */
  synchronized Set<TopicPartition> partitions() {
    return Set.copyOf(lanes.keySet());
  }

  /** The id that a topic had when it was last found, here or by an earlier reader. */
  synchronized Optional<Uuid> idOf(String topic) {
    Uuid id = ids.get(topic);
    return id != null
        ? Optional.of(id)
        : Optional.ofNullable(sought.topics().get(topic)).map(ReadPosition.Topic::id);
  }

  /** Where fetching goes on in each. */
  synchronized Map<TopicPartition, Long> fetched() {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    lanes.forEach((partition, lane) -> offsets.put(partition, lane.fetched()));
    return offsets;
  }

  /**
   * Takes what was fetched of a partition, as of {@link Lane#add}.
   *
   * @return whether the task may have waited for it
   */
  synchronized boolean add(
      TopicPartition partition,
      List<ConsumerRecord<byte[], byte[]>> records,
      long fetched,
      long end) {
    Lane lane = lanes.get(partition);
    if (lane == null) {
      return false;
    }
    boolean waits = lane.isEmpty();
    boolean finished = lane.isFinished();
    lane.add(records, fetched, end);
    return (waits && !lane.isEmpty()) || finished != lane.isFinished();
  }

  /** Goes on at another offset of a partition. */
  synchronized void jump(TopicPartition partition, long offset) {
    Lane lane = lanes.get(partition);
    if (lane != null) {
      lane.jump(offset);
    }
  }

  /** The partitions that are not to be fetched now. */
  synchronized Set<TopicPartition> full() {
    Set<TopicPartition> full = new HashSet<>();
    boolean crowded = isCrowded();
    lanes.forEach(
        (partition, lane) -> {
          if (lane.isFetched() || isFull(lane, crowded)) {
            full.add(partition);
          }
        });
    return full;
  }

  private boolean isFull(Lane lane, boolean crowded) {
    return lane.bytes() >= laneBytes() || (crowded && !lane.isEmpty());
  }

  private boolean isCrowded() {
    return lanes.values().stream().mapToLong(Lane::bytes).sum() >= capacityBytes;
  }

  private long laneBytes() {
    return Math.max(LEAST_LANE_BYTES, capacityBytes / Math.max(1, lanes.size()));
  }

  /**
   * Takes the next records.
   *
   * @param ready whether a record can be decoded; at one that cannot, taking ends
   * @return whether a partition that was full has room again
   */
  synchronized boolean drain(
      List<ConsumerRecord<byte[], byte[]>> into,
      int atMost,
      long atMostBytes,
      long nowNanos,
      Predicate<ConsumerRecord<byte[], byte[]>> ready) {
    held = false;
    PriorityQueue<Lane> byTime =
        new PriorityQueue<>(Math.max(1, lanes.size()), Comparator.comparingLong(Lane::timestamp));
    for (Lane lane : lanes.values()) {
      if (lane.isAwaited(nowNanos)) {
        held = true;
        return false;
      }
      if (!lane.isEmpty()) {
        byTime.add(lane);
      }
    }
    boolean room = false;
    boolean crowded = isCrowded();
    Budget budget = new Budget(into, atMost, atMostBytes);
    while (budget.isLeft() && !byTime.isEmpty() && ready.test(byTime.element().first())) {
      Lane lane = byTime.remove();
      boolean full = lane.bytes() >= laneBytes();
      Lane other = byTime.peek();
      long until = other == null ? Long.MAX_VALUE : other.timestamp();
      do {
        budget.add(lane.take(nowNanos));
      } while (budget.isLeft()
          && !lane.isEmpty()
          && lane.timestamp() <= until
          && ready.test(lane.first()));
      room |= full && lane.bytes() < laneBytes();
      if (!lane.isEmpty()) {
        byTime.add(lane);
      } else if (lane.isAwaited(nowNanos)) {
        held = !byTime.isEmpty();
        break;
      }
    }
    return room || (crowded && !isCrowded());
  }

  /** What one drain may take. */
  private static final class Budget {
    private final List<ConsumerRecord<byte[], byte[]>> into;
    private final int atMost;
    private final long atMostBytes;
    private long bytes;

    Budget(List<ConsumerRecord<byte[], byte[]>> into, int atMost, long atMostBytes) {
      this.into = into;
      this.atMost = atMost;
      this.atMostBytes = atMostBytes;
    }

    boolean isLeft() {
      return into.size() < atMost && bytes < atMostBytes;
    }

    void add(ConsumerRecord<byte[], byte[]> record) {
      into.add(record);
      bytes += Lane.size(record);
    }
  }

  /** Whether there may be records that wait for those of other partitions. */
  synchronized boolean isHeld() {
    return held;
  }

  /** Whether all that is to be read was taken. */
  synchronized boolean isFinished() {
    return ends && assigned && lanes.values().stream().allMatch(Lane::isFinished);
  }

  /** Begins where an earlier reader was. Called before lanes are opened. */
  synchronized void seek(ReadPosition position) {
    sought = position;
  }

  /** Where it was sought to. */
  synchronized ReadPosition sought() {
    return sought;
  }

  /** What is left after what was taken; of topics that were not found yet, what was sought. */
  synchronized ReadPosition position() {
    Map<String, ReadPosition.Topic> topics = new HashMap<>(sought.topics());
    ids.forEach((topic, id) -> topics.put(topic, left(topic, id)));
    return new ReadPosition(topics);
  }

  private ReadPosition.Topic left(String topic, Uuid id) {
    Map<Integer, ReadPosition.Span> spans = new HashMap<>();
    for (Map.Entry<TopicPartition, Lane> lane : lanes.entrySet()) {
      if (lane.getKey().topic().equals(topic)) {
        spans.put(lane.getKey().partition(), lane.getValue().left());
      }
    }
    return new ReadPosition.Topic(id, spans);
  }
}
