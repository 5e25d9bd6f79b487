package io.sedge.connector.kafka.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.BindException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.jspecify.annotations.Nullable;

/** A broker of Kafka in this process, on loopback; it may be stopped and started again. */
public final class Broker implements AutoCloseable {
  private static final String CLUSTER = "c2VkZ2Uta2Fma2EtdGVzdA";
  private static final int LEAST_PORT = 20_000;
  private static final int LEAST_EPHEMERAL_PORT = 32_768;
  private static final int PORT_ATTEMPTS = 100;

  private final Map<String, String> config;
  private final int port;
  private @Nullable KafkaRaftServer server;

  private Broker(Map<String, String> config, int port) {
    this.config = config;
    this.port = port;
  }

  /** A broker that anybody may use. */
  public static Broker start(Path directory) {
    return start(directory, "PLAINTEXT", Map.of(), List.of());
  }

  /**
   * A broker with an entrance of its own.
   *
   * @param protocol of it: {@code SASL_PLAINTEXT}, {@code SSL}
   * @param more of the configuration
   * @param scram users, as {@code kafka-storage format --add-scram} takes them
   */
  public static Broker start(
      Path directory, String protocol, Map<String, String> more, List<String> scram) {
    try {
      int port = freePort();
      int own = freePort();
      int controller = freePort();
      Map<String, String> config = new HashMap<>();
      config.put("process.roles", "broker,controller");
      config.put("node.id", "1");
      config.put("controller.quorum.voters", "1@127.0.0.1:" + controller);
      config.put(
          "listeners",
          "CLIENTS://127.0.0.1:%d,OWN://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d"
              .formatted(port, own, controller));
      config.put(
          "listener.security.protocol.map",
          "CLIENTS:" + protocol + ",OWN:PLAINTEXT,CONTROLLER:PLAINTEXT");
      config.put(
          "advertised.listeners", "CLIENTS://localhost:%d,OWN://127.0.0.1:%d".formatted(port, own));
      config.put("controller.listener.names", "CONTROLLER");
      config.put("inter.broker.listener.name", "OWN");
      config.put("log.dirs", directory.toString());
      config.put("auto.create.topics.enable", "false");
      config.put("offsets.topic.num.partitions", "1");
      config.put("offsets.topic.replication.factor", "1");
      config.put("transaction.state.log.num.partitions", "1");
      config.put("transaction.state.log.replication.factor", "1");
      config.put("transaction.state.log.min.isr", "1");
      config.put("group.initial.rebalance.delay.ms", "0");
      config.put("controlled.shutdown.enable", "false");
      config.put("log.initial.task.delay.ms", "100");
      config.put("log.retention.ms", "-1"); // Records of tests are old.
      config.put("log.retention.check.interval.ms", "200");
      config.putAll(more);
      Files.createDirectories(directory);
      Formatter formatter =
          new Formatter()
              .setPrintStream(new PrintStream(OutputStream.nullOutputStream()))
              .setClusterId(CLUSTER)
              .setNodeId(1)
              .setControllerListenerName("CONTROLLER")
              .setMetadataLogDirectory(directory.toString())
              .addDirectory(directory.toString())
              .setScramArguments(new ArrayList<>(scram));
      formatter.run();
      Broker broker = new Broker(config, port);
      broker.start();
      return broker;
    } catch (Exception e) {
      throw new AssertionError("the broker does not start", e);
    }
  }

  /**
   * A broker in a process of its own, until its standard input ends. Prints what tables write as
   * {@code properties.bootstrap.servers}.
   *
   * @param arguments its directory
   */
  public static void main(String[] arguments) throws IOException {
    try (Broker broker = start(Path.of(arguments[0]))) {
      System.out.println(broker.bootstrap());
      var _ = System.in.read();
    }
  }

  /**
   * A port that the system gives to nobody by itself. One that it does may be a client's by the
   * time that the broker is started again.
   */
  private static int freePort() throws IOException {
    for (int attempt = 0; attempt < PORT_ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(LEAST_PORT, LEAST_EPHEMERAL_PORT);
      try (ServerSocket socket = new ServerSocket(port)) {
        return socket.getLocalPort();
      } catch (BindException e) {
        // It is somebody's.
      }
    }
    throw new IOException("no port from %d on is free".formatted(LEAST_PORT));
  }

  /** What tables write as {@code properties.bootstrap.servers}. */
  public String bootstrap() {
    return "localhost:" + port;
  }

  /** Starts it, again after {@link #stop}, with what it had. */
  public void start() {
    KafkaRaftServer started =
        new KafkaRaftServer(KafkaConfig.apply(config, false, false), Time.SYSTEM);
    started.startup();
    server = started;
  }

  /** Stops it; what it has stays. */
  public void stop() {
    KafkaRaftServer running = server;
    server = null;
    if (running != null) {
      running.shutdown();
      running.awaitShutdown();
    }
  }

  /** Creates a topic. */
  public void create(String topic, int partitions, Map<String, String> settings) {
    create(topic, partitions, settings, Map.of("bootstrap.servers", bootstrap()));
  }

  /** Creates a topic as a user. */
  public void create(
      String topic, int partitions, Map<String, String> settings, Map<String, Object> user) {
    try (Admin admin = Admin.create(user)) {
      admin
          .createTopics(List.of(new NewTopic(topic, partitions, (short) 1).configs(settings)))
          .all()
          .get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError("topic " + topic + " cannot be created", e);
    }
  }

  @Override
  public void close() {
    stop();
  }
}
