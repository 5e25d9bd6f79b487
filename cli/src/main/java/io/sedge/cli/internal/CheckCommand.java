package io.sedge.cli.internal;

import io.sedge.connector.Connectors;
import io.sedge.division.AcrossSites;
import io.sedge.sql.Job;
import io.sedge.sql.Problem;
import io.sedge.sql.Remarks;
import io.sedge.sql.SqlException;
import io.sedge.task.FailureClass;
import io.sedge.task.JobException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sedge check}. */
@Command(
    name = "check",
    header = "Says whether a script is accepted, and what to write where it is not.",
    description = {
      "Reads, validates and plans the script as `sedge run` would, but opens nothing. Each problem"
          + " is",
      "shown with its line and column and, where that is known, with what to write instead."
    },
    footer = {
      "Examples:",
      "  sedge check plant.sql",
      "  sedge check plant.sql --json | jq .problems",
      "",
      "Exit codes: 0 accepted, 2 not accepted."
    })
final class CheckCommand extends CommandOptions implements Callable<Integer> {
  private final Surroundings surroundings;

  @Mixin private final ScriptOptions options = new ScriptOptions();

  @Mixin private final SettingOptions given = new SettingOptions();

  @Option(
      names = "--json",
      description = "Write one JSON object with all problems to standard output.")
  private boolean json;

  CheckCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws JobException {
    Map<String, String> settings = given.settings();
    try {
      Script script = options.read(surroundings);
      return check(script, settings);
    } catch (ScriptRefusedException e) {
      return report(e.script(), e.problems().problems(), List.of());
    }
  }

  private int check(Script script, Map<String, String> settings) {
    Connectors connectors = Connectors.installed(CheckCommand.class.getClassLoader());
    try {
      Job job = script.compile(connectors, surroundings, settings);
      var _ = AcrossSites.ofSite(job);
      if (!json) {
        out()
            .printf(
                "%s is accepted: %d %s, %d %s%n",
                script.file(),
                job.sources().size(),
                job.sources().size() == 1 ? "source" : "sources",
                job.sinks().size(),
                job.sinks().size() == 1 ? "sink" : "sinks");
      }
      List<String> notes = new ArrayList<>(job.notes());
      notes.addAll(Remarks.of(job));
      return report(script, List.of(), notes);
    } catch (SqlException e) {
      return report(script, e.problems(), List.of());
    }
  }

  private int report(Script script, List<Problem> problems, List<String> notes) {
    if (json) {
      out().println(new Problems(script, false).json(problems, notes));
    } else {
      Problems texts = new Problems(script, surroundings.coloursErr());
      surroundings.err().print(texts.text(problems));
      notes.forEach(note -> surroundings.err().println(texts.note(note)));
    }
    return problems.isEmpty() ? 0 : FailureClass.USER.exitCode();
  }

  private PrintStream out() {
    return new PrintStream(surroundings.out(), true, StandardCharsets.UTF_8);
  }
}
