package io.sedge.tensor.training.command;

import io.sedge.tensor.training.cluster.CoordinatorOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a chief can be told besides its training file, on this machine or in a cluster. */
final class ChiefOptions {
  @Option(
      names = "--data",
      paramLabel = "CSV",
      description = "Data in place of that of FILE; may be given several times.")
  private @Nullable List<Path> data;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description = "Where model, metrics, loss curve, checkpoints and logs go.")
  private @Nullable Path output;

  @Option(
      names = "--restart",
      description = "Begin anew where an unfinished training would be gone on with.")
  private boolean restarts;

  @Option(
      names = "--patience",
      paramLabel = "SECONDS",
      description =
          "How long to wait for servers that do not answer: at the start, and on their return"
              + " (60 and 600).")
  private @Nullable Integer patience;

  boolean hasData() {
    return data != null;
  }

  /** How the coordinator behaves. */
  CoordinatorOptions coordinator() {
    if (patience == null) {
      return CoordinatorOptions.defaults();
    }
    if (patience < 1 || patience > 86_400) {
      throw new UsageException("--patience " + patience + " is not from 1 to 86400");
    }
    Duration limit = Duration.ofSeconds(patience);
    return CoordinatorOptions.defaults().withLimits(limit, limit);
  }

  boolean restarts() {
    return restarts;
  }

  /** The training with what was said in place of what the file says. */
  TrainingFile adjusted(TrainingFile read) {
    TrainingFile training = data == null ? read : read.withFiles(data);
    return output == null ? training : training.withOutput(output);
  }
}
