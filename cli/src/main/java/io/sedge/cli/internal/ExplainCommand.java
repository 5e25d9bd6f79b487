package io.sedge.cli.internal;

import io.sedge.connector.Connectors;
import io.sedge.division.DivisionPrinter;
import io.sedge.sql.Job;
import io.sedge.sql.PlanPrinter;
import io.sedge.sql.SqlException;
import io.sedge.task.JobException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sedge explain}. */
@Command(
    name = "explain",
    header = "Shows what a script would do: sources, operators, state, commits, sinks.",
    description = {
      "Plans the script as `sedge run` would, but opens nothing. The plan is read from the sinks",
      "upwards: each step stands under the one that it feeds. The end says how the job would be",
      "divided over the devices of a site."
    },
    footer = {"Example:", "  sedge explain examples/machine-health.sql"})
final class ExplainCommand extends CommandOptions implements Callable<Integer> {
  private final Surroundings surroundings;

  @Mixin private final ScriptOptions options = new ScriptOptions();

  @Mixin private final SettingOptions settings = new SettingOptions();

  ExplainCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws JobException, ScriptRefusedException {
    Script script = options.read(surroundings);
    Connectors connectors = Connectors.installed(ExplainCommand.class.getClassLoader());
    try {
      Job job = script.compile(connectors, surroundings, settings.settings());
      PrintStream out = new PrintStream(surroundings.out(), true, StandardCharsets.UTF_8);
      out.print(PlanPrinter.print(job));
      out.print(
          DivisionPrinter.print(job, connectors, surroundings.directory(), surroundings.clock()));
    } catch (SqlException e) {
      throw new ScriptRefusedException(script, e);
    }
    return 0;
  }
}
