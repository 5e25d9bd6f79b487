package io.sedge.division;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.codec.RowsCodec;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.operator.Output;
import io.sedge.engine.operator.Pipeline;
import io.sedge.engine.state.StateWriter;
import io.sedge.engine.type.Schema;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A fragment that runs, commits, dies at any moment and goes on from its last commit, as a task of
 * a site does: what it has not committed is gone.
 */
final class SimulatedTask {
  private static final int MAX_BATCH = 12;

  /** What shards have given and committed for one exchange table, by the shard's fragment. */
  static final class Channel {
    private final Schema schema;
    private final Map<String, List<Entry>> entries = new TreeMap<>();
    private long rows;

    Channel(Schema schema) {
      this.schema = schema;
    }

    void addProducer(String fragment) {
      entries.put(fragment, new ArrayList<>());
    }

    long rows() {
      return rows;
    }
  }

  /** Rows as bytes, or a watermark where there are none. */
  private static final class Entry {
    final int rows;
    final byte[] bytes;
    final long watermark;

    Entry(int rows, byte[] bytes, long watermark) {
      this.rows = rows;
      this.bytes = bytes;
      this.watermark = watermark;
    }
  }

  private final Fragment fragment;
  private final Random random;
  private final Map<String, List<@Nullable Object[]>> inputs;
  private final Map<String, Channel> channels;
  private final Map<String, Results> results;

  private final Map<String, byte[]> state = new TreeMap<>();
  private final Map<String, Integer> committed = new TreeMap<>();
  private final Map<String, Integer> positions = new TreeMap<>();
  private final List<Runnable> uncommitted = new ArrayList<>();
  private final Map<String, Long> advanced = new TreeMap<>();
  private Pipeline pipeline;
  private boolean dirty;
  private int deaths;

  /**
   * @param inputs the rows of the tables that it reads
   * @param channels the exchange tables that it reads or writes
   * @param results where what it writes to the job's tables is gathered
   */
  SimulatedTask(
      Fragment fragment,
      Random random,
      Map<String, List<@Nullable Object[]>> inputs,
      Map<String, Channel> channels,
      Map<String, Results> results) {
    this.fragment = fragment;
    this.random = random;
    this.inputs = inputs;
    this.channels = channels;
    this.results = results;
    this.pipeline = compile();
  }

  private Pipeline compile() {
    Map<String, Output> sinks = new LinkedHashMap<>();
    fragment.job().sinks().forEach((name, sink) -> sinks.put(name, output(name, sink.connector())));
    return Pipeline.compile(
        fragment.job().plan(), fragment.job().functions(), fragment.job().aggregates(), sinks);
  }

  private Output output(String table, String connector) {
    Channel channel = channels.get(table);
    return new Output() {
      @Override
      public boolean offer(Batch batch) {
        if (channel == null) {
          uncommitted.add(() -> results.get(table).add(batch));
        } else {
          assertThat(connector).isEqualTo(Fragments.EXCHANGE);
          byte[] bytes = new RowsCodec(channel.schema).encode(List.of(batch));
          uncommitted.add(
              () -> {
                channel.rows += batch.rows();
                give(channel, new Entry(batch.rows(), bytes, Long.MIN_VALUE));
              });
        }
        return true;
      }

      @Override
      public boolean advance(long watermark) {
        if (channel != null) {
          uncommitted.add(() -> give(channel, new Entry(0, new byte[0], watermark)));
        }
        return true;
      }
    };
  }

  private void give(Channel channel, Entry entry) {
    channel.entries.get(fragment.name()).add(entry);
  }

  int deaths() {
    return deaths;
  }

  /** Whether it has nothing more to do, and all is committed. */
  boolean isDone() {
    return !dirty && pipeline.sources().stream().allMatch(this::hasEnded);
  }

  private boolean hasEnded(String table) {
    Channel channel = channels.get(table);
    if (channel == null) {
      return position(table) > inputs.get(table).size();
    }
    return channel.entries.keySet().stream()
        .allMatch(producer -> mark(table, channel, producer) == Long.MAX_VALUE);
  }

