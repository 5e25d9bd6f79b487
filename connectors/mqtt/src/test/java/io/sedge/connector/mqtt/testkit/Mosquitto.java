package io.sedge.connector.mqtt.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A real Mosquitto, in a process of its own; its tests are skipped where there is none. */
public final class Mosquitto implements AutoCloseable {
  private static final String IN_FLIGHT = "max_inflight_messages";

  private final Path configuration;
  private final Path log;
  private final int port;
  private Process process;

  private Mosquitto(Path configuration, Path log, int port) {
    this.configuration = configuration;
    this.log = log;
    this.port = port;
  }

  private static Optional<Path> program() {
    return Stream.of(
            "/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto", "/opt/homebrew/sbin/mosquitto")
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst();
  }

  public static boolean isInstalled() {
    return program().isPresent();
  }

  /** Starts one that keeps its data in the directory, with more lines of configuration. */
  public static Mosquitto start(Path directory, List<String> lines) {
    Stream<String> persistent =
        Stream.of(
            "persistence true",
            "persistence_location " + directory + "/",
            "autosave_on_changes true",
            "autosave_interval 1");
    return startWith(directory, Stream.concat(persistent, lines.stream()));
  }

  /** Starts one that keeps its data in memory, with more lines of configuration. */
  public static Mosquitto startForgetful(Path directory, List<String> lines) {
    return startWith(directory, Stream.concat(Stream.of("persistence false"), lines.stream()));
  }

  private static Mosquitto startWith(Path directory, Stream<String> given) {
    Assumptions.assumeTrue(isInstalled(), "mosquitto is not installed");
    try {
      int port = freePort();
      List<String> lines = given.toList();
      boolean narrow = lines.stream().anyMatch(line -> line.startsWith(IN_FLIGHT));
      Path configuration = directory.resolve("mosquitto.conf");
      List<String> all =
          Stream.concat(
                  Stream.of(
                      "listener %d 127.0.0.1".formatted(port),
                      "max_queued_messages 0",
                      narrow ? "" : IN_FLIGHT + " 1000",
                      "log_type error",
                      "log_type warning"),
                  lines.stream())
              .toList();
      Files.write(configuration, all);
      if (ProcessHandle.current().info().user().filter("root"::equals).isPresent()) {
        Files.writeString(configuration, "user root\n", StandardOpenOption.APPEND);
      }
      Mosquitto mosquitto = new Mosquitto(configuration, directory.resolve("log"), port);
      mosquitto.start();
      return mosquitto;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Starts it again after {@link #kill} or {@link #stop}. */
  public void start() {
    try {
      process =
          new ProcessBuilder(program().orElseThrow().toString(), "-c", configuration.toString())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Await.until(Duration.ofSeconds(20), this::listens, this::log);
  }

  private boolean listens() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Makes it stand still, with all connections, until it is killed: SIGSTOP. */
  public void halt() {
    try {
      end(new ProcessBuilder("kill", "-STOP", Long.toString(process.pid())).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Kills it without notice: kill -9. */
  public void kill() {
    end(process.destroyForcibly());
  }

  /** Ends it as an administrator does: it saves its data. */
  public void stop() {
    process.destroy();
    end(process);
  }

  private static void end(Process process) {
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        throw new IllegalStateException("mosquitto does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public int port() {
    return port;
  }

  public String url() {
    return "mqtt://127.0.0.1:" + port;
  }

  @Override
  public void close() {
    stop();
  }
}
