package io.sedge.bench;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import com.amazon.randomcutforest.RandomCutForest;
import io.sedge.bench.peers.SedgeBenchConnector;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Connectors;
import io.sedge.connector.FileAccess;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.operator.Output;
import io.sedge.engine.operator.Pipeline;
import io.sedge.learning.ModelProviders;
import io.sedge.sql.Job;
import io.sedge.sql.SqlCompiler;
import io.sedge.sql.SqlException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a job adds to scoring: a query with ML_PREDICT beside ONNX Runtime alone with the same
 * batches, and one with RANDOM_CUT_FOREST_SCORE beside the bare library. Both sides have one
 * thread, whose processor time counts, and take turns; the best lap of each counts, and all are
 * shown.
 *
 * <pre>
 * java io.sedge.bench.ScoringBenchmark [directory of mlp.onnx and gbdt.onnx] [rows of a batch] [laps]
 * </pre>
 */
final class ScoringBenchmark {
  private static final int FEATURES = 10;
  private static final int BATCHES = 50;
  private static final int FOREST_ROWS = 5_000;

  private final PrintStream out = System.out;
  private final Path models;
  private final int rows;
  private final int laps;
  private final double[][][] values;

  /** Where results go, so that nothing is left out. */
  private double sum;

  private ScoringBenchmark(Path models, int rows, int laps) {
    this.models = models;
    this.rows = rows;
    this.laps = laps;
    Random random = new Random(7);
    this.values = new double[BATCHES][FEATURES][rows];
    for (double[][] batch : values) {
      for (double[] column : batch) {
        Arrays.setAll(column, i -> random.nextDouble(-1, 1));
      }
    }
  }

  public static void main(String[] arguments) throws OrtException, SqlException {
    Path models =
        Path.of(arguments.length > 0 ? arguments[0] : "../learning/onnx/src/test/resources/models");
    int rows = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1_000;
    int laps = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 7;
    ScoringBenchmark benchmark =
        new ScoringBenchmark(models.toAbsolutePath().normalize(), rows, laps);
    benchmark.models("mlp");
    benchmark.models("gbdt");
    benchmark.forest();
  }

  @FunctionalInterface
  private interface Lap {
    /** Scores all batches once. */
    void run() throws OrtException;
  }

  private void compare(String name, long readings, Lap bare, Lap job) throws OrtException {
    List<Double> ofBare = new ArrayList<>();
    List<Double> ofJob = new ArrayList<>();
    for (int lap = 0; lap <= laps; lap++) {
      double first = microseconds(bare) / readings;
      double second = microseconds(job) / readings;
      if (lap > 0) { // The first one compiles.
        ofBare.add(first);
        ofJob.add(second);
      }
    }
    out.printf(
        "%-6s µs/reading: bare %s; job %s; ratio of the best %.2f%n",
        name, text(ofBare), text(ofJob), best(ofJob) / best(ofBare));
  }

  private static double microseconds(Lap lap) throws OrtException {
    long began = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    lap.run();
    return (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - began) / 1e3;
  }

  private static String text(List<Double> times) {
    return times.stream().map("%.3f"::formatted).collect(Collectors.joining(" "));
  }

  private static double best(List<Double> times) {
    return times.stream().mapToDouble(time -> time).min().orElseThrow();
  }

