package io.sedge.bench;

import com.sun.management.OperatingSystemMXBean;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Connectors;
import io.sedge.connector.Keep;
import io.sedge.connector.Keeper;
import io.sedge.connector.SourceCounters;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * What it costs to keep readings, what they take on the disk, and how fast they are read again: a
 * time, an id of 25 letters (1,000 sensors), a number. Processor time is that of the process, of
 * which the task's thread has a part; the rest makes segments.
 *
 * <pre>
 * java io.sedge.bench.HistoryBenchmark [directory] [millions of readings] [laps]
 * </pre>
 */
final class HistoryBenchmark {
  private static final Schema SCHEMA =
      Schema.builder()
          .add("id", Type.STRING)
          .add("ts", Type.timestamp(3))
          .add("val", Type.DOUBLE)
          .build();
  private static final int BATCHES = Readings.CYCLE / Batch.TARGET_ROWS;

  private final PrintStream out = System.out;
  private final Path directory;
  private final long readings;
  private final Keeper keeper;
  private final ConnectorFactory history;
  private final Readings input = new Readings();
  private final List<Batch> cycle = new ArrayList<>();
  private final OperatingSystemMXBean process =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private HistoryBenchmark(Path directory, long readings) {
    this.directory = directory;
    this.readings = readings;
    this.history =
        Objects.requireNonNull(
            Connectors.installed(HistoryBenchmark.class.getClassLoader()).byName().get("history"));
    this.keeper = (Keeper) history;
    for (int batch = 0; batch < BATCHES; batch++) {
      BatchBuilder builder = new BatchBuilder(SCHEMA);
      for (int row = 0; row < Batch.TARGET_ROWS; row++) {
        long i = (long) batch * Batch.TARGET_ROWS + row;
        builder.addRow(input.id(i), Readings.timeMs(i) * 1000, input.value(i));
      }
      cycle.add(builder.build());
    }
  }

  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args.length > 0 ? args[0] : "target/history-bench");
    long millions = args.length > 1 ? Long.parseLong(args[1]) : 8;
    int laps = args.length > 2 ? Integer.parseInt(args[2]) : 3;
    HistoryBenchmark benchmark = new HistoryBenchmark(directory, millions * 1_000_000);
    for (int lap = 0; lap < laps; lap++) {
      benchmark.lap(lap == laps - 1);
    }
  }

  private void lap(boolean last) throws IOException {
    Directories.remove(directory);
    Cost without = read(new Laps());
    Cost kept = read(keeping(new Laps()));
    long bytes = bytes();
    Cost all = scan(Map.of("table", "readings"));
    long middle = Readings.timeMs(readings / 2);
    Cost part =
        scan(
            Map.of(
                "table",
                "readings",
                "scan.from",
                instant(middle),
                "scan.to",
                instant(middle + readings / 10_000)));
    if (last) {
      print(without, kept, bytes, all, part);
    }
    Directories.remove(directory);
  }

  private static String instant(long ms) {
    return Instant.ofEpochMilli(ms).toString();
  }

  private void print(Cost without, Cost kept, long bytes, Cost all, Cost part) {
    Table table = new Table("", "CPU ns/reading", "of them the task", "M readings/s");
    without.addTo(table, "read, not kept");
    kept.addTo(table, "read and kept");
    all.addTo(table, "history, all of it");
    out.println(table);
    double json = 0;
    for (byte[] payload : input.payloads()) {
      json += payload.length;
    }
    out.printf(
        "%,d readings; on the disk %.2f bytes each, of %.1f as JSON; a hundredth of the time"
            + " (%,d readings) in %,d ms; heap %d MB%n",
        readings,
        (double) bytes / readings,
        json / Readings.CYCLE,
        part.rows,
        part.nanos / 1_000_000,
        Runtime.getRuntime().maxMemory() >> 20);
  }

  /** What some readings cost. */
  private record Cost(long rows, long nanos, long processNanos, long taskNanos) {
    void addTo(Table table, String name) {
      table.row(
          name,
          Table.number((double) processNanos / rows),
          Table.number((double) taskNanos / rows),
          Table.number(1e3 * rows / nanos));
    }
  }

  private Cost read(SourceReader reader) {
    long begin = System.nanoTime();
    long processBegin = process.getProcessCpuTime();
    long taskBegin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    long rows = 0;
    for (int polls = 1; rows < readings; polls++) {
      Batch batch = reader.poll(System.nanoTime());
      if (batch == null) {
        // A task commits when it has nothing to read, and rests for a moment.
        reader.acknowledge(reader.position());
        LockSupport.parkNanos(1_000_000);
        continue;
      }
      rows += batch.rows();
      if (polls % BATCHES == 0) {
        reader.acknowledge(reader.position());
      }
    }
    reader.acknowledge(reader.position());
    long taskNanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - taskBegin;
    reader.close();
    return new Cost(
        rows, System.nanoTime() - begin, process.getProcessCpuTime() - processBegin, taskNanos);
  }

  private Cost scan(Map<String, String> options) {
    TableDescriptor past =
        new TableDescriptor("past", SCHEMA, Map.of(), List.of(), List.of(), options, "bench:1");
    long begin = System.nanoTime();
    long processBegin = process.getProcessCpuTime();
    long taskBegin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    long rows = 0;
    try (SourceReader reader = history.source(past, new Context(directory)).orElseThrow().open()) {
      while (!reader.finished()) {
        Batch batch = reader.poll(System.nanoTime());
        rows += batch == null ? 0 : batch.rows();
      }
    }
    return new Cost(
        rows,
        System.nanoTime() - begin,
        process.getProcessCpuTime() - processBegin,
        ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - taskBegin);
  }

  private SourceReader keeping(SourceReader reader) {
    TableDescriptor table =
        new TableDescriptor("readings", SCHEMA, Map.of(), List.of(), List.of(), Map.of(), "bench");
    Keep keep = Keep.of("readings", Map.of(Keep.AGE, "7 d", "keep.reserve", "0 b"), SCHEMA, 1);
    return keeper.keeping(
        reader, new Keeper.Kept("bench", table, "all", keep), new Context(directory));
  }

  private long bytes() throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }

  /** The readings of a cycle again and again, with times that go on. */
  private final class Laps implements SourceReader {
    private long batches;

    @Override
    public Batch poll(long nowNanos) {
      Batch batch = cycle.get((int) (batches % BATCHES));
      long lap = batches++ / BATCHES;
      long[] times = ((LongColumn) batch.column(1)).values().clone();
      long later = (Readings.timeMs(lap * Readings.CYCLE) - Readings.START_MS) * 1000;
      for (int row = 0; row < times.length; row++) {
        times[row] += later;
      }
      return batch.withColumns(
          List.of(batch.column(0), new LongColumn(times, null, batch.rows()), batch.column(2)));
    }

    @Override
    public boolean finished() {
      return false;
    }

    @Override
    public byte[] position() {
      return ByteBuffer.allocate(8).putLong(batches).array();
    }

    @Override
    public void seek(byte[] position) {}

    @Override
    public void acknowledge(byte[] position) {}

    @Override
    public SourceCounters counters() {
      return new SourceCounters(batches * Batch.TARGET_ROWS, 0, 0, 0);
    }

    @Override
    public void close() {}
  }

  /** What a connector asks for. */
  private record Context(Path directory) implements ConnectorContext {
    @Override
    public Path data() {
      return directory;
    }

    @Override
    public InstantSource clock() {
      return InstantSource.system();
    }

    @Override
    public void wakeUp() {}

    @Override
    public void malformed(String table, String origin, byte[] payload, String reason) {}

    @Override
    public void report(Severity severity, String message) {
      System.err.println(message);
    }
  }
}
