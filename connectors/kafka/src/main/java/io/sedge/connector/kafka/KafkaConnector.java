package io.sedge.connector.kafka;

import io.sedge.connector.Explorer;
import io.sedge.connector.kafka.internal.KafkaTables;
import io.sedge.connector.kafka.internal.TopicExplorer;
import java.util.Optional;

/**
 * {@code 'connector' = 'kafka'}: topics of Apache Kafka as a table.
 *
 * <p>Each reading counts once: the offsets of its partitions are the position of a reader, which
 * the task commits with what came of them. With {@code 'sink.delivery-guarantee' = 'exactly-once'}
 * rows are written in transactions that also hold how far the writer has come.
 */
public final class KafkaConnector extends TopicConnector {
  public KafkaConnector() {
    super("kafka", KafkaTables.PLAIN);
  }

  @Override
  public Optional<Explorer> explorer() {
    return Optional.of(new TopicExplorer());
  }
}
