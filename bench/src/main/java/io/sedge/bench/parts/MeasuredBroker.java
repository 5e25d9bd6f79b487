package io.sedge.bench.parts;

import io.sedge.bench.mqtt.Broker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A broker for the time of a measurement: the one that README starts, or Mosquitto. */
public final class MeasuredBroker implements AutoCloseable {
  private static final String EMBEDDED = "embedded";
  private static final String MOSQUITTO = "mosquitto";

  /** The kinds that there are. */
  public static final List<String> KINDS = List.of(EMBEDDED, MOSQUITTO);

  private static final String SAYS = "the broker listens on mqtt://";

  private final AutoCloseable program;
  private final int port;

  private MeasuredBroker(AutoCloseable program, int port) {
    this.program = program;
    this.port = port;
  }

  /**
   * Starts one.
   *
   * @param kind of {@link #KINDS}
   * @param sedge the command
   * @param directory for what it says and keeps
   */
  static MeasuredBroker start(String kind, Path sedge, Path directory) throws IOException {
    if (kind.equals(MOSQUITTO)) {
      return mosquitto(directory);
    }
    Path log = directory.resolve("broker.log");
    SedgeProcess process =
        new SedgeProcess(sedge, Map.of(), directory, log, "broker", "--port", "0");
    try {
      String line = process.awaitLine(SAYS);
      String address = line.substring(line.indexOf(SAYS) + SAYS.length());
      return new MeasuredBroker(
          process, Integer.parseInt(address.substring(address.lastIndexOf(':') + 1).strip()));
    } catch (IOException | RuntimeException e) {
      process.close();
      throw e;
    }
  }

  private static MeasuredBroker mosquitto(Path directory) throws IOException {
    if (Broker.program().isEmpty()) {
      throw new IOException("--broker=mosquitto: mosquitto is not installed");
    }
    try {
      Broker broker = Broker.start(directory);
      return new MeasuredBroker(broker, broker.port());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  int port() {
    return port;
  }

  String url() {
    return "mqtt://localhost:" + port;
  }

  @Override
  public void close() throws IOException {
    try {
      program.close();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }
}
