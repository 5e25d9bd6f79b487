package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.api.DiscoveredShards;
import io.sedge.site.api.JobReplacement;
import io.sedge.site.api.JobStatus;
import io.sedge.site.api.SiteException;
import io.sedge.sql.SqlException;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import io.sedge.task.Printable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sedge job submit}. */
@Command(
    name = "submit",
    header = "Runs a script on the devices of the site.",
    description = {
      "The job runs on until it is stopped or its input has ended, whichever devices come and go.",
      "A job of the same name that has ended is removed first, with its state.",
      "With --replace a job that runs goes on with this script: what means the same as before"
          + " keeps",
      "its positions and its state. What is kept, what begins anew and what is lost is said first.",
      "Where a table has 'shard.values' = '*', the site looks for ten seconds which values its",
      "readings have.",
      "Relative paths in the script are relative to the directory in which each device was",
      "started."
    },
    footer = {
      "Examples:",
      "  sedge job submit plant.sql",
      "  sedge job submit history.sql --wait",
      "  sedge job submit plant.sql --replace --dry-run",
      "  sedge job submit plant.sql --replace",
      "  sedge job submit plant.sql --var BROKER=mqtt://gateway:1883",
      "  sedge job submit - --name adhoc < script.sql"
    })
final class JobSubmitCommand extends ControlCommand {
  private static final int SHOWN_SHARDS = 20;

  /** Only where it stands can there be something to discover. */
  private static final String TO_BE_DISCOVERED = "'*'";

  @Mixin private final ScriptOptions options = new ScriptOptions();

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "The job's name in the site (default: that of the file).")
  private @Nullable String name;

  @Option(
      names = "--wait",
      description = {
        "Wait until the job has ended, and show how it",
        "gets on: for jobs in batch mode. Ctrl-C ends the",
        "waiting, not the job."
      })
  private boolean wait;

  @Option(
      names = "--replace",
      description = {
        "Give a job of this name that runs this script. Where",
        "tables and queries mean what they did, it goes on",
        "from its last commit."
      })
  private boolean replace;

  @Option(
      names = "--dry-run",
      description = {"With --replace: only say what would be kept and", "what would be lost."})
  private boolean dryRun;

  JobSubmitCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(DeviceConnection site, Answers answers)
      throws SiteException, ScriptRefusedException, JobException, InterruptedException {
    checkOptions();
    Script script = options.read(surroundings());
    String job = name == null ? options.nameOfFile() : name;
    progress("%s job %s".formatted(replace ? "comparing" : "submitting", job));
    try {
      script = discovered(site, job, script);
      if (replace) {
        replace(site, answers, job, script);
        return;
      }
      if (site.submit(job, script.text())) {
        surroundings()
            .err()
            .println(
                "sedge: job %s had ended; it and its state are gone, and the new one begins anew"
                    .formatted(Printable.text(job)));
      }
    } catch (SiteException e) {
      if (e.code() == FailureCode.SCRIPT_NOT_ACCEPTED && !e.problems().isEmpty()) {
        throw new ScriptRefusedException(script, new SqlException(e.problems()));
      }
      throw e;
    }
    if (wait) {
      JobStatus ended = new JobWait(surroundings()).until(site::jobs, job);
      done(
          answers,
          "job %s is finished; it gave %s".formatted(job, Printable.count(ended.rows(), "row")),
          Map.of("job", job, "done", "submit", "status", ended));
      return;
    }
    done(
        answers,
        "job %s is submitted; `sedge site watch` shows where it runs".formatted(job),
        Map.of("job", job, "done", "submit"));
  }

  /** The script with the shards that its tables leave to the site. */
  private Script discovered(DeviceConnection site, String job, Script script) throws SiteException {
    if (!script.text().contains(TO_BE_DISCOVERED)) {
      return script;
    }
    progress("looking for shards, for some seconds");
    DiscoveredShards found = site.discover(job, script.text());
    new TreeMap<>(found.shards())
        .forEach(
            (table, shards) ->
                surroundings()
                    .err()
                    .println("sedge: table %s has %s".formatted(table, named(shards))));
    return new Script(script.file(), found.script(), script.directory());
  }

  private static String named(List<String> shards) {
    String names = shards.stream().limit(SHOWN_SHARDS).collect(Collectors.joining(", "));
    return "%s: %s%s"
        .formatted(
            Printable.count(shards.size(), "shard"),
            Printable.text(names),
            shards.size() > SHOWN_SHARDS ? " …" : "");
  }

  private void checkOptions() throws SiteException {
    if (dryRun && !replace) {
      throw new SiteException(
          FailureCode.USAGE,
          "--dry-run says what replacing a job would do, so it needs --replace; `sedge check FILE`"
              + " looks at a script alone");
    }
    if (wait && replace) {
      throw new SiteException(
          FailureCode.USAGE,
          "--wait and --replace do not go together: a job that ends, in batch mode, is not"
              + " replaced");
    }
  }

  private void replace(DeviceConnection site, Answers answers, String job, Script script)
      throws SiteException {
    JobReplacement replacement = site.replacement(job, script.text());
    if (!wantsJson()) {
      answers.text(ReplacementText.of(replacement));
    }
    if (!dryRun) {
      site.replace(job, script.text(), replacement);
    }
    Map<String, ?> object =
        Map.of("job", job, "done", dryRun ? "dry-run" : "replace", "replacement", replacement);
    String what =
        dryRun
            ? "nothing was changed"
            : replacement.changes()
                ? "job %s is replaced; `sedge site watch` shows where it runs".formatted(job)
                : "job %s runs on as it is".formatted(job);
    done(answers, what, object);
  }
}
