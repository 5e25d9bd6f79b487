package io.sedge.tensor.training.command;

import io.sedge.tensor.ClusterResolver;
import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.training.ClusterTrainingOptions;
import io.sedge.tensor.training.TrainedModel;
import io.sedge.tensor.training.TrainingOptions;
import io.sedge.tensor.training.TrainingOptions.Mode;
import io.sedge.tensor.training.Weights;
import io.sedge.tensor.training.cluster.Checkpoints;
import io.sedge.tensor.training.cluster.CoordinatorOptions;
import io.sedge.tensor.training.cluster.ParameterServerStrategy;
import io.sedge.tensor.training.cluster.Partitioner;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** What the chief does: reads the data, trains on a cluster, writes what came out. */
final class ChiefRun {
  private static final int CHECKPOINTS_KEPT = 3;
  private static final Duration MEMBERSHIP_INTERVAL = Duration.ofSeconds(5);

  /** Variables smaller than this are not cut. */
  private static final long LEAST_SHARD_BYTES = 1024;

  private final TrainingFile file;
  private final PrintStream out;
  private final boolean isTerminal;
  private final boolean restarts;
  private final CoordinatorOptions coordinator;

  ChiefRun(TrainingFile file, PrintStream out, boolean isTerminal, ChiefOptions options) {
    this.file = file;
    this.out = out;
    this.isTerminal = isTerminal;
    this.restarts = options.restarts();
    this.coordinator = options.coordinator();
  }

  /** Says when the servers can be started: the data is read by then. */
  @FunctionalInterface
  interface Servers {
    ClusterSpec start() throws IOException;
  }

  void run(Servers servers, @Nullable ClusterResolver membership)
      throws InterruptedException, IOException {
    boolean isFed = file.data().readBy() == TrainingFile.ReadBy.CHIEF;
    // What the chief reads is checked before anything is started.
    Rows rows = isFed ? new Rows.Fed(PreparedData.of(file)) : null;
    Path output = file.output().toAbsolutePath().normalize();
    Files.createDirectories(output);
    try (Checkpoints checkpoints =
        Checkpoints.open(output.resolve("checkpoints"), CHECKPOINTS_KEPT)) {
      ParameterServerStrategy strategy = null;
      if (rows == null) {
        strategy = strategy(servers.start());
        rows = Rows.Read.survey(file, strategy, coordinator, out::println);
      }
      long steps = steps(rows);
      describe(rows, steps, output);
      boolean isContinued = prepare(checkpoints, steps);
      Writer metrics =
          Files.newBufferedWriter(
              output.resolve("metrics.jsonl"),
              StandardOpenOption.CREATE,
              isContinued ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE);
      ProgressReport report = new ProgressReport(out, isTerminal, metrics, steps);
      Weights weights;
      try {
        strategy = strategy == null ? strategy(servers.start()) : strategy;
        ClusterTrainingOptions cluster = options(checkpoints);
        weights =
            rows.train(
                strategy,
                file,
                options(steps),
                membership == null
                    ? cluster
                    : cluster.withMembership(membership, MEMBERSHIP_INTERVAL),
                report);
      } finally {
        report.finish();
      }
      write(rows, strategy, weights, report, output, steps);
    }
  }

  private void describe(Rows rows, long steps, Path output) {
    out.printf(
        Locale.ROOT,
        "%s: %d examples%s%s, a model of %d numbers, %d steps %s on %d workers and %d parameter"
            + " server%s%noutput: %s%n",
        file.name(),
        rows.examples(),
        rows.heldBack() == 0 ? "" : " (and " + rows.heldBack() + " held back)",
        rows instanceof Rows.Read ? " that workers read" : "",
        file.model().parameters(),
        steps,
        file.cluster().mode().name().toLowerCase(Locale.ROOT),
        file.cluster().workers(),
        file.cluster().parameterServers(),
        file.cluster().parameterServers() == 1 ? "" : "s",
        output);
  }

  private long steps(Rows rows) {
    int shards = file.cluster().workers();
    rows.check(shards);
    if (file.training().steps() > 0) {
      return file.training().steps();
    }
    long batches = rows.batches(shards, file.training().batch());
    boolean together = file.cluster().mode() == Mode.SYNCHRONOUS;
    return file.training().epochs() * (together ? Math.ceilDiv(batches, shards) : batches);
  }

  /** An unfinished training is gone on with; a finished one begins anew. */
  private boolean prepare(Checkpoints checkpoints, long steps) {
    long last = checkpoints.latest().map(Checkpoints.Checkpoint::step).orElse(0L);
    if (last > 0 && (restarts || last >= steps)) {
      checkpoints.clear();
      out.println("what was trained there is left behind: begins anew");
      return false;
    }
    if (last > 0) {
      out.println("goes on from step " + last + " (--restart begins anew)");
    }
    return last > 0;
  }

  private ParameterServerStrategy strategy(ClusterSpec cluster) {
    return ParameterServerStrategy.of(cluster)
        .withPlacement(file.cluster().placement())
        .withPartitioner(Partitioner.minSize(LEAST_SHARD_BYTES, file.cluster().shards()));
  }

  private TrainingOptions options(long steps) {
    return new TrainingOptions(
        steps,
        file.training().batch(),
        file.training().batch() > 0,
        file.training().seed(),
        file.cluster().mode(),
        file.cluster().backupWorkers());
  }

  private ClusterTrainingOptions options(Checkpoints checkpoints) {
    return new ClusterTrainingOptions(
        coordinator, checkpoints, Duration.ofSeconds(file.cluster().checkpointSeconds()));
  }

  private void write(
      Rows rows,
      ParameterServerStrategy strategy,
      Weights weights,
      ProgressReport report,
      Path output,
      long steps)
      throws IOException, InterruptedException {
    Map<String, Double> metrics;
    try (TrainedModel model =
        TrainedModel.of(file.model(), weights, rows.featureScaling(), rows.targetScaling())) {
      model.export(output.resolve("model"));
      metrics = rows.evaluate(strategy, file, weights, model);
      out.println(
          (rows.heldBack() == 0
                  ? "of the examples that were trained on: "
                  : "of the examples held back: ")
              + words(metrics));
    }
    replace(output.resolve("loss.svg"), report.curve().svg("loss of " + file.name()));
    StringJoiner numbers = new StringJoiner(",\n  ", "{\n  ", "\n}\n");
    numbers.add("\"steps\": " + steps);
    numbers.add(
        String.format(Locale.ROOT, "\"steps_per_second\": %.1f", report.meanStepsPerSecond()));
    metrics.forEach((name, value) -> numbers.add("\"" + name + "\": " + value));
    replace(output.resolve("result.json"), numbers.toString());
    out.printf(
        "model: %s%nmetrics: %s, %s%nloss curve: %s%n",
        output.resolve("model"),
        output.resolve("metrics.jsonl"),
        output.resolve("result.json"),
        output.resolve("loss.svg"));
  }

  private static String words(Map<String, Double> metrics) {
    StringJoiner words = new StringJoiner(", ");
    metrics.forEach(
        (name, value) ->
            words.add(String.format(Locale.ROOT, "%s %.4g", name.replace('_', ' '), value)));
    return words.toString();
  }

  private static void replace(Path path, String text) {
    Path draft = path.resolveSibling(path.getFileName() + ".unfinished");
    try {
      Files.writeString(draft, text);
      Files.move(draft, path, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(path + " cannot be written: " + e.getMessage(), e);
    }
  }
}
