package io.sedge.cli.internal;

import io.sedge.center.CenterClient;
import io.sedge.center.CenterException;
import io.sedge.center.api.JobVersion;
import io.sedge.center.api.Requests;
import io.sedge.center.api.ScriptProblem;
import io.sedge.site.api.SiteException;
import io.sedge.sql.Problem;
import io.sedge.sql.SqlException;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sedge center job submit}. */
@Command(
    name = "submit",
    header = "Runs a script on many sites, wave by wave.",
    description = {
      "Each site says first whether it can run the script. If one cannot, nothing is changed",
      "anywhere. Then the sites get it wave by wave. If one is not well within the gate's time,",
      "all go back to what they had. A site that is away gets the latest version when it is back.",
      "A site that has the job already goes on with the script, as `job submit --replace` does."
    },
    footer = {
      "With --wait the exit code is not 0 unless the version is on all sites that answer.",
      "",
      "Examples:",
      "  sedge center job submit fleet.sql --sites zone=north",
      "  sedge center job submit fleet.sql --site a --site b --waves 1,25%%,rest --gate 10m --wait",
      "  sedge center job submit fleet.sql --sites zone=north --dry-run --wait"
    })
final class CenterJobSubmitCommand extends CenterCommand.Answering {
  @Mixin private final ScriptOptions options = new ScriptOptions();

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "The job's name (default: that of the file).")
  private @Nullable String name;

  @Option(
      names = "--sites",
      paramLabel = "KEY=VALUE",
      split = ",",
      description = "Sites with these labels.")
  private Map<String, String> labels = new TreeMap<>();

  @Option(
      names = "--site",
      paramLabel = "SITE",
      split = ",",
      description = "A site by name; may be repeated.")
  private List<String> sites = new ArrayList<>();

  @Option(
      names = "--waves",
      paramLabel = "SIZE",
      split = ",",
      description = "How many sites at once: 1,25%%,rest (default: 1,rest).")
  private List<String> waves = new ArrayList<>();

  @Option(
      names = "--gate",
      paramLabel = "TIME",
      defaultValue = "60s",
      converter = DurationConverter.class,
      description = "How long a site must be well (default: ${DEFAULT-VALUE}).")
  private Duration gate = Duration.ofSeconds(60);

  @Option(
      names = "--max-lag",
      paramLabel = "TIME",
      defaultValue = "60s",
      converter = DurationConverter.class,
      description = "How late results may be then (default: ${DEFAULT-VALUE}).")
  private Duration maxLag = Duration.ofSeconds(60);

  @Option(names = "--dry-run", description = "Sites only say whether they could run it.")
  private boolean dryRun;

  @Option(names = "--wait", description = "Waits until it is done, refused or rolled back.")
  private boolean waits;

  CenterJobSubmitCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(CenterClient center, Answers answers)
      throws CenterException,
          SiteException,
          ScriptRefusedException,
          JobException,
          InterruptedException {
    if (labels.isEmpty() == sites.isEmpty()) {
      throw new SiteException(
          FailureCode.USAGE, "say which sites: --sites zone=north by labels, or --site by name");
    }
    Script script = options.read(surroundings());
    String job = name == null ? options.nameOfFile() : name;
    List<ScriptProblem> problems = center.checkScript(job, script.text());
    if (!problems.isEmpty()) {
      throw new ScriptRefusedException(
          script,
          new SqlException(problems.stream().map(CenterJobSubmitCommand::problem).toList()));
    }
    JobVersion version =
        center.deploy(
            job,
            new Requests.ForJob(
                script.text(),
                sites.isEmpty() ? null : sites,
                labels.isEmpty() ? null : labels,
                waves.isEmpty() ? null : waves,
                gate.toSeconds(),
                maxLag.toSeconds(),
                dryRun));
    if (waits) {
      version = new JobRolloutWait(surroundings()).until(center, version);
    }
    show(answers, version, CenterJobCommands.lines(version));
    if (waits && !version.state().equals(dryRun ? "checked" : "done")) {
      throw new SiteException(
          FailureCode.NOT_NOW,
          "version %d of job %s is %s: %s"
              .formatted(version.version(), job, version.state(), version.detail()));
    }
  }

  private static Problem problem(ScriptProblem problem) {
    return new Problem(
        problem.line(), problem.column(), problem.message(), Optional.ofNullable(problem.remedy()));
  }
}
