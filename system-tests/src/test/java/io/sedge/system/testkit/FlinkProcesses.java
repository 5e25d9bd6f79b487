package io.sedge.system.testkit;

import io.sedge.connector.mqtt.testkit.Await;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Assumptions;

/**
 * A cluster of Flink's: a JobManager and a TaskManager, each a process, of the jars that Maven has.
 * It lacks the connector {@code kafka}, as Flink's distribution does. Its REST has TLS, with a
 * certificate that it has signed itself and that names 127.0.0.1 alone.
 */
public final class FlinkProcesses implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String PASSWORD = "changeit";
  private static final List<String> KAFKA = List.of("flink-connector-kafka-", "kafka-clients-");
  private static final List<String> OPENED =
      List.of("java.util", "java.lang", "java.time", "java.nio", "sun.nio.ch");

  private final Path directory;
  private final List<Path> jars;
  private final int port;
  private final List<Process> processes = new ArrayList<>();
  private final HttpClient http;

  private FlinkProcesses(Path directory, List<Path> jars, int port) {
    this.directory = directory;
    this.jars = jars;
    this.port = port;
    this.http = HttpClient.newBuilder().sslContext(certify()).build();
  }

  /** Makes the certificate; returns TLS that trusts it. */
  private SSLContext certify() {
    Path store = directory.resolve("rest.p12");
    keytool(
        store, "-genkeypair", "-keyalg", "EC", "-dname", "CN=flink", "-ext", "SAN=ip:127.0.0.1");
    keytool(store, "-exportcert", "-rfc", "-file", certificate().toString());
    try {
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray()));
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void keytool(Path store, String... words) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(words));
    command.addAll(List.of("-alias", "rest", "-keystore", store.toString()));
    command.addAll(List.of("-storepass", PASSWORD));
    try {
      Files.createDirectories(directory);
      Path said = directory.resolve("keytool.log");
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(said.toFile())
              .start();
      awaitEnd(process);
      if (process.exitValue() != 0) {
        throw new AssertionError(Files.readString(said));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Starts one with two slots; the test is skipped where Flink's jars are absent.
   *
   * @param directory for what it keeps and says
   * @param environment more variables of the JobManager
   */
  public static FlinkProcesses start(Path directory, Map<String, String> environment) {
    Path classPath = Sedge.project().resolve("flink-oracle/target/flink.classpath");
    Assumptions.assumeTrue(Files.exists(classPath), classPath + " is absent: run Maven with -am");
    try {
      List<Path> jars =
          Stream.of(Files.readString(classPath).strip().split(File.pathSeparator))
              .map(Path::of)
              .toList();
      Assumptions.assumeTrue(
          jars.stream().allMatch(Files::exists), "some of Flink's jars are absent: run Maven");
      FlinkProcesses cluster = new FlinkProcesses(directory, jars, SiteProcesses.freePorts());
      cluster.configure();
      cluster.process(
          "jobmanager",
          "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
          environment);
      cluster.process(
          "taskmanager", "org.apache.flink.runtime.taskexecutor.TaskManagerRunner", Map.of());
      Await.until(
          PATIENCE,
          () -> cluster.get("/overview").contains("\"slots-available\":2"),
          () -> "two slots: " + cluster.get("/overview") + cluster.said());
      return cluster;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Memory has to be said where Flink's scripts do not compute it. */
  private void configure() throws IOException {
    Files.createDirectories(directory.resolve("tmp"));
    Files.writeString(
        directory.resolve("config.yaml"),
        """
        jobmanager.rpc.address: 127.0.0.1
        jobmanager.rpc.port: %d
        jobmanager.bind-host: 127.0.0.1
        taskmanager.host: 127.0.0.1
        taskmanager.bind-host: 127.0.0.1
        rest.address: 127.0.0.1
        rest.bind-address: 127.0.0.1
        rest.port: %d
        rest.bind-port: "%d"
        security.ssl.rest.enabled: true
        security.ssl.rest.keystore: %s
        security.ssl.rest.keystore-password: %s
        security.ssl.rest.key-password: %s
        security.ssl.rest.truststore: %s
        security.ssl.rest.truststore-password: %s
        io.tmp.dirs: %s
        web.upload.dir: %s
        taskmanager.numberOfTaskSlots: 2
        taskmanager.cpu.cores: 1.0
        taskmanager.memory.task.heap.size: 128m
        taskmanager.memory.task.off-heap.size: 0m
        taskmanager.memory.network.min: 32m
        taskmanager.memory.network.max: 32m
        taskmanager.memory.managed.size: 32m
        taskmanager.memory.framework.heap.size: 64m
        taskmanager.memory.framework.off-heap.size: 64m
        taskmanager.memory.jvm-metaspace.size: 256m
        taskmanager.memory.jvm-overhead.min: 64m
        taskmanager.memory.jvm-overhead.max: 64m
        """
            .formatted(
                port + 1,
                port,
                port,
                directory.resolve("rest.p12"),
                PASSWORD,
                PASSWORD,
                directory.resolve("rest.p12"),
                PASSWORD,
                directory.resolve("tmp"),
                uploads()));
  }

  private void process(String name, String main, Map<String, String> environment)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx400m",
            "-XX:MaxMetaspaceSize=300m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Djava.io.tmpdir=" + directory.resolve("tmp")));
    OPENED.forEach(opened -> command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED"));
    List<String> own =
        jars.stream()
            .map(Path::toString)
            .filter(jar -> KAFKA.stream().noneMatch(jar::contains))
            .toList();
    command.addAll(List.of("-cp", String.join(File.pathSeparator, own) + logging(), main));
    command.addAll(List.of("--configDir", directory.toString()));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    Path log = directory.resolve(name + ".log");
    processes.add(builder.redirectErrorStream(true).redirectOutput(log.toFile()).start());
  }

  /** The command's own way to log, so that a failure has reasons. */
  private static String logging() throws IOException {
    try (Stream<Path> libraries = Files.list(Sedge.project().resolve("cli/target/sedge/lib"))) {
      return libraries
          .filter(jar -> jar.getFileName().toString().startsWith("slf4j-jdk14"))
          .findFirst()
          .map(jar -> File.pathSeparator + jar)
          .orElse("");
    }
  }

  /** The JobManager's address. */
  public String address() {
    return "https://127.0.0.1:" + port;
  }

  /** A name of this machine that the certificate does not have. */
  public String addressOfAnotherName() {
    return "https://localhost:" + port;
  }

  /** The certificate of the REST, PEM. */
  public Path certificate() {
    return directory.resolve("rest.pem");
  }

  /** All of Flink's jars. */
  public List<Path> jars() {
    return jars;
  }

  /** The jars of the connector that it lacks. */
  public List<Path> kafkaJars() {
    return jars.stream()
        .filter(jar -> KAFKA.stream().anyMatch(jar.getFileName().toString()::startsWith))
        .toList();
  }

  private Path uploads() {
    return directory.resolve("uploads");
  }

  /** The files that were uploaded and are still there. */
  public List<Path> uploaded() {
    try (Stream<Path> files = Files.walk(uploads())) {
      return files.filter(Files::isRegularFile).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the JobManager answers; empty if it does not. */
  public String get(String path) {
    try {
      return http.send(
              HttpRequest.newBuilder(URI.create(address() + path))
                  .timeout(Duration.ofSeconds(10))
                  .build(),
              BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  /** Ends the JobManager as a crash would. */
  public void killJobManager() {
    processes.getFirst().destroyForcibly();
    awaitEnd(processes.getFirst());
  }

  /** The end of what both have said. */
  public String said() {
    StringBuilder said = new StringBuilder();
    for (String name : List.of("jobmanager.log", "taskmanager.log")) {
      try {
        String log = Files.readString(directory.resolve(name));
        said.append("%n%s:%n%s".formatted(name, log.substring(Math.max(0, log.length() - 6_000))));
      } catch (IOException e) {
        said.append(e);
      }
    }
    return said.toString();
  }

  private static void awaitEnd(Process process) {
    try {
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("does not end: " + process.info());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
    processes.forEach(Process::destroyForcibly);
    processes.forEach(FlinkProcesses::awaitEnd);
  }
}
