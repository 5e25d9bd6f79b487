package io.sedge.cli.internal;

import io.sedge.cli.internal.connect.Sampling;
import io.sedge.cli.internal.output.Quantities;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.Connectors;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.sql.Job;
import io.sedge.sql.SqlException;
import io.sedge.task.FailureClass;
import io.sedge.task.FailureCode;
import io.sedge.task.JobCounters;
import io.sedge.task.JobException;
import io.sedge.task.Printable;
import io.sedge.task.RunOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sedge connect test}. */
@Command(
    name = "test",
    header = "Tries each table that a script's queries read, and says what is wrong.",
    description = {
      "Opens the tables one after the other and reads a few rows of each. No sink is opened, and",
      "nothing is computed. A job that runs keeps its session at the broker: this is a stranger."
    },
    footer = {
      "Examples:",
      "  sedge connect test plant.sql",
      "  sedge connect test plant.sql --time 1min",
      "",
      "Exit codes: 0 each table gave rows, 2 wrong script or usage, 3 some table gave none, or was",
      "not tried."
    })
final class ConnectTestCommand extends CommandOptions implements Callable<Integer> {
  private static final int ENOUGH_ROWS = 3;
  private static final int SHOWN_CHARACTERS = 100;

  /** Kafka keeps for it what has been read. */
  private static final String KAFKA_GROUP = "properties.group.id";

  /** Its senders forget what this reader would take. */
  private static final String ANSWERS_SENDERS = "webhook";

  private static final String KAFKA_START = "scan.startup.";

  /** Options by which a far end would take this reader for the job's. */
  private static final Set<String> IDENTITIES = Set.of("client-id", "share-group", KAFKA_GROUP);

  private final Surroundings surroundings;

  @Mixin private final ScriptOptions options = new ScriptOptions();

  @Option(
      names = "--time",
      paramLabel = "TIME",
      defaultValue = "10s",
      converter = DurationConverter.class,
      description = "How long each table may take (default: ${DEFAULT-VALUE}).")
  private Duration time = Duration.ofSeconds(10);

  @Mixin private final SettingOptions given = new SettingOptions();

  @Mixin private final RunSecrets secrets = new RunSecrets();

  @Mixin private final DataDirectory data = new DataDirectory();

  ConnectTestCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws JobException, ScriptRefusedException, InterruptedException {
    Script script = options.read(surroundings);
    Connectors connectors = Connectors.installed(ConnectTestCommand.class.getClassLoader());
    Job job;
    try {
      job = script.compile(connectors, surroundings, given.settings());
    } catch (SqlException e) {
      throw new ScriptRefusedException(script, e);
    }
    if (job.sources().isEmpty()) {
      throw new JobException(
          FailureCode.SCRIPT_NOT_ACCEPTED,
          "nothing was tried: the queries of %s read no table".formatted(script.file()));
    }
    Answers answers = new Answers(surroundings.out());
    AtomicBoolean interrupted = new AtomicBoolean();
    boolean all = true;
    for (Map.Entry<String, Job.SourceTable> source : new TreeMap<>(job.sources()).entrySet()) {
      if (!interrupted.get()) {
        all &= test(job, source.getValue(), connectors, answers, interrupted);
      }
    }
    return all && !interrupted.get() ? 0 : FailureClass.EXTERNAL.exitCode();
  }

  /** Whether the table gives rows. */
  private boolean test(
      Job job,
      Job.SourceTable source,
      Connectors connectors,
      Answers answers,
      AtomicBoolean interrupted)
      throws InterruptedException {
    String title = "%s (%s)".formatted(source.table().name(), source.connector());
    if (source.connector().equals(ANSWERS_SENDERS)) {
      answers.text(
          "%s: NOT TRIED, since a sender would be told that its rows are counted%n"
              .formatted(title));
      return false;
    }
    Job reading = reading(job, source);
    surroundings.err().printf("%s: trying for up to %s …%n", title, Quantities.duration(time));
    List<List<String>> rows = new ArrayList<>();
    List<String> said = new ArrayList<>();
    try {
      JobCounters counters =
          new Sampling(connectors.byName(), surroundings.clock(), surroundings.nanoClock())
              .run(
                  reading,
                  RunOptions.in(surroundings.directory())
                      .withData(data.path(surroundings))
                      .withSecrets(secrets.read(reading, surroundings))
                      .withDuration(Optional.of(time)),
                  cells -> {
                    rows.add(cells);
                    return rows.size() < ENOUGH_ROWS;
                  },
                  (severity, message) -> {
                    if (severity != Severity.INFO) {
                      synchronized (said) {
                        said.add(message);
                      }
                    }
                  },
                  stop ->
                      surroundings
                          .interruptions()
                          .onInterrupt(
                              () -> {
                                interrupted.set(true);
                                stop.run();
                              }));
      answers.text(result(title, source, rows, said, counters));
      return !rows.isEmpty();
    } catch (JobException e) {
      answers.text("%s: FAILED%n  %s".formatted(title, e.getMessage()));
      return false;
    }
  }

  private static String result(
      String title,
      Job.SourceTable source,
      List<List<String>> rows,
      List<String> said,
      JobCounters counters) {
    StringBuilder text = new StringBuilder(title);
    if (!rows.isEmpty()) {
      text.append(": ok\n");
      List<String> names = source.table().schema().names();
      for (List<String> row : rows) {
        text.append("  ")
            .append(TextTable.shortened(Printable.text(line(names, row)), SHOWN_CHARACTERS))
            .append("\n");
      }
    } else if (counters.malformed() > 0) {
      text.append(": NO ROWS, ")
          .append("%,d payloads could not be decoded%n".formatted(counters.malformed()));
    } else {
      text.append(": NO ROWS, nothing came\n");
    }
    synchronized (said) {
      said.stream().distinct().forEach(message -> text.append("  ").append(message).append("\n"));
    }
    return text.toString();
  }

  private static String line(List<String> names, List<String> row) {
    List<String> cells = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      cells.add(names.get(i) + "=" + row.get(i));
    }
    return String.join(" ", cells);
  }

  /** A job that shows what the table has, as its connector gives it. */
  private static Job reading(Job job, Job.SourceTable source) {
    TableDescriptor table = source.table();
    Map<String, String> own = new TreeMap<>(table.options());
    own.keySet().removeAll(IDENTITIES);
    if (source.connector().equals("mqtt")) {
      own.put("clean-start", "true");
    } else if (table.options().containsKey(KAFKA_GROUP)) {
      own.keySet().removeIf(key -> key.startsWith(KAFKA_START));
      own.put(KAFKA_START + "mode", "earliest-offset");
    }
    TableDescriptor stranger =
        new TableDescriptor(
            table.name(),
            table.schema(),
            table.metadata(),
            table.primaryKey(),
            table.partitionKeys(),
            own,
            table.location());
    String query = Job.QUERY_PREFIX + 1;
    PlanNode scan = new PlanNode.Scan(table.name(), table.schema());
    return new Job(
        job.name(),
        job.settings(),
        List.of(),
        Map.of(
            table.name(),
            new Job.SourceTable(stranger, source.connector(), Optional.empty(), Optional.empty())),
        Map.of(
            query,
            new Job.SinkTable(
                new TableDescriptor(
                    query, table.schema(), Map.of(), List.of(), List.of(), Map.of(), ""),
                Job.TERMINAL,
                false)),
        new Plan(List.of(new Plan.SinkNode(query, scan))),
        job.functions(),
        job.aggregates());
  }
}
