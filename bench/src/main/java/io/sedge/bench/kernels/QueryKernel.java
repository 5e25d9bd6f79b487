package io.sedge.bench.kernels;

import io.sedge.bench.Readings;
import io.sedge.bench.peers.SedgeBenchConnector;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Connectors;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.Dictionary;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.column.StringColumn;
import io.sedge.engine.operator.Output;
import io.sedge.engine.operator.Pipeline;
import io.sedge.sql.Job;
import io.sedge.sql.SqlCompiler;
import io.sedge.sql.SqlException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/**
 * What a row costs in a query's operators, from the batch that a source gives to the batches that a
 * sink gets: 1,000 sensors, 100 readings a millisecond.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH calls setUp before anything else
public class QueryKernel {
  private static final Map<String, String> QUERIES = new TreeMap<>();

  static {
    QUERIES.put("filter", "SELECT id, ts, `value` FROM readings WHERE `value` >= 10");
    QUERIES.put("map", "SELECT id, ts, `value` * 1.8E0 + 32E0 AS f FROM readings");
    QUERIES.put(
        "case", "SELECT id, CASE WHEN `value` > 90 THEN 'high' ELSE 'fair' END AS f FROM readings");
    QUERIES.put("text", "SELECT UPPER(SPLIT_INDEX(id, '/', 1)) AS hall, `value` FROM readings");
    QUERIES.put("window 10 s", window("TUMBLE", "INTERVAL '10' SECOND"));
    QUERIES.put("window 60 s by 10 s", window("HOP", "INTERVAL '10' SECOND, INTERVAL '60' SECOND"));
    QUERIES.put("over 10 rows", over("ROWS BETWEEN 9 PRECEDING AND CURRENT ROW"));
    QUERIES.put("over 1 s", over("RANGE BETWEEN INTERVAL '1' SECOND PRECEDING AND CURRENT ROW"));
    QUERIES.put("over all", over("ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"));
    QUERIES.put(
        "lag",
        "SELECT id, `value` - LAG(`value`) OVER (PARTITION BY id ORDER BY ts) FROM readings");
  }

  private static String window(String function, String length) {
    return """
    SELECT id, window_end, COUNT(*) AS n, MIN(`value`) AS lo, MAX(`value`) AS hi,
      AVG(`value`) AS mean, STDDEV_POP(`value`) AS deviation
    FROM TABLE(%s(TABLE readings, DESCRIPTOR(ts), %s))
    GROUP BY id, window_start, window_end\
    """
        .formatted(function, length);
  }

  private static String over(String frame) {
    return """
    SELECT id, ts, AVG(`value`) OVER w, STDDEV_POP(`value`) OVER w FROM readings
    WINDOW w AS (PARTITION BY id ORDER BY ts %s)\
    """
        .formatted(frame);
  }

  @Param({
    "filter",
    "map",
    "case",
    "text",
    "window 10 s",
    "window 60 s by 10 s",
    "over 10 rows",
    "over 1 s",
    "over all",
    "lag"
  })
  public String query;

  private final List<StringColumn> ids = new ArrayList<>();
  private final List<DoubleColumn> values = new ArrayList<>();
  private List<String> names;
  private Output source;
  private Results results;
  private long next;

  @Setup
  public void setUp() throws SqlException {
    Readings readings = new Readings();
    Dictionary dictionary = new Dictionary();
    for (int from = 0; from < Readings.CYCLE; from += Batch.TARGET_ROWS) {
      int[] codes = new int[Batch.TARGET_ROWS];
      double[] numbers = new double[Batch.TARGET_ROWS];
      for (int row = 0; row < Batch.TARGET_ROWS; row++) {
        codes[row] = dictionary.encode(readings.id(from + row));
        numbers[row] = readings.value(from + row);
      }
      ids.add(new StringColumn(codes, dictionary, null, Batch.TARGET_ROWS));
      values.add(new DoubleColumn(numbers, null, Batch.TARGET_ROWS));
    }
    Job job = compile(QUERIES.getOrDefault(query, query));
    results = new Results();
    names = job.sources().values().iterator().next().table().schema().names();
    Pipeline pipeline =
        Pipeline.compile(
            job.plan(),
            job.functions(),
            job.aggregates(),
            Map.of(job.sinks().keySet().iterator().next(), results));
    pipeline.start();
    source = pipeline.source("readings");
  }

  private static Job compile(String query) throws SqlException {
    Connectors installed = Connectors.installed(QueryKernel.class.getClassLoader());
    Map<String, ConnectorFactory> connectors = new TreeMap<>(installed.byName());
    connectors.put("bench", SedgeBenchConnector.sink(_ -> {}));
    String script =
        """
        CREATE TABLE readings (id STRING, ts TIMESTAMP(3), `value` DOUBLE,
          WATERMARK FOR ts AS ts - INTERVAL '0.001' SECOND) WITH ('connector' = 'bench');
        %s;
        """
            .formatted(query);
    return new SqlCompiler(connectors, installed.formats().byName(), InstantSource.system())
        .compile("kernel.sql", script, Path.of("."), Map.of());
  }

  /** A batch through the query. */
  @Benchmark
  @OperationsPerInvocation(Batch.TARGET_ROWS)
  public void rows(Blackhole blackhole) {
    int cut = (int) (next / Batch.TARGET_ROWS % ids.size());
    long[] times = new long[Batch.TARGET_ROWS];
    for (int row = 0; row < times.length; row++) {
      times[row] = Readings.timeMs(next + row) * 1000;
    }
    next += times.length;
    List<Column> columns = new ArrayList<>();
    for (String name : names) {
      columns.add(
          switch (name) {
            case "id" -> ids.get(cut);
            case "value" -> values.get(cut);
            default -> new LongColumn(times, null, times.length);
          });
    }
    results.blackhole = blackhole;
    if (!source.offer(new Batch(times.length, columns))) {
      throw new IllegalStateException("the query refuses a batch");
    }
  }

  /** Takes everything. */
  private static final class Results implements Output {
    private Blackhole blackhole;

    @Override
    public boolean offer(Batch batch) {
      blackhole.consume(batch.columns());
      return true;
    }

    @Override
    public boolean advance(long watermark) {
      return true;
    }
  }
}
