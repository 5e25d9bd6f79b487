package io.sedge.cli.internal;

import io.sedge.task.FailureClass;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code sedge simulate}: the table of what can be simulated. */
@Command(
    name = "simulate",
    header = "Simulates something that has sensors, for trying Sedge without it.",
    synopsisSubcommandLabel = "WHAT",
    descriptionHeading = "",
    optionListHeading = "Options:%n",
    footer = {"Example:", "  sedge simulate plant --fault bearing-wear@30s"})
final class SimulateCommand extends CommandOptions implements Callable<Integer> {
  private final Surroundings surroundings;

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets spec before it calls anything.
  SimulateCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(surroundings.err());
    return FailureClass.USER.exitCode();
  }
}
