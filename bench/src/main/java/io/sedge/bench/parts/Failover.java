package io.sedge.bench.parts;

import io.sedge.bench.Directories;
import io.sedge.bench.outside.MqttRelay;
import io.sedge.bench.parts.ReadingLog.Stage;
import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SiteException;
import io.sedge.site.api.SiteStatus;
import io.sedge.site.api.TaskStatus;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How long each shard of a site stands still when a device is killed or stopped, comes back, or is
 * drained. Every reading is numbered; it is committed when a device acknowledges it, which {@link
 * MqttRelay} sees, and has arrived when its row is in the sink's file. Devices are asked nothing
 * that counts.
 */
public final class Failover {
  private static final List<String> DEVICES = List.of("a", "b", "c");

  /** As many as {@code examples/site.sql} has; with merge and delivery nine tasks. */
  private static final int SHARDS = 7;

  private static final int PER_SECOND = 260;

  /** A window is complete with readings that are so much later than its end. */
  static final long WATERMARK_MILLIS = 200;

  private static final Pattern NUMBER = Pattern.compile("\"seq\":(\\d+)");

  /** For so long after each event readings are watched. */
  private static final long WATCHED_NANOS = 10_000_000_000L;

  private static final long WARM_UP_NANOS = 30_000_000_000L;
  private static final long PATIENCE_NANOS = 90_000_000_000L;
  private static final long POLL_NANOS = 10_000_000;
  private static final int CONTROLS = 3;

  private static final String COMMITTED = "first commit after it";
  private static final String SHOWN = "first row after it";
  private static final String WAIT = "a reading's commit, longest";
  private static final String ROW_WAIT = "a reading's row, longest";
  private static final String MERGED = "a merged window's row, longest";

  private final Path sedge;
  private final Path directory;
  private final Plan plan;
  private final PrintStream progress;
  private final ReadingLog log = new ReadingLog(SHARDS, Clock.systemUTC().millis());
  private final MergedWindows merged = new MergedWindows(log, WATERMARK_MILLIS);
  private final Waits waits = new Waits();
  private long begun;

  /**
   * What is to be measured.
   *
   * @param kills how often a device is killed
   * @param moves how often a device is drained, and how often one is stopped
   * @param broker of {@link MeasuredBroker#KINDS}
   * @param qos of MQTT
   */
  public record Plan(int kills, int moves, String broker, int qos) {}

  private interface Action {
    void run() throws IOException, SiteException;
  }

  /**
   * @param directory is made and removed
   */
  public Failover(Path sedge, Path directory, Plan plan, PrintStream progress) {
    this.sedge = sedge.toAbsolutePath();
    this.directory = directory.toAbsolutePath();
    this.plan = plan;
    this.progress = progress;
  }

  /** Measures, and prints a table. */
  public void run(PrintStream out) throws IOException {
    Directories.remove(directory);
    Files.createDirectories(directory);
    try (MeasuredBroker broker = MeasuredBroker.start(plan.broker(), sedge, directory);
        MqttRelay relay =
            new MqttRelay(
                broker.port(),
                NUMBER,
                number -> log.reached(Stage.COMMITTED, number, System.nanoTime()))) {
      try (DeviceProcesses devices = devices();
          SinkWatch _ = new SinkWatch(directory, log, merged)) {
        submit(devices, relay.port());
        try (Feeder _ = new Feeder(broker.port(), log, SHARDS, plan.qos(), PER_SECOND)) {
          measure(devices);
        }
        awaitEnd();
      }
    } catch (SiteException e) {
      throw new IOException(e);
    }
    out.printf("Failover: three devices, %s broker, QoS %d%n%n", plan.broker(), plan.qos());
    out.println(waits.table());
    out.println(SinkAudit.of(directory, log, begun));
    Directories.remove(directory);
  }

  /** What never comes is counted by {@link SinkAudit}. */
  private void awaitEnd() {
    long last = SinkAudit.lastWindow(log);
    var _ = await(() -> log.isComplete(Stage.SHOWN, begun, Long.MAX_VALUE) && merged.has(last));
  }

  private DeviceProcesses devices() throws IOException, SiteException {
    return new DeviceProcesses(
        sedge,
        Map.of("TZ", "UTC"),
        DEVICES.stream()
            .map(name -> new DeviceProcesses.Member(name, directory, Path.of(name), List.of()))
            .toList());
  }