  private void models(String name) throws OrtException, SqlException {
    OrtEnvironment environment =
        OrtEnvironment.getEnvironment(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL, "sedge");
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(1);
      String file = models.resolve(name + ".onnx").toString();
      try (OrtSession session = environment.createSession(file, options)) {
        FloatBuffer buffer =
            ByteBuffer.allocateDirect(rows * FEATURES * Float.BYTES)
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
        Output source = source("", query(name));
        compare(
            name,
            (long) BATCHES * rows,
            () -> bare(session, environment, buffer),
            () -> offer(source));
      }
    }
  }

  private void bare(OrtSession session, OrtEnvironment environment, FloatBuffer buffer)
      throws OrtException {
    for (double[][] batch : values) {
      for (int row = 0; row < rows; row++) {
        for (int i = 0; i < FEATURES; i++) {
          buffer.put(row * FEATURES + i, (float) batch[i][row]);
        }
      }
      try (OnnxTensor tensor =
              OnnxTensor.createTensor(environment, buffer.rewind(), new long[] {rows, FEATURES});
          OrtSession.Result result = session.run(Map.of("features", tensor))) {
        FloatBuffer scores = ((OnnxTensor) result.get(0)).getFloatBuffer();
        for (int row = 0; row < rows; row++) {
          sum += scores.get(row);
        }
      }
    }
  }

  private void offer(Output source) {
    for (double[][] batch : values) {
      List<Column> columns = new ArrayList<>();
      columns.add(new LongColumn(new long[rows], null, rows));
      for (double[] column : batch) {
        columns.add(new DoubleColumn(column, null, rows));
      }
      if (!source.offer(new Batch(rows, columns))) {
        throw new IllegalStateException("the query refuses a batch");
      }
    }
  }

  private static String names() {
    return IntStream.range(0, FEATURES).mapToObj(i -> "x" + i).collect(Collectors.joining(", "));
  }

  private String query(String name) {
    return """
    CREATE MODEL m INPUT (%s) OUTPUT (risk DOUBLE)
      WITH ('provider' = 'onnx', 'path' = '%s');
    SELECT risk FROM ML_PREDICT(TABLE readings, MODEL m, DESCRIPTOR(%s));
    """
        .formatted(
            names().replace(",", " DOUBLE,") + " DOUBLE", models.resolve(name + ".onnx"), names());
  }

  private Output source(String watermark, String query) throws SqlException {
    Connectors installed = Connectors.installed(ScoringBenchmark.class.getClassLoader());
    Map<String, ConnectorFactory> connectors = new TreeMap<>(installed.byName());
    connectors.put("bench", SedgeBenchConnector.sink(_ -> {}));
    String script =
        """
        CREATE TABLE readings (ts TIMESTAMP(3), %s DOUBLE%s)
          WITH ('connector' = 'bench');
        %s
        """
            .formatted(names().replace(",", " DOUBLE,"), watermark, query);
    Job job =
        new SqlCompiler(
                connectors,
                installed.formats().byName(),
                ModelProviders.installed(ScoringBenchmark.class.getClassLoader()),
                InstantSource.system(),
                FileAccess.EVERYTHING)
            .compile("scoring.sql", script, Path.of("."), Map.of());
    Output results =
        new Output() {
          @Override
          public boolean offer(Batch batch) {
            DoubleColumn scores = (DoubleColumn) batch.column(0);
            for (int row = 0; row < batch.rows(); row++) {
              sum += scores.values()[row];
            }
            return true;
          }

          @Override
          public boolean advance(long watermark) {
            return true;
          }
        };
    Pipeline pipeline =
        Pipeline.compile(
            job.plan(),
            job.functions(),
            job.aggregates(),
            Map.of(job.sinks().keySet().iterator().next(), results));
    pipeline.start();
    return pipeline.source("readings");
  }

  private void forest() throws OrtException, SqlException {
    RandomCutForest forest =
        RandomCutForest.builder()
            .dimensions(1)
            .numberOfTrees(30)
            .sampleSize(256)
            .randomSeed(7)
            .parallelExecutionEnabled(false)
            .build();
    Output source =
        source(
            ", WATERMARK FOR ts AS ts",
            "SELECT RANDOM_CUT_FOREST_SCORE(x0, 30, 256) OVER (ORDER BY ts) FROM readings;");
    long[] next = {1};
    compare(
        "forest",
        FOREST_ROWS,
        () -> {
          for (int i = 0; i < FOREST_ROWS; i++) {
            float[] point = {(float) values[i % BATCHES][0][i / BATCHES % rows]};
            sum += forest.isOutputReady() ? forest.getAnomalyScore(point) : 0;
            forest.update(point);
          }
        },
        () -> {
          for (int i = 0; i < FOREST_ROWS; i += BATCHES) {
            long[] times = new long[BATCHES];
            double[] readings = new double[BATCHES];
            for (int j = 0; j < BATCHES; j++) {
              times[j] = next[0]++ * 1_000;
              readings[j] = values[j][0][i / BATCHES % rows];
            }
            List<Column> columns = new ArrayList<>();
            columns.add(new LongColumn(times, null, BATCHES));
            for (int j = 0; j < FEATURES; j++) {
              columns.add(new DoubleColumn(readings, null, BATCHES));
            }
            if (!source.offer(new Batch(BATCHES, columns))) {
              throw new IllegalStateException("the query refuses a batch");
            }
          }
        });
  }
}
