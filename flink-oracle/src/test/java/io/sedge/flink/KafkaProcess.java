package io.sedge.flink;

import io.sedge.connector.kafka.testkit.Broker;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** A broker of Kafka in a process of its own, as its classes do not go with Flink's planner. */
final class KafkaProcess implements AutoCloseable {
  private static final Path MODULE = Path.of("..", "connectors", "kafka", "target");

  private final Process process;
  private final String bootstrap;

  KafkaProcess(Path directory) throws IOException {
    if (!Files.exists(MODULE.resolve("broker.classpath"))) {
      throw new IOException("connectors/kafka is not built: run Maven with -am");
    }
    String jars = Files.readString(MODULE.resolve("broker.classpath")).strip();
    String classes = MODULE.resolve("test-classes") + File.pathSeparator + jars;
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classes,
                Broker.class.getName(),
                directory.toString())
            .redirectError(Path.of("target", "kafka.log").toFile())
            .start();
    BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
    String line = output.readLine();
    while (line != null && !line.startsWith("localhost:")) {
      line = output.readLine();
    }
    if (line == null) {
      throw new IOException("the broker does not start; target/kafka.log may say why");
    }
    bootstrap = line;
  }

  String bootstrap() {
    return bootstrap;
  }

  void create(String topic, int partitions, Map<String, String> settings) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      admin
          .createTopics(List.of(new NewTopic(topic, partitions, (short) 1).configs(settings)))
          .all()
          .get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError("topic " + topic + " cannot be created", e);
    }
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
