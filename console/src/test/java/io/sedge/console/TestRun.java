package io.sedge.console;

import io.sedge.alarm.MemoryAlarms;
import io.sedge.connector.ChangelogMode;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Connectors;
import io.sedge.connector.Delivery;
import io.sedge.connector.Guarantee;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Option;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ChangeKind;
import io.sedge.sql.Job;
import io.sedge.sql.SqlCompiler;
import io.sedge.sql.SqlException;
import io.sedge.task.JobException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/** A console of a job whose sinks a test feeds. */
final class TestRun implements AutoCloseable {
  static final String GROWING = "query-1";
  static final String UPDATING = "query-2";
  static final String SCRIPT =
      """
      CREATE TABLE readings (quantity STRING, v DOUBLE, ts TIMESTAMP(3), WATERMARK FOR ts AS ts)
        WITH ('connector' = 'datagen');
      SELECT ts, quantity, v FROM readings;
      SELECT quantity, COUNT(*) AS n FROM readings GROUP BY quantity;
      """;

  private static final Connectors CONNECTORS = Connectors.installed(TestRun.class.getClassLoader());

  final MemoryAlarms alarms = new MemoryAlarms();
  final Job job;
  final RunConsole console;
  private final Map<String, Sink> sinks = new HashMap<>();
  private final Map<String, Long> sequences = new HashMap<>();

  TestRun() throws JobException, SqlException {
    job = compile(SCRIPT);
    console =
        RunConsole.start(
            new RunConsole.Options(
                job, "plant.sql", SCRIPT, "1.0", TestRun::compile, alarms, 0, true),
            InstantSource.system(),
            System::nanoTime);
    ConnectorFactory terminal =
        console.tapped(Map.of(Job.TERMINAL, new TakesAll())).get(Job.TERMINAL);
    job.sinks()
        .forEach(
            (name, sink) ->
                sinks.put(
                    name,
                    terminal.sink(sink.table(), context()).orElseThrow().open(Delivery.OF_A_RUN)));
  }

  static Job compile(String script) throws SqlException {
    return new SqlCompiler(
            CONNECTORS.byName(), CONNECTORS.formats().byName(), InstantSource.system())
        .compile("plant.sql", script, Path.of(""));
  }

  /** What the sink of a bare SELECT takes. */
  void give(String table, List<List<Object>> rows) {
    give(table, rows.size(), rows::get, _ -> ChangeKind.INSERT);
  }

  void give(
      String table, int count, IntFunction<List<Object>> rows, IntFunction<ChangeKind> changes) {
    BatchBuilder builder = new BatchBuilder(job.sinks().get(table).table().schema());
    for (int row = 0; row < count; row++) {
      List<Object> values = rows.apply(row);
      for (int column = 0; column < values.size(); column++) {
        builder.column(column).add(values.get(column));
      }
      builder.endRow(changes.apply(row));
    }
    Batch batch = builder.build();
    long first = sequences.merge(table, (long) count, Long::sum) - count + 1;
    if (!sinks.get(table).offer(new NumberedBatch(first, batch))) {
      throw new AssertionError("refused");
    }
  }

  @Override
  public void close() {
    console.close();
  }

  private static ConnectorContext context() {
    return new ConnectorContext() {
      @Override
      public InstantSource clock() {
        return InstantSource.system();
      }

      @Override
      public Path directory() {
        return Path.of("");
      }

      @Override
      public void wakeUp() {}

      @Override
      public void malformed(String table, String origin, byte[] payload, String reason) {}

      @Override
      public void report(Severity severity, String message) {}
    };
  }

  private static final class TakesAll implements ConnectorFactory, SinkFactory, Sink {
    @Override
    public String name() {
      return Job.TERMINAL;
    }

    @Override
    public List<Option> options() {
      return List.of();
    }

    @Override
    public Optional<Source> source(TableDescriptor table, ConnectorContext context) {
      return Optional.empty();
    }

    @Override
    public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
      return Optional.of(this);
    }

    @Override
    public ChangelogMode changelogMode() {
      return ChangelogMode.ALL;
    }

    @Override
    public Guarantee guarantee() {
      return Guarantee.AT_LEAST_ONCE;
    }

    @Override
    public Sink open(Delivery delivery) {
      return this;
    }

    @Override
    public boolean offer(NumberedBatch batch) {
      return true;
    }

    @Override
    public long flush() {
      return 0;
    }

    @Override
    public long bytes() {
      return 0;
    }

    @Override
    public void close() {}
  }
}