  private int position(String input) {
    return positions.getOrDefault(input, 0);
  }

  /** One turn: a few rows, a commit, or death. */
  void step() {
    int chance = random.nextInt(100);
    if (chance < 3) {
      die();
    } else if (chance < 20) {
      commit();
    } else {
      read();
    }
  }

  private void die() {
    deaths++;
    uncommitted.clear();
    advanced.clear();
    positions.clear();
    positions.putAll(committed);
    dirty = false;
    pipeline = compile();
    List<Map.Entry<byte[], byte[]>> entries = new ArrayList<>();
    state.forEach((key, value) -> entries.add(Map.entry(HexFormat.of().parseHex(key), value)));
    pipeline.restore(entries);
    pipeline.checkInvariants();
  }

  void commit() {
    pipeline.writeChanges(
        new StateWriter() {
          @Override
          public void put(byte[] key, byte[] value) {
            state.put(HexFormat.of().formatHex(key), value);
          }

          @Override
          public void remove(byte[] key) {
            state.remove(HexFormat.of().formatHex(key));
          }
        });
    uncommitted.forEach(Runnable::run);
    uncommitted.clear();
    committed.clear();
    committed.putAll(positions);
    dirty = false;
  }

  private void read() {
    pipeline.start();
    List<String> open = pipeline.sources().stream().filter(table -> !hasEnded(table)).toList();
    if (open.isEmpty()) {
      return;
    }
    if (random.nextInt(10) == 0) {
      giveOpen();
    }
    String table = open.get(random.nextInt(open.size()));
    if (pipeline.ready(table)) {
      Channel channel = channels.get(table);
      if (channel == null) {
        readTable(table);
      } else {
        readChannel(table, channel);
      }
    }
  }

  /** As a task does that falls idle; and this one reads on at once. */
  private void giveOpen() {
    fragment
        .job()
        .sinks()
        .forEach(
            (name, sink) -> {
              if (sink.table().options().containsKey(Fragments.PARTIAL)) {
                dirty = true;
                pipeline.giveOpen(name);
              }
            });
  }

  private void readTable(String table) {
    List<@Nullable Object[]> rows = inputs.get(table);
    int from = position(table);
    int to = Math.min(rows.size(), from + 1 + random.nextInt(MAX_BATCH));
    dirty = true;
    if (from == rows.size()) {
      positions.put(table, from + 1);
      assertThat(pipeline.source(table).advance(Long.MAX_VALUE)).isTrue();
      return;
    }
    positions.put(table, to);
    BatchBuilder builder = new BatchBuilder(fragment.job().sources().get(table).table().schema());
    rows.subList(from, to).forEach(builder::addRow);
    assertThat(pipeline.source(table).offer(builder.build())).isTrue();
  }

  private void readChannel(String table, Channel channel) {
    List<String> producers =
        channel.entries.keySet().stream()
            .filter(name -> position(table + name) < channel.entries.get(name).size())
            .toList();
    if (producers.isEmpty()) {
      return;
    }
    String producer = producers.get(random.nextInt(producers.size()));
    Entry entry = channel.entries.get(producer).get(position(table + producer));
    positions.merge(table + producer, 1, Integer::sum);
    dirty = true;
    if (entry.rows > 0) {
      Batch batch = new RowsCodec(channel.schema).decode(entry.rows, entry.bytes);
      assertThat(pipeline.source(table).offer(batch)).isTrue();
      return;
    }
    long least =
        channel.entries.keySet().stream()
            .mapToLong(name -> mark(table, channel, name))
            .min()
            .orElseThrow();
    if (least > advanced.getOrDefault(table, Long.MIN_VALUE)) {
      advanced.put(table, least);
      assertThat(pipeline.source(table).advance(least)).isTrue();
    }
  }

  /** The last watermark that was read of a shard. */
  private long mark(String table, Channel channel, String producer) {
    List<Entry> read = channel.entries.get(producer).subList(0, position(table + producer));
    for (int i = read.size() - 1; i >= 0; i--) {
      if (read.get(i).rows == 0) {
        return read.get(i).watermark;
      }
    }
    return Long.MIN_VALUE;
  }
}
