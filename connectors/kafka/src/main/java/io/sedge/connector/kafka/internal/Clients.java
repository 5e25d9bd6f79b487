package io.sedge.connector.kafka.internal;

import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Makes Kafka's clients as a table describes them. */
final class Clients {
  /** An outage is noticed after so long, and closing takes no longer. */
  private static final int TIMEOUT_MS = 15_000;

  /** Kafka's own shows each client to JMX under its name, which may be there twice. */
  private static final String NO_REPORTERS = "";

  private static final int FETCH_BYTES = 8 << 20;
  private static final int POLL_RECORDS = 4_000;

  private final ClientProperties client;

  Clients(ClientProperties client) {
    this.client = client;
  }

  Admin admin(String table) {
    return Admin.create(
        client.of(
            AdminClientConfig.configDef(),
            Map.of(
                "client.id",
                "sedge-" + table,
                "default.api.timeout.ms",
                TIMEOUT_MS,
                "request.timeout.ms",
                TIMEOUT_MS,
                "enable.metrics.push",
                false),
            Map.of()));
  }

  /** It belongs to no group's members; offsets are sought by who uses it. */
  Consumer<byte[], byte[]> consumer(String table) {
    return consumer(table, Map.of());
  }

  /** One that reads and writes the offsets of a group, whatever group the table names. */
  Consumer<byte[], byte[]> consumer(String table, String group) {
    return consumer(table, Map.of("group.id", group));
  }

  private Consumer<byte[], byte[]> consumer(String table, Map<String, Object> more) {
    Map<String, Object> own = new TreeMap<>(more);
    own.put("auto.offset.reset", "none");
    own.put("enable.auto.commit", false);
    own.put("allow.auto.create.topics", false);
    own.put("metric.reporters", NO_REPORTERS);
    return new KafkaConsumer<>(
        client.of(
            ConsumerConfig.configDef(),
            Map.of(
                "client.id", "sedge-" + table,
                "default.api.timeout.ms", TIMEOUT_MS,
                "request.timeout.ms", TIMEOUT_MS,
                "fetch.max.bytes", FETCH_BYTES,
                "max.poll.records", POLL_RECORDS,
                "enable.metrics.push", false),
            own),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  /**
   * One that never gives up: who uses it bounds what it holds, and watches how long it takes.
   *
   * @param more what the producer's kind needs
   */
  Producer<byte[], byte[]> producer(String table, Map<String, Object> more) {
    Map<String, Object> own = new TreeMap<>(more);
    own.put("metric.reporters", NO_REPORTERS);
    return new KafkaProducer<>(
        client.of(
            ProducerConfig.configDef(),
            Map.of(
                "client.id",
                "sedge-" + table,
                "max.block.ms",
                Integer.MAX_VALUE,
                "delivery.timeout.ms",
                Integer.MAX_VALUE,
                "request.timeout.ms",
                TIMEOUT_MS,
                "enable.metrics.push",
                false),
            own),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }
}
