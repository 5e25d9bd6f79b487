package io.sedge.tensor.training.command;

import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.training.ClusterTraining;
import io.sedge.tensor.training.ClusterTrainingOptions;
import io.sedge.tensor.training.TrainedModel;
import io.sedge.tensor.training.TrainingOptions;
import io.sedge.tensor.training.TrainingOptions.Mode;
import io.sedge.tensor.training.Weights;
import io.sedge.tensor.training.cluster.Checkpoints;
import io.sedge.tensor.training.cluster.CoordinatorOptions;
import io.sedge.tensor.training.cluster.ParameterServerStrategy;
import io.sedge.tensor.training.cluster.Partitioner;
import io.sedge.tensor.training.data.Batches;
import io.sedge.tensor.training.data.DataException;
import io.sedge.tensor.training.data.Examples;
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

/** What the chief does: reads the data, trains on a cluster, writes what came out. */
final class ChiefRun {
  private static final int CHECKPOINTS_KEPT = 3;

  /** Variables smaller than this are not cut. */
  private static final long LEAST_SHARD_BYTES = 1024;

  private final TrainingFile file;
  private final PrintStream out;
  private final boolean isTerminal;
  private final boolean restarts;

  ChiefRun(TrainingFile file, PrintStream out, boolean isTerminal, boolean restarts) {
    this.file = file;
    this.out = out;
    this.isTerminal = isTerminal;
    this.restarts = restarts;
  }

  /** Says when the servers can be started: the data is read by then. */
  @FunctionalInterface
  interface Servers {
    ClusterSpec start() throws IOException;
  }

  void run(Servers servers) throws InterruptedException, IOException {
    PreparedData data = PreparedData.of(file);
    Path output = file.output().toAbsolutePath().normalize();
    Files.createDirectories(output);
    try (Checkpoints checkpoints =
        Checkpoints.open(output.resolve("checkpoints"), CHECKPOINTS_KEPT)) {
      long steps = steps(data.training());
      describe(data, steps, output);
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
        weights = train(servers.start(), data, steps, checkpoints, report);
      } finally {
        report.finish();
      }
      write(data, weights, report, output, steps);
    }
  }

  private void describe(PreparedData data, long steps, Path output) {
    Examples held = data.validation();
    out.printf(
        Locale.ROOT,
        "%s: %d examples%s, a model of %d numbers, %d steps %s on %d workers and %d parameter"
            + " server%s%noutput: %s%n",
        file.name(),
        data.training().size(),
        held == null ? "" : " (and " + held.size() + " held back)",
        file.model().parameters(),
        steps,
        file.cluster().mode().name().toLowerCase(Locale.ROOT),
        file.cluster().workers(),
        file.cluster().parameterServers(),
        file.cluster().parameterServers() == 1 ? "" : "s",
        output);
  }

  private long steps(Examples examples) {
    if (examples.size() < file.cluster().workers()) {
      throw new DataException(
          "%d examples for %d workers: each needs one"
              .formatted(examples.size(), file.cluster().workers()));
    }
    if (file.training().steps() > 0) {
      return file.training().steps();
    }
    int shards = file.cluster().workers();
    long batches = new Batches(examples, shards, file.training().batch(), false, 0, 0).perEpoch();
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

  private Weights train(
      ClusterSpec cluster,
      PreparedData data,
      long steps,
      Checkpoints checkpoints,
      ProgressReport report)
      throws InterruptedException {
    ParameterServerStrategy strategy =
        ParameterServerStrategy.of(cluster)
            .withPlacement(file.cluster().placement())
            .withPartitioner(Partitioner.minSize(LEAST_SHARD_BYTES, file.cluster().shards()));
    TrainingOptions options =
        new TrainingOptions(
            steps,
            file.training().batch(),
            file.training().batch() > 0,
            file.training().seed(),
            file.cluster().mode(),
            file.cluster().backupWorkers());
    ClusterTrainingOptions clusterOptions =
        new ClusterTrainingOptions(
            CoordinatorOptions.defaults(),
            checkpoints,
            Duration.ofSeconds(file.cluster().checkpointSeconds()));
    return ClusterTraining.run(
        strategy,
        file.model(),
        file.training().optimizer(),
        data.training(),
        options,
        clusterOptions,
        report);
  }

  private void write(
      PreparedData data, Weights weights, ProgressReport report, Path output, long steps)
      throws IOException {
    Map<String, Double> metrics;
    try (TrainedModel model =
        TrainedModel.of(file.model(), weights, data.featureScaling(), data.targetScaling())) {
      Examples held = data.validation();
      metrics = model.evaluate(held == null ? data.training() : held);
      model.export(output.resolve("model"));
      out.println(
          (held == null ? "of the examples that were trained on: " : "of the examples held back: ")
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