  private void submit(DeviceProcesses devices, int port) throws IOException, SiteException {
    try (DeviceConnection first = devices.connect(0)) {
      first.submit(
          "bench",
          """
          SET 'table.local-time-zone' = 'UTC';
          CREATE TABLE readings (
            machine STRING, seq BIGINT, ts BIGINT, event_time AS TO_TIMESTAMP_LTZ(ts, 3),
            WATERMARK FOR event_time AS event_time - INTERVAL '0.%d' SECOND
          ) WITH (
            'connector' = 'mqtt', 'url' = 'mqtt://127.0.0.1:%d', 'topic' = 'bench/{machine}',
            'qos' = '%d', 'format' = 'json', 'shard.by' = 'machine', 'shard.values' = '%s');
          CREATE TABLE each_reading (machine STRING, seq BIGINT)
            WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'csv');
          CREATE TABLE windows (window_end STRING, readings BIGINT)
            WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'csv');
          EXECUTE STATEMENT SET BEGIN
          INSERT INTO each_reading SELECT machine, seq FROM readings;
          INSERT INTO windows SELECT DATE_FORMAT(window_end, 'yyyyMMddHHmmss'), COUNT(*)
            FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(event_time), INTERVAL '1' SECOND))
            GROUP BY window_start, window_end;
          END;
          """
              .formatted(
                  WATERMARK_MILLIS / 100,
                  port,
                  plan.qos(),
                  IntStream.range(0, SHARDS)
                      .mapToObj(Feeder::shard)
                      .collect(Collectors.joining(";")),
                  SinkWatch.ROWS,
                  SinkWatch.WINDOWS));
    }
  }

  private void measure(DeviceProcesses devices) throws IOException, SiteException {
    long begin = System.nanoTime();
    awaitAll("after the start", begin);
    begun = System.nanoTime();
    LockSupport.parkNanos(WARM_UP_NANOS);
    long seed = System.nanoTime();
    progress.printf("failover: seed %d%n", seed);
    Random random = new Random(seed);
    for (int i = 0; i < CONTROLS; i++) {
      happen("nothing", () -> {});
    }
    for (int i = 0; i < plan.kills(); i++) {
      int device = random.nextInt(DEVICES.size());
      tell(devices, device, "kill -9, %d of %d".formatted(i + 1, plan.kills()));
      happen("kill -9", () -> devices.kill(device));
      happen("started again", () -> startAgain(devices, device));
    }
    for (int i = 0; i < plan.moves(); i++) {
      int device = random.nextInt(DEVICES.size());
      String name = devices.name(device);
      tell(devices, device, "drain, %d of %d".formatted(i + 1, plan.moves()));
      try (DeviceConnection connection = devices.connect(device)) {
        happen("drain", () -> connection.drain(name));
        happen("undrain", () -> connection.undrain(name));
      }
      tell(devices, device, "SIGTERM, %d of %d".formatted(i + 1, plan.moves()));
      happen("SIGTERM", () -> devices.stop(device));
      happen("started again", () -> startAgain(devices, device));
    }
  }

  private static void startAgain(DeviceProcesses devices, int device)
      throws IOException, SiteException {
    devices.startAgain(device);
    devices.connect(device).close();
  }

  /** What a device has before something befalls it. */
  private void tell(DeviceProcesses devices, int device, String what)
      throws IOException, SiteException {
    String name = devices.name(device);
    try (DeviceConnection connection = devices.connect((device + 1) % DEVICES.size())) {
      SiteStatus status = connection.status();
      progress.printf(
          "failover: %s: %s%s, which has %s%n",
          what,
          name,
          status.leader().equals(name) ? ", the leader" : "",
          status.tasks().stream()
              .filter(task -> task.device().equals(name))
              .map(TaskStatus::shard)
              .collect(Collectors.joining(" ")));
    }
  }

  /** Makes something happen, and watches all shards for some seconds from then on. */
  private void happen(String event, Action action) throws IOException, SiteException {
    long begin = System.nanoTime();
    action.run();
    awaitAll("after " + event, begin);
    long end = begin + WATCHED_NANOS;
    LockSupport.parkNanos(end - System.nanoTime());
    boolean complete = await(() -> log.isComplete(Stage.SHOWN, begin, end));
    if (!complete && plan.qos() > 0) {
      progress.printf("failover: after %s readings are missing that were sent after it%n", event);
    }
    waits.begin();
    for (int shard = 0; shard < SHARDS; shard++) {
      String name = Feeder.shard(shard);
      add(event, COMMITTED, name, log.first(Stage.COMMITTED, shard, begin));
      add(event, SHOWN, name, log.first(Stage.SHOWN, shard, begin));
      add(event, WAIT, name, log.longestWait(Stage.COMMITTED, shard, begin, end));
      add(event, ROW_WAIT, name, log.longestWait(Stage.SHOWN, shard, begin, end));
    }
    add(event, MERGED, "merge", merged.longestDelay(begin, end));
    progress.printf("  %s: %s%n", event, waits.last());
  }

  private void add(String event, String what, String shard, long nanos) {
    if (nanos > 0) { // at QoS 0 nothing is acknowledged
      waits.add(event, what, shard, nanos);
    }
  }

  /** Waits until a reading of each shard that was sent after a time has come to the sink. */
  private void awaitAll(String when, long since) throws IOException {
    boolean all =
        await(
            () ->
                merged.hasSince(since)
                    && IntStream.range(0, SHARDS)
                        .allMatch(shard -> log.first(Stage.SHOWN, shard, since) >= 0));
    if (!all) {
      throw new IOException(
          "%s no reading of these shards came to the sink within %d s: %s"
              .formatted(
                  when,
                  PATIENCE_NANOS / 1_000_000_000,
                  IntStream.range(0, SHARDS)
                      .filter(shard -> log.first(Stage.SHOWN, shard, since) < 0)
                      .mapToObj(Feeder::shard)
                      .toList()));
    }
  }

  private static boolean await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    return true;
  }
}
