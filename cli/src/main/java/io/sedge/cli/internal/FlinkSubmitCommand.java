package io.sedge.cli.internal;

import io.sedge.connector.Connectors;
import io.sedge.connector.Suggestions;
import io.sedge.flink.cluster.FlinkCluster;
import io.sedge.flink.cluster.FlinkJob;
import io.sedge.flink.cluster.FlinkScript;
import io.sedge.flink.cluster.Translation;
import io.sedge.site.api.SiteException;
import io.sedge.sql.Job;
import io.sedge.sql.SqlException;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sedge flink submit}. */
@Command(
    name = "submit",
    header = "Runs a script on a cluster of Flink 2.3.",
    description = {
      "Checks the script, translates what is Sedge's own or refuses it with its line, has the",
      "cluster's JobManager plan it, and waits until the job runs. All INSERTs are one job.",
      "docs/flink.md says what is refused, and what is otherwise on Flink."
    },
    footer = {
      "Examples:",
      "  sedge flink submit plant.sql --to http://jobmanager:8081",
      "  sedge flink submit plant.sql --dry-run",
      "  sedge flink submit plant.sql --to http://jobmanager:8081 --jar"
          + " flink-sql-connector-kafka.jar",
      "  sedge flink submit plant.sql --to http://jobmanager:8081 --without malformed.table",
      "  sedge flink submit plant.sql --to https://flink.plant --ca ca.pem --token-file token",
      "",
      "Exit codes: 0 it runs, 2 not accepted or failed, 3 the cluster does not answer."
    })
final class FlinkSubmitCommand extends CommandOptions implements Callable<Integer> {
  /** Jars that functions name because Sedge lacks them; the cluster has its own. */
  private static final Pattern FLINKS_OWN =
      Pattern.compile("flink-(?:core|core-api|dist|annotations|table-.*)-\\d[^/]*\\.jar");

  private final Surroundings surroundings;

  @Mixin private final ScriptOptions options = new ScriptOptions();

  @Mixin private final SettingOptions given = new SettingOptions();

  @Mixin private final FlinkAddress address = new FlinkAddress();

  @Mixin private final AnswerOption output = new AnswerOption();

  @Option(
      names = "--without",
      paramLabel = "KEY",
      description = {
        "Leave this setting or option of Sedge's own out, such",
        "as malformed.table; may be repeated."
      })
  private Set<String> without = new LinkedHashSet<>();

  @Option(
      names = "--jar",
      paramLabel = "FILE",
      description = {
        "A jar that the cluster lacks, such as that of a",
        "connector; may be repeated. Jars of functions go along",
        "by themselves."
      })
  private List<Path> jars = new ArrayList<>();

  @Option(
      names = "--secrets-file",
      paramLabel = "FILE",
      description = {
        "A file of lines NAME=VALUE: secrets that go to the",
        "cluster with the script. Others are taken from",
        "$$SEDGE_SECRET_NAME of the JobManager."
      })
  private @Nullable String secretsFile;

  @Option(names = "--no-wait", description = "Do not wait until the job runs.")
  private boolean noWait;

  @Option(names = "--dry-run", description = "Only show the script as Flink would get it.")
  private boolean dryRun;

  FlinkSubmitCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call()
      throws JobException, SiteException, ScriptRefusedException, InterruptedException {
    checkWithout();
    Map<String, String> settings = settings();
    Script script = options.read(surroundings);
    try {
      FlinkScript translated = translate(script, settings);
      Problems texts = new Problems(script, surroundings.coloursErr());
      translated.notes().forEach(note -> surroundings.err().println(texts.note(note)));
      Map<String, String> secrets = secrets(translated);
      if (dryRun) {
        FlinkNeeds.ofScript(translated, ofFunctions(translated), secrets.keySet())
            .forEach(this::say);
        new Answers(surroundings.out()).text(translated.text());
        return 0;
      }
      try (FlinkCluster cluster = address.cluster(surroundings, !secrets.isEmpty())) {
        submit(cluster, translated, secrets);
      }
      return 0;
    } catch (SqlException e) {
      throw new ScriptRefusedException(script, e);
    }
  }

