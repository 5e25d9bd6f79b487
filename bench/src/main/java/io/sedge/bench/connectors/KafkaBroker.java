package io.sedge.bench.connectors;

import io.sedge.bench.parts.SedgeProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * A broker of Kafka in a process of its own: that of the tests of connectors/kafka, as {@code
 * bench/run} builds it. Its Scala is another one than that of Flink's planner.
 */
final class KafkaBroker implements AutoCloseable {
  /** Held, so that its level stays: clients say each step that they take. */
  private static final Logger LOG = Logger.getLogger("org.apache.kafka");

  private static final Path MODULE = Path.of("..", "connectors", "kafka", "target");
  private static final String CLASS = "io.sedge.connector.kafka.testkit.Broker";
  private static final String ADDRESS = "localhost:";
  private static final Duration POLL = Duration.ofMillis(100);

  private final SedgeProcess process;
  private final String servers;

  private KafkaBroker(SedgeProcess process, String servers) {
    this.process = process;
    this.servers = servers;
  }

  static KafkaBroker start(Programs programs) throws IOException {
    LOG.setLevel(Level.WARNING);
    Path jars = MODULE.resolve("broker.classpath");
    if (!Files.exists(jars)) {
      throw new IOException(jars + " is not there: bench/run builds it for --parts=kafka");
    }
    SedgeProcess process =
        programs.start(
            "kafka",
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-cp",
                MODULE.resolve("test-classes").toAbsolutePath()
                    + File.pathSeparator
                    + Files.readString(jars).strip(),
                CLASS,
                programs.directory().resolve("kafka").toString()));
    try {
      return new KafkaBroker(process, process.awaitLine(ADDRESS));
    } catch (IOException e) {
      process.close();
      throw e;
    }
  }

  /** As tables name it. */
  String servers() {
    return servers;
  }

  void create(String topic, int partitions) throws IOException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } catch (ExecutionException e) {
      throw new IOException(e);
    }
  }

  KafkaProducer<byte[], byte[]> producer() {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", servers, "linger.ms", 20, "batch.size", 256 << 10),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  /** One that sees what is committed, from the beginning of a topic on. */
  KafkaConsumer<String, String> consumer(String topic) {
    KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                servers,
                "isolation.level",
                "read_committed",
                "enable.auto.commit",
                false),
            new StringDeserializer(),
            new StringDeserializer());
    Set<TopicPartition> partitions = new HashSet<>();
    consumer
        .partitionsFor(topic)
        .forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    return consumer;
  }

  /** Gives all values of a topic that are committed now. */
  void read(String topic, Consumer<String> values) {
    try (KafkaConsumer<String, String> consumer = consumer(topic)) {
      Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        consumer.poll(POLL).forEach(record -> values.accept(record.value()));
      }
    }
  }

  @Override
  public void close() {
    process.close();
  }
}
