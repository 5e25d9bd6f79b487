package io.sedge.sql;

import io.sedge.connector.FileAccess;
import io.sedge.connector.TimeBounds;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.operator.Output;
import io.sedge.engine.operator.Pipeline;
import io.sedge.learning.ModelProviders;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Runs a script over rows in memory, from its compilation to the rows of its sinks. */
final class Run {
  private static final int MAX_TURNS = 100_000;
  private static final InstantSource CLOCK = InstantSource.fixed(Instant.EPOCH);

  private final Map<String, List<@Nullable Object[]>> inputs = new LinkedHashMap<>();
  private final Map<String, List<String>> outputs = new LinkedHashMap<>();
  private final List<String> failed = new ArrayList<>();
  private int batchRows = Integer.MAX_VALUE;
  private boolean bounded;
  private String zone = "UTC";

  static Job compile(String script) {
    return compile(script, "UTC");
  }

  static Job compile(String script, String zone) {
    SqlCompiler compiler =
        new SqlCompiler(
            MemoryConnector.all(),
            Map.of(),
            ModelProviders.of(new SumProvider()),
            CLOCK,
            FileAccess.EVERYTHING);
    try {
      return compiler.compile(
          "test.sql", script, Path.of("."), Map.of("table.local-time-zone", zone));
    } catch (SqlException e) {
      throw new AssertionError(e.getMessage(), e);
    }
  }

  /** Microseconds of a time on the first day of 2024. */
  static long at(String time) {
    LocalDateTime epoch = LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC);
    return ChronoUnit.MICROS.between(epoch, LocalDateTime.parse("2024-01-01T" + time));
  }

  /** Adds a row of a table; of its connector's columns, in their order. */
  Run row(String table, @Nullable Object... values) {
    inputs.computeIfAbsent(table, name -> new ArrayList<>()).add(values);
    return this;
  }

  /** How many rows are offered at once. */
  Run batches(int rows) {
    batchRows = rows;
    return this;
  }

  /** Where local times are those of another zone than UTC. */
  Run in(String localZone) {
    zone = localZone;
    return this;
  }

  /** Leaves out all rows that a source may leave out by what the plan needs of it. */
  Run withinBounds() {
    bounded = true;
    return this;
  }

  /** The rows of a table that its source gives. */
  List<@Nullable Object[]> given(Job.SourceTable table) {
    List<@Nullable Object[]> rows = inputs.getOrDefault(table.table().name(), List.of());
    for (TimeBounds bounds : bounded ? table.bounds() : List.<TimeBounds>of()) {
      int column = table.table().schema().indexOf(bounds.column());
      List<@Nullable Object[]> timely = new ArrayList<>();
      int end = 0;
      for (@Nullable Object[] row : rows) {
        if (row[column] instanceof Long time && time >= bounds.from()) {
          timely.add(row);
          end = time <= bounds.to() ? timely.size() : end;
        }
      }
      rows = timely.subList(0, end);
    }
    return rows;
  }

  /** The rows of each sink, with their changes where they are not insertions. */
  Map<String, List<String>> of(String script) {
    return of(compile(script, zone));
  }

  /** The same of a script that was compiled. */
  Map<String, List<String>> of(Job job) {
    Map<String, Output> sinks = new LinkedHashMap<>();
    job.sinks().keySet().forEach(name -> sinks.put(name, collector(name)));
    Pipeline pipeline =
        Pipeline.compile(
            job.plan(),
            job.functions(),
            job.aggregates(),
            sinks,
            row ->
                failed.add("%s: %s".formatted(row.failure().place(), row.failure().getMessage())));
    List<BooleanSupplier> feeds = new ArrayList<>();
    feeds.add(pipeline::start);
    for (String table : pipeline.sources()) {
      feeds.add(feed(pipeline.source(table), batches(job, table)));
    }
    for (int turn = 0; !feeds.isEmpty(); turn++) {
      if (turn > MAX_TURNS) {
        throw new AssertionError("the pipeline takes no more rows");
      }
      feeds.removeIf(BooleanSupplier::getAsBoolean);
    }
    pipeline.checkInvariants();
    return outputs;
  }

  /** What expressions said of the rows that they failed for, after their place. */
  List<String> failed() {
    return failed;
  }

  /** The rows of the only sink. */
  List<String> rows(String script) {
    Map<String, List<String>> all = of(script);
    return all.values().iterator().next();
  }

  private List<Batch> batches(Job job, String table) {
    List<Batch> batches = new ArrayList<>();
    BatchBuilder builder = new BatchBuilder(job.sources().get(table).table().schema());
    for (@Nullable Object[] row : given(job.sources().get(table))) {
      builder.addRow(row);
      if (builder.rows() >= batchRows) {
        batches.add(builder.build());
      }
    }
    if (builder.rows() > 0) {
      batches.add(builder.build());
    }
    return batches;
  }

  /** Offers one batch at each call, then the end; true when all is taken. */
  private static BooleanSupplier feed(Output source, List<Batch> batches) {
    Deque<Batch> left = new ArrayDeque<>(batches);
    return () -> {
      Batch next = left.peek();
      if (next == null) {
        return source.advance(Long.MAX_VALUE);
      }
      if (source.offer(next)) {
        left.remove();
      }
      return false;
    };
  }

  private Output collector(String name) {
    List<String> rows = outputs.computeIfAbsent(name, key -> new ArrayList<>());
    return new Output() {
      @Override
      public boolean offer(Batch batch) {
        for (int i = 0; i < batch.rows(); i++) {
          String values =
              batch.row(i).stream().map(String::valueOf).collect(Collectors.joining(", "));
          rows.add(batch.changes() == null ? values : batch.change(i).symbol() + " " + values);
        }
        return true;
      }

      @Override
      public boolean advance(long watermark) {
        return true;
      }
    };
  }
}
