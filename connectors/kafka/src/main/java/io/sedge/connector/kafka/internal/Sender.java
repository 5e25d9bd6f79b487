package io.sedge.connector.kafka.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.kafka.internal.SinkSettings.Partitioner;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Gives records to a producer, and keeps what comes of them. A record that the broker does not take
 * (it is too large, its time is too far off, its topic wants a key) is refused: it is counted and
 * kept like a payload that cannot be decoded.
 */
final class Sender {
  private static final int SAMPLE_BYTES = 4096;

  /** Kafka's own default. */
  private static final long MAX_REQUEST_BYTES = 1 << 20;

  /** What a record takes besides its key and its value, at most. */
  private static final int RECORD_BYTES = 128;

  /** For so long a broker that makes topics is waited for; less than until a sink is stuck. */
  private static final int LOOK_UP_MS = 5_000;

  private static final byte[] NO_VALUE = {};

  private final String table;
  private final ConnectorContext context;
  private final SinkSettings settings;
  private final Producer<byte[], byte[]> producer;
  private final int partitions;
  private final int fixed;
  private final long mostBytes;
  private int turn;
  private volatile boolean refused;
  private volatile @Nullable RuntimeException failure;

  /**
   * @param partitions of the topic
   * @param writer whose rows they are, for the choice of a partition
   */
  Sender(
      String table,
      ConnectorContext context,
      SinkSettings settings,
      Producer<byte[], byte[]> producer,
      int partitions,
      String writer) {
    this.table = table;
    this.context = context;
    this.settings = settings;
    this.producer = producer;
    this.mostBytes =
        settings.client().find("max.request.size").map(Long::valueOf).orElse(MAX_REQUEST_BYTES)
            - RECORD_BYTES;
    this.partitions = partitions;
    this.fixed = Math.floorMod(writer.hashCode(), partitions);
  }

  /**
   * How many partitions the topic has. A broker may be set up to make topics that a producer asks
   * for: one asks that waits for a while only.
   *
   * @throws AbsentTopicException if there is no topic, and the broker makes none
   */
  static int partitions(String table, SinkSettings settings, Clients clients, Admin admin) {
    Map<String, TopicShape> shapes = TopicShape.look(admin, Arrays.asList(settings.topic()));
    TopicShape shape = shapes.get(settings.topic());
    if (shape != null) {
      return shape.partitions();
    }
    Producer<byte[], byte[]> asking = clients.producer(table, Map.of("max.block.ms", LOOK_UP_MS));
    try {
      return asking.partitionsFor(settings.topic()).size();
    } catch (TimeoutException e) {
      throw new AbsentTopicException(settings.topic(), e);
    } finally {
      close(asking);
    }
  }

  void send(Parcels parcels) {
    for (Parcel parcel : parcels.parcels()) {
      if (parcel.payloadBytes() > mostBytes) {
        refuse(
            parcel,
            tooLarge(
                parcel, "'properties.max.request.size' is %d".formatted(mostBytes + RECORD_BYTES)));
      } else if (!parcel.isRefused()) {
        send(parcel);
      }
    }
  }

  private void send(Parcel parcel) {
    // What comes of it is told to the callback.
    var _ =
        producer.send(
            new ProducerRecord<>(
                settings.topic(), partition(), parcel.timestamp(), parcel.key(), parcel.value()),
            (_, thrown) -> completed(parcel, thrown));
  }

  private @Nullable Integer partition() {
    if (settings.partitioner() == Partitioner.DEFAULT) {
      return null;
    }
    if (settings.partitioner() == Partitioner.FIXED) {
      return fixed;
    }
    turn = (turn + 1) % partitions;
    return turn;
  }

  private void completed(Parcel parcel, @Nullable Exception thrown) {
    if (thrown instanceof RecordTooLargeException) {
      refuse(parcel, tooLarge(parcel, String.valueOf(thrown.getMessage())));
      refused = true;
    } else if (thrown instanceof InvalidTimestampException
        || thrown instanceof InvalidRecordException) {
      refuse(
          parcel,
          "topic '%s' does not take the record: %s"
              .formatted(settings.topic(), thrown.getMessage()));
      refused = true;
    } else if (thrown instanceof RuntimeException known && failure == null) {
      failure = known;
    }
  }

  private String tooLarge(Parcel parcel, String why) {
    return "a record of %d bytes is too large for topic '%s': %s"
        .formatted(parcel.payloadBytes(), settings.topic(), why);
  }

  private void refuse(Parcel parcel, String reason) {
    if (parcel.refuse()) {
      byte[] value = parcel.value() == null ? NO_VALUE : parcel.value();
      context.unwritten(
          table,
          settings.topic(),
          Arrays.copyOf(value, Math.min(value.length, SAMPLE_BYTES)),
          reason);
    }
  }

  /** Whether the broker has refused a record, which ends the transaction that it is in. */
  boolean hasRefused() {
    return refused;
  }

  /** Whether others than those that were refused have failed, perhaps only because of them. */
  boolean hasFailed() {
    return failure != null;
  }

  /** What has befallen records so far counts no more: they are sent again. */
  void forget() {
    refused = false;
    failure = null;
  }

  /** Records that were refused alone have harmed no others. */
  void forgetRefused() {
    refused = false;
  }

  /** Throws what has befallen records that were not refused. */
  void throwIfFailed() {
    RuntimeException known = failure;
    if (known != null) {
      throw known;
    }
  }

  /** Ends the producer; what it has not sent by then is not sent. */
  static void close(Producer<byte[], byte[]> producer) {
    producer.close(Duration.ZERO);
  }
}
