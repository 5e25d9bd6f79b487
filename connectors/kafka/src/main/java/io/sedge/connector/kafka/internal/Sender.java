package io.sedge.connector.kafka.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.kafka.internal.SinkSettings.Partitioner;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Gives records to a producer, and keeps what comes of them. A record that is too large for the
 * broker is refused: it is counted and kept like a payload that cannot be decoded.
 */
final class Sender {
  private static final int SAMPLE_BYTES = 4096;

  private final String table;
  private final ConnectorContext context;
  private final SinkSettings settings;
  private final Producer<byte[], byte[]> producer;
  private final int partitions;
  private final int fixed;
  private int turn;
  private volatile @Nullable RuntimeException failure;

  /**
   * @param writer whose rows they are, for the choice of a partition
   * @throws UnknownTopicOrPartitionException if there is no topic, and the broker makes none
   */
  Sender(
      String table,
      ConnectorContext context,
      SinkSettings settings,
      Producer<byte[], byte[]> producer,
      Admin admin,
      String writer) {
    this.table = table;
    this.context = context;
    this.settings = settings;
    this.producer = producer;
    this.partitions = partitions(admin);
    this.fixed = Math.floorMod(writer.hashCode(), partitions);
  }

  /** A broker may be set up to make topics that a producer asks for. */
  private int partitions(Admin admin) {
    Map<String, TopicShape> shapes = TopicShape.look(admin, Arrays.asList(settings.topic()));
    TopicShape shape = shapes.get(settings.topic());
    if (shape != null) {
      return shape.partitions();
    }
    try {
      return producer.partitionsFor(settings.topic()).size();
    } catch (TimeoutException e) {
      throw new UnknownTopicOrPartitionException(
          "topic '%s' does not exist".formatted(settings.topic()), e);
    }
  }

  void send(Shipment shipment) {
    for (Parcel parcel : shipment.parcels()) {
      if (!parcel.isRefused()) {
        // What comes of it is told to the callback.
        var _ =
            producer.send(
                new ProducerRecord<>(
                    settings.topic(),
                    partition(),
                    parcel.timestamp(),
                    parcel.key(),
                    parcel.value()),
                (_, thrown) -> completed(parcel, thrown));
      }
    }
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
      if (!parcel.isRefused()) {
        parcel.refuse();
        byte[] value = parcel.value() == null ? new byte[0] : parcel.value();
        context.malformed(
            table,
            settings.topic(),
            Arrays.copyOf(value, Math.min(value.length, SAMPLE_BYTES)),
            "a record of %d bytes is too large for topic '%s': %s"
                .formatted(parcel.payloadBytes(), settings.topic(), thrown.getMessage()));
      }
    } else if (thrown instanceof RuntimeException known && failure == null) {
      failure = known;
    }
  }

  /** Throws what has befallen records, other than that they are too large. */
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
