package io.sedge.tensor.training.command;

import java.nio.file.Path;
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

  boolean hasData() {
    return data != null;
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
