package io.sedge.cli.internal;

import io.sedge.alarm.MemoryAlarms;
import io.sedge.cli.internal.output.OutputFormat;
import io.sedge.cli.internal.output.RowOutput;
import io.sedge.cli.internal.output.RowOutputs;
import io.sedge.cli.internal.output.Style;
import io.sedge.cli.internal.output.TerminalConnector;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Connectors;
import io.sedge.connector.FileAccess;
import io.sedge.connector.RaisesAlarms;
import io.sedge.console.RunConsole;
import io.sedge.sql.Job;
import io.sedge.sql.SqlException;
import io.sedge.task.FailureCode;
import io.sedge.task.JobCounters;
import io.sedge.task.JobException;
import io.sedge.task.JobListener;
import io.sedge.task.JobRunner;
import io.sedge.task.LocalJob;
import io.sedge.task.Printable;
import io.sedge.task.ProcessMemory;
import io.sedge.task.RunOptions;
import io.sedge.task.Secrets;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sedge run}. */
@Command(
    name = "run",
    header = "Runs a script until its input ends, its time is over or Ctrl-C.",
    description = {
      "Rows of bare SELECTs go to standard output: as a table that is redrawn in place in a"
          + " terminal,",
      "as aligned lines elsewhere, as JSON lines with --output json. Everything else that is said"
          + " goes",
      "to standard error, with a summary at the end. The first Ctrl-C writes what was read and"
          + " ends;",
      "a second one ends at once."
    },
    footer = {
      "Examples:",
      "  sedge run examples/machine-health.sql",
      "  sedge run examples/machine-health.sql --duration 60s",
      "  sedge run plant.sql --output json | jq .",
      "  sedge run plant.sql --set table.local-time-zone=Europe/Berlin",
      "  sedge run plant.sql --var BROKER=mqtt://gateway:1883",
      "",
      "Exit codes: 0 done, 1 fault in Sedge, 2 wrong script or usage, 3 something outside failed,",
      "4 not enough memory."
    })
final class RunCommand extends CommandOptions implements Callable<Integer> {
  private final Surroundings surroundings;

