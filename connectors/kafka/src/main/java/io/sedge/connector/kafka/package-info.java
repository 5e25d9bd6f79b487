/**
 * The connectors {@code kafka} and {@code upsert-kafka}: topics of Apache Kafka as tables. Read
 * {@link io.sedge.connector.kafka.KafkaConnector} first; then, in {@code internal}, {@code
 * KafkaReader} and {@code KafkaSink}. Each open table has one thread for its client, which is the
 * only one that calls it; rows are made and taken on the task's thread.
 */
@NullMarked
package io.sedge.connector.kafka;

import org.jspecify.annotations.NullMarked;
