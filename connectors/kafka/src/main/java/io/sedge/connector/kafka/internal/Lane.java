package io.sedge.connector.kafka.internal;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.Uuid;

/** The records of a partition that wait for the task, in order. Guarded by its inbox. */
final class Lane {
  /** Objects around a record's bytes. */
  private static final int RECORD_BYTES = 100;

  /** For so long others wait for a partition that has more, and gives nothing. */
  static final long PATIENCE_NANOS = 1_000_000_000;

  private final Uuid topicId;
  private final long stop;
  private final Deque<ConsumerRecord<byte[], byte[]>> waiting = new ArrayDeque<>();
  private long bytes;
  private long next;
  private long fetched;
  private long end;
  private long emptySinceNanos = Long.MIN_VALUE;

  /**
   * @param end the first offset that is not there yet, as far as is known
   */
  Lane(Uuid topicId, ReadPosition.Span span, long end) {
    this.topicId = topicId;
    this.next = span.next();
    this.fetched = span.next();
    this.stop = span.stop();
    this.end = end;
  }

  Uuid topicId() {
    return topicId;
  }

  ReadPosition.Span left() {
    return new ReadPosition.Span(next, stop);
  }

  /** The next offset to be fetched. */
  long fetched() {
    return fetched;
  }

  long bytes() {
    return bytes;
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Whether all that is to be read was fetched. */
  boolean isFetched() {
    return fetched >= stop;
  }

  boolean isFinished() {
    return isFetched() && waiting.isEmpty();
  }

  /** The next record; there must be one. */
  ConsumerRecord<byte[], byte[]> first() {
    return waiting.getFirst();
  }

  /** The time of the next record; there must be one. */
  long timestamp() {
    return first().timestamp();
  }

  /**
   * Takes what was fetched.
   *
   * @param newFetched the offset after it, markers of transactions included
   * @param newEnd -1 if it is not known
   */
  void add(List<ConsumerRecord<byte[], byte[]>> records, long newFetched, long newEnd) {
    for (ConsumerRecord<byte[], byte[]> record : records) {
      if (record.offset() < stop) {
        waiting.add(record);
        bytes += size(record);
      }
    }
    jump(newFetched);
    end = Math.max(end, newEnd);
  }

  /** Goes on at an offset; what was fetched is given first. */
  void jump(long offset) {
    fetched = offset;
    if (waiting.isEmpty()) {
      next = offset;
    }
  }

  /** The next record. */
  ConsumerRecord<byte[], byte[]> take(long nowNanos) {
    ConsumerRecord<byte[], byte[]> record = waiting.remove();
    bytes -= size(record);
    next = waiting.isEmpty() ? fetched : record.offset() + 1;
    if (waiting.isEmpty()) {
      emptySinceNanos = nowNanos;
    }
    return record;
  }

  /** Whether records that are older than those of others may be under way. */
  boolean isAwaited(long nowNanos) {
    if (!waiting.isEmpty() || fetched >= Math.min(end, stop)) {
      return false;
    }
    if (emptySinceNanos == Long.MIN_VALUE) {
      emptySinceNanos = nowNanos;
    }
    return nowNanos - emptySinceNanos < PATIENCE_NANOS;
  }

  static int size(ConsumerRecord<byte[], byte[]> record) {
    return RECORD_BYTES
        + Math.max(0, record.serializedKeySize())
        + Math.max(0, record.serializedValueSize());
  }
}
