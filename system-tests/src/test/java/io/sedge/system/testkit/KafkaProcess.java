package io.sedge.system.testkit;

import io.sedge.connector.kafka.testkit.Broker;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Assumptions;

/** A broker of Kafka in a process of its own. */
public final class KafkaProcess implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 30;

  private final Process process;
  private final String bootstrap;

  private KafkaProcess(Process process, String bootstrap) {
    this.process = process;
    this.bootstrap = bootstrap;
  }

  /**
   * Starts one; the test is skipped where its module is not built.
   *
   * @param directory for what it keeps and says
   */
  public static KafkaProcess start(Path directory) {
    Path module = Sedge.project().resolve("connectors/kafka/target");
    Path classPath = module.resolve("broker.classpath");
    Assumptions.assumeTrue(Files.exists(classPath), classPath + " is absent: run Maven with -am");
    try {
      Files.createDirectories(directory);
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx256m",
                  "-XX:+UseSerialGC",
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  module.resolve("test-classes")
                      + File.pathSeparator
                      + Files.readString(classPath).strip(),
                  Broker.class.getName(),
                  directory.resolve("data").toString())
              .redirectError(directory.resolve("err").toFile())
              .start();
      BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
      String line = output.readLine();
      while (line != null && !line.startsWith("localhost:")) {
        line = output.readLine();
      }
      if (line == null) {
        throw new AssertionError(
            "the broker does not start: " + Files.readString(directory.resolve("err")));
      }
      return new KafkaProcess(process, line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What tables write as {@code properties.bootstrap.servers}. */
  public String bootstrap() {
    return bootstrap;
  }

  /** Creates a topic. */
  public void create(String topic, int partitions) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all().get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError("topic " + topic + " cannot be created", e);
    }
  }

  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (IOException | InterruptedException e) {
      process.destroyForcibly();
    }
  }
}
