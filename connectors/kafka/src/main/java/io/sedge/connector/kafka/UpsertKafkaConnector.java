package io.sedge.connector.kafka;

import io.sedge.connector.kafka.internal.KafkaTables;

/**
 * {@code 'connector' = 'upsert-kafka'}: a topic of Apache Kafka that keeps the last row of each
 * key.
 *
 * <p>It is written alone: a row of a key replaces the one before, and a key that goes gets a
 * tombstone. Reading it would give updates, which no source can.
 */
public final class UpsertKafkaConnector extends TopicConnector {
  public UpsertKafkaConnector() {
    super("upsert-kafka", KafkaTables.UPSERT);
  }
}
