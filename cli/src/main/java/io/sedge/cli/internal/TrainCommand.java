package io.sedge.cli.internal;

import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code sedge train}, to be found where commands are listed. The launcher starts the program
 * itself, which brings TensorFlow: nothing of it is in this process.
 */
@Command(
    name = "train",
    header = "Trains a model on a cluster of TensorFlow's; a program of its own.")
final class TrainCommand extends CommandOptions implements Callable<Integer> {
  @Parameters(hidden = true)
  private List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() throws JobException {
    throw new JobException(
        FailureCode.USAGE,
        "training is a program of its own, which the project's script starts: ./sedge train %s"
            .formatted(String.join(" ", arguments))
            .strip());
  }
}
