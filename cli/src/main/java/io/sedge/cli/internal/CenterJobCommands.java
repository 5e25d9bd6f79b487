package io.sedge.cli.internal;

import io.sedge.center.CenterClient;
import io.sedge.center.CenterException;
import io.sedge.center.api.DiffLine;
import io.sedge.center.api.JobVersion;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sedge center job} and what is below it. */
@Command(
    name = "job",
    header = "Runs jobs on many sites.",
    footer = {
      "A site's owner must allow that first: `sedge site allow --jobs`.",
      "",
      "Examples:",
      "  sedge center job submit fleet.sql --sites zone=north --wait",
      "  sedge center job show fleet",
      "  sedge center job rollback fleet"
    })
final class CenterJobCommands extends GroupCommand {
  private CenterJobCommands(Surroundings surroundings) {
    super(surroundings);
  }

  static CommandLine line(Surroundings surroundings) {
    return new CommandLine(new CenterJobCommands(surroundings))
        .addSubcommand(new CenterJobSubmitCommand(surroundings))
        .addSubcommand(new ListCommand(surroundings))
        .addSubcommand(new Show(surroundings))
        .addSubcommand(new Versions(surroundings))
        .addSubcommand(new Diff(surroundings))
        .addSubcommand(new RollBack(surroundings))
        .addSubcommand(new Remove(surroundings));
  }

  /** One that names a job. */
  abstract static class OfOne extends CenterCommand.Answering {
    @Parameters(
        index = "0",
        paramLabel = "NAME",
        description = "The job, as `sedge center job list` names it.")
    private String name = "";

    OfOne(Surroundings surroundings) {
      super(surroundings);
    }

    String name() {
      return name;
    }
  }

  private static String installed(JobVersion job) {
    return job.installed().isEmpty()
        ? "-"
        : job.installed().entrySet().stream()
            .map(each -> "%d on %d".formatted(each.getKey(), each.getValue()))
            .collect(Collectors.joining(", "));
  }

  private static String dash(String text) {
    return text.isEmpty() ? "-" : text;
  }

  /** {@code sedge center job list}. */
  @Command(
      name = "list",
      header = "Shows the jobs that were given to sites.",
      footer = {"Example:", "  sedge center job list --output json | jq ."})
  static final class ListCommand extends CenterCommand.Answering {
    ListCommand(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
      List<JobVersion> jobs = center.jobs();
      TextTable table =
          new TextTable("JOB", ">VERSION", "STATE", "RUNS", "SITES", "GIVEN", "BY", "WHY");
      jobs.forEach(
          job ->
              table.add(
                  job.job(),
                  Long.toString(job.version()),
                  job.state(),
                  installed(job),
                  job.selection(),
                  time(job.givenAtMillis()),
                  job.givenBy(),
                  dash(job.detail())));
      showAll(
          answers,
          jobs,
          table,
          "no job was given to sites; `sedge center job submit FILE --sites …` gives one");
    }
  }

  /** {@code sedge center job show}. */
  @Command(
      name = "show",
      header = "Shows a job, and how far it is at each site.",
      footer = {
        "Examples:",
        "  sedge center job show fleet",
        "  sedge center job show fleet --version 3"
      })
  static final class Show extends OfOne {
    @Option(
        names = "--version",
        paramLabel = "N",
        description = "This version in place of the latest, with its script.")
    private @Nullable Long version;

    Show(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
      JobVersion job = version == null ? center.job(name()) : center.jobVersion(name(), version);
      List<String> lines = new ArrayList<>(lines(job));
      if (version != null && job.script() != null) {
        lines.add("");
        lines.add(job.script().stripTrailing());
      }
      show(answers, job, lines);
    }
  }

  /** A version and its sites, for people. */
  static List<String> lines(JobVersion job) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "job %s, version %d: %s%s"
            .formatted(
                job.job(),
                job.version(),
                job.state(),
                job.detail().isEmpty() ? "" : ", " + job.detail()));
    lines.add(
        "given at %s by %s to %s; waves %s, gate %d s"
            .formatted(
                CenterCommand.time(job.givenAtMillis()),
                job.givenBy(),
                job.selection(),
                dash(String.join(", ", job.waves())),
                job.gateSeconds()));
    TextTable table = new TextTable("SITE", ">WAVE", "STATE", ">RUNS", ">BEFORE", "WHY");
    if (job.sites() != null) {
      job.sites()
          .forEach(
              site ->
                  table.add(
                      site.site(),
                      site.wave() == 0 ? "-" : Integer.toString(site.wave()),
                      site.state(),
                      version(site.installed()),
                      version(site.before()),
                      dash(site.detail())));
    }
    lines.addAll(table.lines());
    return lines;
  }

  private static String version(long version) {
    return version == 0 ? "-" : Long.toString(version);
  }

  /** {@code sedge center job versions}. */
  @Command(
      name = "versions",
      header = "Shows the versions of a job, the latest first.",
      footer = {"Example:", "  sedge center job versions fleet"})
  static final class Versions extends OfOne {
    Versions(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
      List<JobVersion> versions = center.jobVersions(name());
      TextTable table = new TextTable(">VERSION", "WHAT", "STATE", "SITES", "GIVEN", "BY", "WHY");
      versions.forEach(
          version ->
              table.add(
                  Long.toString(version.version()),
                  version.action(),
                  version.state(),
                  version.selection(),
                  time(version.givenAtMillis()),
                  version.givenBy(),
                  dash(version.detail())));
      showAll(answers, versions, table, "the job has no versions");
    }
  }

  /** {@code sedge center job diff}. */
  @Command(
      name = "diff",
      header = "Shows how two versions of a job differ.",
      footer = {"Example:", "  sedge center job diff fleet 2 3"})
  static final class Diff extends OfOne {
    @Parameters(index = "1", paramLabel = "FROM", description = "A version.")
    private long from;

    @Parameters(index = "2", paramLabel = "TO", description = "Another one.")
    private long to;

    Diff(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
      List<DiffLine> lines = center.diff(name(), from, to);
      show(answers, lines, lines.stream().map(Diff::line).toList());
    }

    private static String line(DiffLine line) {
      return switch (line.change()) {
        case "added" -> "+ " + line.text();
        case "removed" -> "- " + line.text();
        default -> "  " + line.text();
      };
    }
  }

  /** {@code sedge center job rollback}. */
  @Command(
      name = "rollback",
      header = "Gives the sites of a job's latest version what they had before.",
      footer = {"Example:", "  sedge center job rollback fleet --wait"})
  static final class RollBack extends OfOne {
    @Option(names = "--wait", description = "Waits until that is done.")
    private boolean waits;

    RollBack(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(CenterClient center, Answers answers)
        throws CenterException, SiteException, InterruptedException {
      JobVersion version = center.rollBack(name());
      if (waits) {
        version = new JobRolloutWait(surroundings()).until(center, version);
      }
      show(answers, version, lines(version));
      if (waits && !version.state().equals("rolled_back")) {
        throw new SiteException(FailureCode.NOT_NOW, "the version is " + version.state());
      }
    }
  }

  /** {@code sedge center job remove}. */
  @Command(
      name = "remove",
      header = "Stops a job at all of its sites, and removes it when its rows are delivered.",
      footer = {"Example:", "  sedge center job remove fleet"})
  static final class Remove extends OfOne {
    Remove(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
      JobVersion version = center.removeJob(name());
      done(
          answers,
          "job %s is being removed; `sedge center job show %s` tells how far that is"
              .formatted(name(), name()),
          Map.of("job", name(), "done", "remove", "version", version.version()));
    }
  }
}
