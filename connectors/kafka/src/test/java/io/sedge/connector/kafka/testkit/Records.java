package io.sedge.connector.kafka.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** Writes records to topics, and reads what others can read there, as text. */
public final class Records {
  private static final Duration POLL = Duration.ofMillis(50);

  private final Map<String, Object> client;

  /**
   * @param client how brokers are reached: {@code bootstrap.servers} and more
   */
  public Records(Map<String, Object> client) {
    this.client = Map.copyOf(client);
  }

  /** A record to be written. */
  public record Text(int partition, long timestamp, @Nullable String key, @Nullable String value) {}

  /** Writes records, in order, and waits for them. */
  public void write(String topic, List<Text> records) {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(client, new StringSerializer(), new StringSerializer())) {
      List<Future<?>> written = new ArrayList<>();
      for (Text text : records) {
        written.add(
            producer.send(
                new ProducerRecord<>(
                    topic, text.partition(), text.timestamp(), text.key(), text.value())));
      }
      producer.flush();
      for (Future<?> one : written) {
        one.get();
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  /** All that a reader of committed records finds, partition by partition. */
  public List<ConsumerRecord<String, String>> read(String topic) {
    Map<String, Object> config = new java.util.HashMap<>(client);
    config.put("isolation.level", "read_committed");
    config.put("enable.auto.commit", false);
    List<ConsumerRecord<String, String>> records = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
      Set<TopicPartition> partitions = new HashSet<>();
      consumer
          .partitionsFor(topic)
          .forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
        consumer.poll(POLL).forEach(records::add);
      }
    }
    return records;
  }

  /** The values of {@link #read}. */
  public List<String> values(String topic) {
    return read(topic).stream().map(ConsumerRecord::value).toList();
  }
}
