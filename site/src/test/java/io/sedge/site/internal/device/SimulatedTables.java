package io.sedge.site.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Delivery;
import io.sedge.connector.Division;
import io.sedge.connector.Guarantee;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Option;
import io.sedge.connector.Part;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.SourceCounters;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Tables of the connector 'simulated'. Sources (k STRING, n BIGINT, ts TIMESTAMP(3)) are divided by
 * k; each shard counts from 0, a second of event time for each number, and can be read from any
 * position again. The table {@link #FEW} ends early. Sinks keep what is delivered.
 */
final class SimulatedTables implements ConnectorFactory {
  static final List<String> KEYS = List.of("a", "b", "c", "d", "e");

  /** The name of a table whose shards have a tenth of the readings. */
  static final String FEW = "few";

  /** How most shards are read: a few rows at a time. */
  static final Pace CALM = new Pace(150_000_000, 12, Long.MAX_VALUE);

  private final Random random;
  private final long total;
  private final Function<String, Pace> paces;

  /** Rows by table, as text, as they were delivered; tasks may run in several threads. */
  private final TreeMap<String, List<String>> delivered = new TreeMap<>();

  /** Of each table that was opened to be written. */
  private final TreeMap<String, FarEnd> farEnds = new TreeMap<>();

  /**
   * How fast a shard can be read.
   *
   * @param nanos between two batches
   * @param rows in a batch, for each key, at most
   * @param silentFrom the number from which on nothing comes, nor the end
   */
  record Pace(long nanos, int rows, long silentFrom) {
    Pace(long nanos, int rows) {
      this(nanos, rows, Long.MAX_VALUE);
    }
  }

  /** Told of what readers acknowledge. */
  Acknowledged onAcknowledge = (table, shard, upTo) -> {};

  interface Acknowledged {
    void upTo(String table, String shard, long upTo);
  }

  /**
   * @param total how many readings each shard has
   */
  SimulatedTables(Random random, long total) {
    this(random, total, _ -> CALM);
  }

  /**
   * @param total how many readings each shard has
   * @param paces of each, by its first key
   */
  SimulatedTables(Random random, long total, Function<String, Pace> paces) {
    this.random = random;
    this.total = total;
    this.paces = paces;
  }

  @Override
  public String name() {
    return "simulated";
  }

  @Override
  public List<Option> options() {
    return List.of();
  }

  @Override
  public Optional<Source> source(TableDescriptor table, ConnectorContext context) {
    return Optional.of(new CountingSource(table, KEYS, 0, total(table)));
  }

  private long total(TableDescriptor table) {
    return table.name().equals(FEW) ? total / 10 : total;
  }

  /** Of a source that is cut: some parts, of the numbers that all keys have. */
  List<Part> parts(int size) {
    List<Part> parts = new ArrayList<>();
    for (long from = 0; from < total; from += size) {
      long to = Math.min(total, from + size);
      parts.add(new Part("p" + from, "%d-%d".formatted(from, to), to - from));
    }
    return parts;
  }

  private final class CountingSource implements Source {
    private final TableDescriptor table;
    private final List<String> keys;
    private final long from;
    private final long to;

    CountingSource(TableDescriptor table, List<String> keys, long from, long to) {
      this.table = table;
      this.keys = keys;
      this.from = from;
      this.to = to;
    }

    @Override
    public boolean bounded() {
      return true;
    }

    @Override
    public Division division() {
      return new Division.ByKey(0, keys);
    }

    @Override
    public Source shard(String name) {
      int dash = name.indexOf('-');
      return dash < 0
          ? new CountingSource(table, List.of(name), from, to)
          : new CountingSource(
              table,
              keys,
              Long.parseLong(name.substring(0, dash)),
              Long.parseLong(name.substring(dash + 1)));
    }

    @Override
    public SourceReader open() {
      return new Counting(table, keys, from, to);
    }
  }

  private final class Counting implements SourceReader {
    private final TableDescriptor table;
    private final List<String> keys;
    private final long from;
    private final long to;
    private final Pace pace;
    private long next;
    private long readNanos = Long.MIN_VALUE;

    Counting(TableDescriptor table, List<String> keys, long from, long to) {
      this.table = table;
      this.keys = keys;
      this.from = from;
      this.to = to;
      this.pace = paces.apply(keys.getFirst());
      this.next = from;
    }

    @Override
    public @Nullable Batch poll(long nowNanos) {
      boolean early = readNanos != Long.MIN_VALUE && nowNanos - readNanos < pace.nanos();
      if (early || finished() || next >= pace.silentFrom()) {
        return null;
      }
      readNanos = nowNanos;
      BatchBuilder builder = new BatchBuilder(table.schema());
      for (int i = 1 + random.nextInt(pace.rows());
          i > 0 && !finished() && next < pace.silentFrom();
          i--) {
        for (String key : keys) {
          builder.addRow(key, next, next * 1_000_000);
        }
        next++;
      }
      return builder.build();
    }

    @Override
    public boolean finished() {
      return next >= to;
    }

    @Override
    public byte[] position() {
      return ByteBuffer.allocate(Long.BYTES).putLong(next).array();
    }

    @Override
    public void seek(byte[] position) {
      next = ByteBuffer.wrap(position).getLong();
    }

    @Override
    public void acknowledge(byte[] position) {
      long upTo = ByteBuffer.wrap(position).getLong();
      if (from > 0 || to < total(table)) {
        onAcknowledge.upTo(table.name(), "p" + from, upTo);
      } else {
        keys.forEach(key -> onAcknowledge.upTo(table.name(), key, upTo));
      }
    }

    @Override
    public SourceCounters counters() {
      long done = next - from;
      return new SourceCounters(done * keys.size(), done * 10, 0, 0);
    }

    @Override
    public void close() {}
  }

  @Override
  public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
    return Optional.of(
        new SinkFactory() {
          @Override
          public ChangelogMode changelogMode() {
            return ChangelogMode.ALL;
          }

          @Override
          public Guarantee guarantee() {
            return Guarantee.EXACTLY_ONCE;
          }

          @Override
          public Sink open(Delivery delivery) {
            synchronized (delivered) {
              FarEnd farEnd = farEnds.computeIfAbsent(table.name(), _ -> new FarEnd());
              farEnd.upTo = Math.max(farEnd.upTo, delivery.recoveryPoint());
              KeepingSink sink = new KeepingSink(table, farEnd);
              farEnd.writer = sink;
              return sink;
            }
          }
        });
  }

  /** What a table has got so far. */
  List<String> delivered(String table) {
    synchronized (delivered) {
      return List.copyOf(delivered.getOrDefault(table, List.of()));
    }
  }

  static String text(Batch batch, int row) {
    List<String> values = new ArrayList<>();
    for (int column = 0; column < batch.columns().size(); column++) {
      values.add(String.valueOf(batch.column(column).value(row)));
    }
    return String.join(" ", values);
  }

  /** How far a table has come; changed in one step with its rows. */
  private static final class FarEnd {
    private long upTo;

    /** The sink that was opened last. One that was opened before writes nothing any more. */
    private @Nullable KeepingSink writer;
  }

  private final class KeepingSink implements Sink {
    private final TableDescriptor table;
    private final FarEnd farEnd;
    private final List<String> unflushed = new ArrayList<>();
    private long taken;
    private long durable;

    KeepingSink(TableDescriptor table, FarEnd farEnd) {
      this.table = table;
      this.farEnd = farEnd;
      this.taken = farEnd.upTo;
      this.durable = farEnd.upTo;
    }

    @Override
    public boolean offer(NumberedBatch numbered) {
      if (random.nextInt(5) == 0) {
        return false;
      }
      assertThat(numbered.first()).as("sequence of %s", table.name()).isGreaterThan(taken);
      Batch batch = numbered.batch();
      for (int row = 0; row < batch.rows(); row++) {
        unflushed.add(text(batch, row));
      }
      taken = numbered.last();
      return true;
    }

    /** What was not flushed dies with the process. */
    @Override
    public long flush() {
      synchronized (delivered) {
        if (farEnd.writer == this && random.nextInt(3) > 0) {
          delivered.computeIfAbsent(table.name(), _ -> new ArrayList<>()).addAll(unflushed);
          unflushed.clear();
          farEnd.upTo = taken;
          durable = taken;
        }
      }
      return durable;
    }

    @Override
    public long bytes() {
      return 0;
    }

    @Override
    public void close() {}
  }
}