  @Mixin private final ScriptOptions options = new ScriptOptions();

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "End after this time: 500ms, 60s, 10min, 2h.")
  private @Nullable Duration duration;

  @Option(
      names = "--output",
      paramLabel = "FORM",
      defaultValue = "auto",
      description = {
        "How rows are shown: ${COMPLETION-CANDIDATES}.",
        "auto is table in a terminal, else plain."
      })
  private OutputFormat output = OutputFormat.auto;

  @Mixin private final ConsoleOption console = new ConsoleOption();

  @Mixin private final SettingOptions settings = new SettingOptions();

  @Mixin private final RunSecrets secrets = new RunSecrets();

  /** Last as long as the run. */
  private final MemoryAlarms alarms = new MemoryAlarms();

  @Mixin private final DataDirectory data = new DataDirectory();

  RunCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws JobException, ScriptRefusedException, InterruptedException {
    Script script = options.read(surroundings);
    Connectors connectors = Connectors.installed(RunCommand.class.getClassLoader());
    Map<String, String> given = settings.settings();
    Job job;
    try {
      job = script.compile(connectors, surroundings, given, console.remembering());
    } catch (SqlException e) {
      throw new ScriptRefusedException(script, e);
    }
    if (job.mergesInCenter()) {
      throw new JobException(
          FailureCode.SCRIPT_NOT_ACCEPTED,
          "the windows of this job are merged in the center, of several sites: submit it there (`sedge center job submit %s`), or leave out SET '%s'"
              .formatted(script.file(), Job.MERGE));
    }
    if (job.trainings().isEmpty()) {
      run(script, job, connectors, given);
      return 0;
    }
    Path own = data.path(surroundings);
    try (RunTraining training = new RunTraining(own)) {
      surroundings.interruptions().onInterrupt(training::stop);
      training.train(
          job, connectors, RunOptions.in(surroundings.directory()).withData(own), surroundings);
      FileAccess files = console.remembering();
      run(
          script,
          script.compile(
              connectors, surroundings, given, files, training.files(script.directory(), files)),
          connectors,
          given);
    } catch (SqlException e) {
      throw new ScriptRefusedException(script, e);
    } catch (IOException e) {
      throw new JobException(
          FailureCode.FILE_NOT_READABLE, "models of the script cannot be kept: " + e, e);
    }
    return 0;
  }

  private void run(Script script, Job job, Connectors connectors, Map<String, String> given)
      throws JobException, InterruptedException {
    Secrets values = secrets.read(job, surroundings);
    Optional<RunConsole> shown =
        console.start(job, options, script, connectors, given, alarms, surroundings);
    if (shown.isEmpty()) {
      run(job, connectors.byName(), values, Optional.empty());
      return;
    }
    try (RunConsole open = shown.get()) {
      runShown(job, connectors.byName(), values, open);
    }
  }

  private void runShown(
      Job job, Map<String, ConnectorFactory> connectors, Secrets values, RunConsole open)
      throws JobException, InterruptedException {
    try {
      run(job, connectors, values, Optional.of(open));
      open.end(null);
    } catch (JobException e) {
      open.end(e.getMessage());
      throw e;
    }
  }

  private void run(
      Job job, Map<String, ConnectorFactory> connectors, Secrets values, Optional<RunConsole> shown)
      throws JobException, InterruptedException {
    // Output may be closed before this thread knows the job that it has started.
    CompletableFuture<LocalJob> running = new CompletableFuture<>();
    Runnable stop =
        () -> {
          var _ = running.thenAccept(LocalJob::stop);
        };
    Map<String, RowOutput.Query> queries = RowOutputs.queries(job);
    JobCounters counters;
    try (RowOutput rows =
        RowOutputs.create(output, job, queries.size(), outputSurroundings(), stop)) {
      Map<String, ConnectorFactory> all = new LinkedHashMap<>(connectors);
      all.put(Job.TERMINAL, new TerminalConnector(rows, queries));
      all.replaceAll(
          (_, connector) ->
              connector instanceof RaisesAlarms raises
                  ? raises.keptIn(alarms.of(job.name()))
                  : connector);
      shown.ifPresent(open -> rows.message(line(Severity.INFO, "console at " + open.address())));
      JobListener listener =
          (severity, message) -> {
            rows.message(line(severity, message));
            shown.ifPresent(open -> open.report(severity, message));
          };
      LocalJob started =
          new JobRunner(
                  shown.map(open -> open.tapped(all)).orElse(all),
                  surroundings.clock(),
                  surroundings.nanoClock())
              .start(
                  job,
                  RunOptions.in(surroundings.directory())
                      .withData(data.path(surroundings))
                      .withSecrets(values)
                      .withDuration(Optional.ofNullable(duration)),
                  listener);
      running.complete(started);
      surroundings.interruptions().onInterrupt(stop);
      job.notes().forEach(note -> listener.report(Severity.WARNING, note));
      rows.started(started::counters);
      shown.ifPresent(open -> open.started(started::counters, started::leftOut));
      counters = started.await();
    }
    surroundings.err().print(Summary.text(counters, ProcessMemory.peakBytes()));
  }

  private RowOutputs.Surroundings outputSurroundings() {
    return new RowOutputs.Surroundings(
        surroundings.out(),
        surroundings.err(),
        surroundings.outIsTerminal(),
        surroundings.errIsTerminal(),
        surroundings.coloursOut(),
        surroundings.screen(),
        surroundings.clock());
  }

  private String line(Severity severity, String message) {
    boolean colours = surroundings.coloursErr();
    String label =
        switch (severity) {
          case INFO -> "sedge:";
          case WARNING -> "sedge: " + Style.YELLOW.on(colours, "warning:");
          case ERROR -> "sedge: " + Style.RED.on(colours, "error:");
        };
    return label + " " + Printable.text(message);
  }
}