  private void checkWithout() throws JobException {
    for (String key : without) {
      if (!Translation.ownKeys().contains(key)) {
        throw new JobException(
            FailureCode.USAGE,
            "--without=%s is no setting or option of Sedge's own that Flink lacks; %s"
                .formatted(
                    key,
                    Suggestions.closest(key, Translation.ownKeys())
                        .map("did you mean %s?"::formatted)
                        .orElseGet(
                            () -> "it is one of " + String.join(", ", Translation.ownKeys()))));
      }
    }
  }

  /** Those of Sedge's own that Flink lacks are refused by the name of the option. */
  private Map<String, String> settings() throws JobException {
    Map<String, String> settings = given.settings();
    List<String> refusals = Translation.refusals("--set", settings, without);
    if (!refusals.isEmpty()) {
      throw new JobException(FailureCode.USAGE, String.join("; ", refusals));
    }
    return settings;
  }

  /** Compiled as on Flink, where a row that fails ends the job, so that remarks say so. */
  private FlinkScript translate(Script script, Map<String, String> settings) throws SqlException {
    Map<String, String> asFlink = new HashMap<>(settings);
    asFlink.put(Job.ON_ROW_FAILURE, Job.FAIL);
    Connectors connectors = Connectors.installed(FlinkSubmitCommand.class.getClassLoader());
    Job job = script.compile(connectors, surroundings, asFlink);
    return Translation.of(job, script.text(), settings, without);
  }

  private void submit(FlinkCluster cluster, FlinkScript script, Map<String, String> secrets)
      throws JobException, SqlException, InterruptedException {
    String version = cluster.check();
    List<Path> libraries = libraries(script);
    surroundings.interruptions().onInterrupt(Thread.currentThread()::interrupt);
    say("submitting %s to Flink %s".formatted(script.name(), version));
    String id = cluster.submit(script, secrets, libraries, this::say);
    say("the cluster has job %s: %s".formatted(id, cluster.page(id)));
    FlinkWait waiting = new FlinkWait(surroundings, cluster, id);
    FlinkJob job = noWait ? waiting.atOnce() : waiting.untilUp(script.isBatch());
    Answers answers = new Answers(surroundings.out());
    if (output.wantsJson()) {
      answers.json(
          Map.of("job", id, "name", script.name(), "state", job.state(), "page", cluster.page(id)));
    } else {
      answers.text(
          "job    %s%nstate  %s%npage   %s%n".formatted(id, job.state(), cluster.page(id)));
    }
    if (noWait) {
      FlinkNeeds.ofJob(script).forEach(this::say);
    } else if (!script.isBatch()
        && !job.state().equals("FINISHED")
        && lacksCheckpoints(cluster, id)) {
      say(
          "the job makes no checkpoints, so it would begin anew after a failure, and sinks of files"
              + " and transactions would complete nothing: SET 'execution.checkpointing.interval' ="
              + " '10 s'");
    }
  }

  private static boolean lacksCheckpoints(FlinkCluster cluster, String id) {
    try {
      return !cluster.makesCheckpoints(id);
    } catch (JobException e) {
      return false; // The job runs, which has been said.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** The jars that functions name, less those that the cluster has. */
  private static List<Path> ofFunctions(FlinkScript script) {
    return script.jars().stream()
        .map(Path::of)
        .filter(jar -> !FLINKS_OWN.matcher(String.valueOf(jar.getFileName())).matches())
        .sorted()
        .toList();
  }

  private List<Path> libraries(FlinkScript script) throws JobException {
    Set<Path> libraries = new TreeSet<>();
    Stream.concat(ofFunctions(script).stream(), jars.stream())
        .map(surroundings.directory()::resolve)
        .forEach(libraries::add);
    for (Path jar : libraries) {
      if (!Files.isReadable(jar) || Files.isDirectory(jar)) {
        throw new JobException(
            FailureCode.FILE_NOT_READABLE, "the jar %s cannot be read".formatted(jar));
      }
    }
    return List.copyOf(libraries);
  }

  /** The values that go along: those of the file, and none of this machine's environment. */
  private Map<String, String> secrets(FlinkScript script) throws JobException {
    Map<String, String> values = new HashMap<>();
    if (secretsFile == null) {
      return values;
    }
    Properties known = SecretProperties.read("--secrets-file", secretsFile, surroundings);
    for (String name : script.secrets()) {
      String value = known.getProperty(name, "");
      if (!value.isEmpty()) {
        values.put(name, value);
      }
    }
    return values;
  }

  private void say(String what) {
    surroundings.err().println("sedge: " + what);
  }
}
