package io.sedge.broker.internal;

import com.codahale.metrics.Counter;
import com.codahale.metrics.MetricRegistry;
import com.hivemq.configuration.service.InternalConfigurations;
import com.hivemq.embedded.EmbeddedExtension;
import com.hivemq.embedded.EmbeddedHiveMQ;
import com.hivemq.metrics.HiveMQMetric;
import com.hivemq.metrics.HiveMQMetrics;
import com.hivemq.migration.meta.PersistenceType;
import io.sedge.broker.BrokerException;
import io.sedge.broker.BrokerTraffic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/** HiveMQ Community Edition, running. */
public final class HiveMqBroker implements AutoCloseable {
  /** Held, since java.util.logging forgets the level of a logger that nobody holds. */
  private static final List<Logger> QUIET =
      Stream.of("com.hivemq", "io.netty", "jetbrains.exodus", "oshi", "migrations")
          .map(Logger::getLogger)
          .toList();

  /**
   * Of messages sent but not acknowledged. HiveMQ takes so many packet identifiers out of their
   * pool each time that it looks whether there is something to send, so more costs time and, near
   * 65,535, fails.
   */
  private static final int MAX_IN_FLIGHT = 1000;

  private static final String CONFIGURATION = "conf";
  private static final long LOOK_MILLIS = 10;
  private static final int CONNECT_MILLIS = 100;

  /** Of a directory in which files still come and go. */
  private static final int DELETIONS = 20;

  private final BrokerSettings settings;
  private final EmbeddedHiveMQ hiveMq;
  private final Path scratch;
  private final int port;

  /** Held, since the broker forgets it when it stops. */
  private final MetricRegistry metrics;

  private HiveMqBroker(BrokerSettings settings, EmbeddedHiveMQ hiveMq, Path scratch, int port) {
    this.settings = settings;
    this.hiveMq = hiveMq;
    this.scratch = scratch;
    this.port = port;
    this.metrics = hiveMq.getMetricRegistry();
  }

  /**
   * Starts a broker and waits until it listens.
   *
   * @throws BrokerException if it cannot
   */
  public static HiveMqBroker start(BrokerSettings settings) {
    QUIET.forEach(logger -> logger.setLevel(Level.WARNING));
    tune(settings);
    checkPortIsFree(settings);
    QueueShares shares =
        new QueueShares(
            settings.dataDirectory() == null ? Runtime.getRuntime().maxMemory() : Long.MAX_VALUE,
            settings.maxQueuedMessages());
    BrokerExtension extension = new BrokerExtension(settings.login(), shares);
    try {
      Path scratch = Files.createTempDirectory("sedge-broker");
      try {
        EmbeddedHiveMQ hiveMq = build(settings, extension, scratch, shares.limit(1));
        await(hiveMq, settings);
        // It has been read, and may hold the passwords of key stores.
        delete(scratch.resolve(CONFIGURATION));
        return new HiveMqBroker(settings, hiveMq, scratch, extension.port());
      } catch (IOException | RuntimeException e) {
        deleteAfter(e, scratch);
        throw e;
      }
    } catch (IOException e) {
      throw new BrokerException("the broker cannot write its configuration: " + e, e);
    }
  }

  private static EmbeddedHiveMQ build(
      BrokerSettings settings, BrokerExtension extension, Path scratch, long queued)
      throws IOException {
    Path configuration = Files.createDirectory(scratch.resolve(CONFIGURATION));
    Files.writeString(
        configuration.resolve("config.xml"), BrokerConfiguration.xml(settings, queued));
    Path data = settings.dataDirectory();
    if (data == null) {
      data = scratch.resolve("data");
    }
    Files.createDirectories(data);
    return EmbeddedHiveMQ.builder()
        .withConfigurationFolder(configuration)
        .withDataFolder(data)
        .withExtensionsFolder(Files.createDirectory(scratch.resolve("extensions")))
        .withEmbeddedExtension(
            EmbeddedExtension.builder()
                .withId("sedge")
                .withName("Sedge")
                .withVersion("1")
                .withAuthor("Sedge")
                .withExtensionMain(extension)
                .build())
        .withoutLoggingBootstrap()
        .build();
  }

