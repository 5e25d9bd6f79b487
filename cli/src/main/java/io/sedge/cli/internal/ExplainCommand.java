package io.sedge.cli.internal;

import io.sedge.connector.Connectors;
import io.sedge.site.DivisionPrinter;
import io.sedge.site.JobException;
import io.sedge.sql.Job;
import io.sedge.sql.PlanPrinter;
import io.sedge.sql.SqlException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

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

  @Parameters(paramLabel = "FILE", description = "The script; - is standard input.")
  private String file = "";

  ExplainCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws JobException, ScriptRefusedException {
    Script script = Script.read(file, surroundings);
    Connectors connectors = Connectors.installed(ExplainCommand.class.getClassLoader());
    try {
      Job job = script.compile(connectors, surroundings, Map.of());
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
