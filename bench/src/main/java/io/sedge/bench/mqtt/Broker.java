package io.sedge.bench.mqtt;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/** A Mosquitto on loopback that keeps its data in memory and any number of messages. */
public final class Broker implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Process process;
  private final int port;

  private Broker(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  public static Optional<Path> program() {
    return Stream.of(
            "/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto", "/opt/homebrew/sbin/mosquitto")
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst();
  }

  public static Broker start(Path directory) throws IOException, InterruptedException {
    int port = freePort();
    Path configuration = directory.resolve("bench-mosquitto.conf");
    Files.writeString(
        configuration,
        """
        listener %d 127.0.0.1
        allow_anonymous true
        persistence false
        max_queued_messages 0
        max_inflight_messages 1000
        set_tcp_nodelay true
        log_dest none
        """
            .formatted(port));
    Process process =
        new ProcessBuilder(program().orElseThrow().toString(), "-c", configuration.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("bench-mosquitto.log").toFile())
            .start();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!listens(port)) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        process.destroy();
        throw new IOException("mosquitto does not listen; see " + directory);
      }
      Thread.sleep(20);
    }
    return new Broker(process, port);
  }

  public int port() {
    return port;
  }

  /** Processor time so far. */
  long cpuNanos() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    process.destroy();
  }
}