  /**
   * Sets what HiveMQ keeps in settings of the whole process. Few buckets and no RocksDB, whose
   * buffers are sized by the machine's memory, since this broker is for one machine; and no limit
   * of 50 messages in flight, since a client that acknowledges after its own commit would get no
   * more than that from one commit to the next.
   */
  private static void tune(BrokerSettings settings) {
    InternalConfigurations.PERSISTENCE_BUCKET_COUNT.set(4);
    InternalConfigurations.PAYLOAD_PERSISTENCE_BUCKET_COUNT.set(4);
    InternalConfigurations.PAYLOAD_PERSISTENCE_TYPE.set(PersistenceType.FILE);
    InternalConfigurations.RETAINED_MESSAGE_PERSISTENCE_TYPE.set(PersistenceType.FILE);
    InternalConfigurations.JMX_REPORTER_ENABLED.set(false);
    InternalConfigurations.MAX_INFLIGHT_WINDOW_SIZE_MESSAGES = MAX_IN_FLIGHT;
    if (settings.dataDirectory() == null) {
      InternalConfigurations.PERSISTENCE_SHUTDOWN_GRACE_PERIOD_MSEC.set(50);
    }
  }

  /** HiveMQ says little about a port that is taken; this does. */
  private static void checkPortIsFree(BrokerSettings settings) {
    if (settings.port() == 0) {
      return;
    }
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(settings.address(), settings.port()));
    } catch (IOException e) {
      throw new BrokerException(
          "the broker cannot listen on %s port %d: %s; is another broker running? choose another"
                  .formatted(settings.address().getHostAddress(), settings.port(), e.getMessage())
              + " port, or 0 for any",
          e);
    }
  }

  private static void await(EmbeddedHiveMQ hiveMq, BrokerSettings settings) {
    // HiveMQ puts in a handler that ends the process; it is not its process.
    Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
    try {
      hiveMq.start().get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new BrokerException(whyNotStarted(settings, cause), cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BrokerException("the start of the broker was interrupted", e);
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(handler);
    }
  }

  /** HiveMQ says the same, StartAbortedException, of data that is in use and of any other fault. */
  private static String whyNotStarted(BrokerSettings settings, Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    if (settings.dataDirectory() != null && message.contains("persistence")) {
      return "the broker cannot use its data in %s: another broker has it, or is about to stop; wait until that one has ended, or choose another directory"
          .formatted(settings.dataDirectory());
    }
    return "the broker cannot start on %s port %d with %s: %s"
        .formatted(
            settings.address().getHostAddress(),
            settings.port(),
            settings.dataDirectory() == null
                ? "its data in memory"
                : "its data in " + settings.dataDirectory(),
            message);
  }

  public int port() {
    return port;
  }

  /** What went through it so far. */
  public BrokerTraffic traffic() {
    return new BrokerTraffic(
        count(HiveMQMetrics.INCOMING_PUBLISH_COUNT),
        count(HiveMQMetrics.OUTGOING_PUBLISH_COUNT),
        count(HiveMQMetrics.DROPPED_MESSAGE_COUNT));
  }

  private long count(HiveMQMetric<Counter> metric) {
    return metrics.counter(metric.name()).getCount();
  }

  /**
   * Disconnects all clients and frees the port. What is kept in a directory is written before it
   * returns. Of a broker that keeps all in memory nothing is left to do then, and nobody waits for
   * the two seconds that its threads take to end (HiveMQ's NettyShutdownHook).
   */
  @Override
  public void close() {
    CompletableFuture<Void> stopped =
        CompletableFuture.runAsync(
            this::stop, Thread.ofPlatform().daemon().name("sedge-broker-stop")::start);
    boolean interrupted = false;
    while (!stopped.isDone() && (settings.dataDirectory() != null || !isDisconnected())) {
      try {
        Thread.sleep(LOOK_MILLIS);
      } catch (InterruptedException e) {
        interrupted = true; // What is under way is not left half done.
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (stopped.isCompletedExceptionally()) {
      throw new BrokerException(
          "the broker did not stop cleanly: " + stopped.exceptionNow(), stopped.exceptionNow());
    }
    for (int i = 0; i < DELETIONS && Files.exists(scratch); i++) {
      deleteIfQuiet(scratch);
    }
  }

  private boolean isListening() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(settings.address(), port), CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private void stop() {
    try {
      hiveMq.close();
    } catch (ExecutionException e) {
      throw new CompletionException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      delete(scratch);
    }
  }

  /** Whether nobody is connected any more, nor can be. */
  private boolean isDisconnected() {
    Number connections =
        (Number) metrics.gauge(HiveMQMetrics.CONNECTIONS_OVERALL_CURRENT.name()).getValue();
    return connections.intValue() == 0 && !isListening();
  }

  /** Deletes now what {@link #stop} deletes in the end, if the process lives until then. */
  private static void deleteIfQuiet(Path directory) {
    try {
      delete(directory);
    } catch (UncheckedIOException e) {
      // A file came or went meanwhile.
    }
  }

  /** Deletes without hiding what has failed before. */
  private static void deleteAfter(Exception failure, Path directory) {
    try {
      delete(directory);
    } catch (UncheckedIOException e) {
      failure.addSuppressed(e);
    }
  }

  private static void delete(Path directory) {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + directory, e);
    }
  }
}
