package io.sedge.connector.modbus;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** A device of pymodbus, in a process of its own; its tests are skipped where there is none. */
final class Pymodbus implements AutoCloseable {
  private static final String PYTHON = "/usr/bin/python3";
  private static final String SCRIPT = "pymodbus_server.py";

  private final Path directory;
  private final String how;
  private final int port;
  private Process process;
  private String ready;

  private Pymodbus(Path directory, String how, int port) throws IOException {
    this.directory = directory;
    this.how = how;
    this.port = port;
    this.process = launch();
    this.ready = readyLine();
  }

  /**
   * Starts one.
   *
   * @param how {@code tcp}, {@code rtu-tcp} or {@code serial}
   */
  static Pymodbus start(Path directory, String how) {
    Assumptions.assumeTrue(
        isInstalled(), "python3-pymodbus and python3-serial-asyncio are not installed");
    try (InputStream script = Pymodbus.class.getResourceAsStream(SCRIPT)) {
      if (script == null) {
        throw new IllegalStateException(SCRIPT + " is missing");
      }
      Files.write(directory.resolve(SCRIPT), script.readAllBytes());
      return new Pymodbus(directory, how, freePort());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isInstalled() {
    if (!Files.isExecutable(Path.of(PYTHON))) {
      return false;
    }
    try {
      Process process =
          new ProcessBuilder(PYTHON, "-c", "import pymodbus.server")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private Process launch() throws IOException {
    return new ProcessBuilder(
            List.of(PYTHON, directory.resolve(SCRIPT).toString(), how, Integer.toString(port)))
        .redirectError(ProcessBuilder.Redirect.appendTo(directory.resolve("log").toFile()))
        .start();
  }

  private String readyLine() throws IOException {
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    String line = output.readLine();
    if (line == null || !line.startsWith("ready")) {
      throw new IOException(
          "pymodbus says " + line + "; " + Files.readString(directory.resolve("log")));
    }
    if (!how.equals("serial")) {
      Drain.until("pymodbus listens", this::listens);
    }
    return line;
  }

  private boolean listens() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  String url() {
    return how.equals("serial")
        ? "modbus-rtu://%s?baud=19200&parity=none".formatted(ready.substring("ready ".length()))
        : "modbus-%s://127.0.0.1:%d".formatted(how, port);
  }

  /** Kills it without notice: kill -9. */
  void kill() {
    try {
      if (!process.destroyForcibly().waitFor(20, TimeUnit.SECONDS)) {
        throw new IllegalStateException("pymodbus does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Starts it again after {@link #kill}, under the same address. */
  void startAgain() {
    try {
      process = launch();
      ready = readyLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    kill();
  }
}
