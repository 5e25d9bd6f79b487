package io.sedge.cli.internal;

import io.sedge.cli.internal.connect.Proposal;
import io.sedge.cli.internal.connect.Sample;
import io.sedge.cli.internal.connect.Samples;
import io.sedge.cli.internal.connect.Sampling;
import io.sedge.cli.internal.output.Quantities;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.Connectors;
import io.sedge.sql.Job;
import io.sedge.sql.SqlException;
import io.sedge.task.FailureClass;
import io.sedge.task.FailureCode;
import io.sedge.task.JobCounters;
import io.sedge.task.JobException;
import io.sedge.task.Printable;
import io.sedge.task.RunOptions;
import io.sedge.task.Secrets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sedge connect browse}. */
@Command(
    name = "browse",
    header = "Shows what a broker or server has, and writes the CREATE TABLE for it.",
    description = {
      "Listens to an MQTT broker for a while, or walks through an OPC UA server. What was found"
          + " goes to",
      "standard error, a script that reads it to standard output. Nothing is written, and no"
          + " session or",
      "message of anybody else is touched."
    },
    footer = {
      "Examples:",
      "  sedge connect browse mqtt://localhost:1883",
      "  sedge connect browse mqtt://localhost:1883 --topic 'plant/#' --time 1min > plant.sql",
      "  sedge connect browse opc.tcp://10.0.0.5:4840",
      "  sedge connect browse mqtts://broker:8883 --option username=line3 \\",
      "    --option 'password=$${secret:broker}' --secrets-file secrets",
      "",
      "Exit codes: 0 something was found, 2 wrong usage, 3 nothing was found, or the far end"
          + " failed."
    })
final class ConnectBrowseCommand extends CommandOptions implements Callable<Integer> {
  /** Levels below the folder of objects; servers have four to six as a rule. */
  private static final int DEEPEST = 10;

  /** A server that has shown nothing new for so long has shown all, while values come. */
  private static final long QUIET_NANOS = 5_000_000_000L;

  private static final int SHOWN = 40;
  private static final int SHOWN_CHARACTERS = 60;

  private static final Set<String> NOT_GIVEN =
      Set.of(
          "connector",
          "url",
          "client-id",
          "share-group",
          "shard.by",
          "shard.values",
          "topic",
          "nodes");

  private static final Pattern REFERENCE = Pattern.compile("\\$\\{secret:[^}]+}");

  private final Surroundings surroundings;

  @Parameters(
      paramLabel = "URL",
      description = "mqtt://HOST:1883, mqtts://HOST:8883 or opc.tcp://HOST:4840.")
  private String url = "";

  @Option(
      names = "--topic",
      paramLabel = "FILTER",
      defaultValue = "#",
      description = "The topics that are listened to (default: ${DEFAULT-VALUE}, all of them).")
  private String topic = "#";

  @Option(
      names = "--time",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = {
        "For how long (default: 10s; of a server 30s, or until nothing new",
        "is found)."
      })
  private @Nullable Duration time;

  @Option(
      names = "--option",
      paramLabel = "KEY=VALUE",
      description = {
        "An option of the table, as in WITH (…): a user name, certificates,",
        "a security policy; may be repeated."
      })
  private Map<String, String> given = new LinkedHashMap<>();

  @Mixin private final RunSecrets secrets = new RunSecrets();

  @Mixin private final DataDirectory data = new DataDirectory();

  ConnectBrowseCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /** How a connector is asked, and what comes of it. */
  private enum Far {
    BROKER("mqtt", "topic", "topic STRING METADATA, payload STRING", Duration.ofSeconds(10)) {
      @Override
      Map<String, String> reading(String topic) {
        return Map.of("topic", topic, "qos", "0", "format", "raw");
      }

      @Override
      String proposal(List<Sample> samples, Map<String, String> connection) {
        return Proposal.ofTopics(samples, connection);
      }
    },

    SERVER("opc-ua", "node", "node STRING METADATA, `value` STRING", Duration.ofSeconds(30)) {
      @Override
      Map<String, String> reading(String topic) {
        String paths =
            IntStream.rangeClosed(1, DEEPEST)
                .mapToObj(depth -> "/Objects" + "/*".repeat(depth))
                .collect(Collectors.joining(";"));
        // As little as shows what there is: servers have limits that all their clients share.
        return Map.of(
            "nodes",
            paths,
            "history",
            "false",
            "bad-values",
            "drop",
            "queue-size",
            "1",
            "sampling-interval",
            "5 s");
      }

      @Override
      String proposal(List<Sample> samples, Map<String, String> connection) {
        return Proposal.ofNodes(samples, connection);
      }
    };

    private final String connector;
    private final String name;
    private final String columns;
    private final Duration time;

    Far(String connector, String name, String columns, Duration time) {
      this.connector = connector;
      this.name = name;
      this.columns = columns;
      this.time = time;
    }

    /** Whether it is what somebody has made, not a part of what the server is. */
    boolean isOfUsers(String found) {
      return this == BROKER || found.startsWith("ns");
    }

    /** The options of a table that reads all there is. */
    abstract Map<String, String> reading(String topic);

    abstract String proposal(List<Sample> samples, Map<String, String> connection);
  }

  @Override
  public Integer call() throws JobException, InterruptedException {
    Far far = far();
    refusePasswords();
    refuseIdentities();
    Map<String, String> connection = new LinkedHashMap<>();
    connection.put("connector", far.connector);
    connection.put("url", url);
    connection.putAll(given);
    connection.replaceAll((_, value) -> value.replace("'", "''"));
    Samples samples = new Samples();
    Duration longest = time == null ? far.time : time;
    AtomicBoolean warned = new AtomicBoolean();
    JobCounters counters = read(far, connection, longest, samples, warned);
    List<Sample> all = samples.all();
    if (all.isEmpty()) {
      if (!warned.get() || counters.malformed() > 0) {
        surroundings.err().println(nothing(far, longest, counters));
      }
      return FailureClass.EXTERNAL.exitCode();
    }
    show(far, samples, counters);
    long unusable = all.stream().filter(sample -> !Proposal.isUsable(sample)).count();
    if (unusable > 0) {
      surroundings
          .err()
          .printf(
              "%,d of them cannot be named in a table: there is one of {}*+;, or a character that"
                  + " is not shown, in the name%n",
              unusable);
    }
    String proposal = far.proposal(all, connection);
    new Answers(surroundings.out()).text(proposal);
    return proposal.isEmpty() ? FailureClass.EXTERNAL.exitCode() : 0;
  }

  private Far far() throws JobException {
    String scheme = url.substring(0, Math.max(0, url.indexOf(':')));
    return switch (scheme) {
      case "mqtt", "mqtts" -> Far.BROKER;
      case "opc.tcp" -> Far.SERVER;
      default ->
          throw new JobException(
              FailureCode.USAGE,
              "%s cannot be browsed: write mqtt://HOST:1883, mqtts://HOST:8883 or opc.tcp://HOST:4840. Modbus has no names to look through; `sedge connect test FILE` tries the tables of a script"
                  .formatted(url));
    };
  }

  /** Arguments are seen by everybody on the machine. */
  private void refusePasswords() throws JobException {
    for (Map.Entry<String, String> option : given.entrySet()) {
      String key = option.getKey();
      if (key.endsWith("password") && !REFERENCE.matcher(option.getValue()).matches()) {
        throw new JobException(
            FailureCode.USAGE,
            "--option %1$s=… would show the password to everybody on this machine: write --option '%1$s=${secret:NAME}', and give its value with --secrets-file or $%2$s"
                .formatted(key, RunSecrets.variable("name")));
      }
    }
  }

  /** What would make this a reader of somebody else's, or of another place. */
  private void refuseIdentities() throws JobException {
    for (String key : given.keySet()) {
      if (NOT_GIVEN.contains(key)) {
        throw new JobException(
            FailureCode.USAGE,
            "--option %s=… cannot be given here: a job of that name could lose its messages"
                .formatted(key));
      }
    }
  }

  private JobCounters read(
      Far far,
      Map<String, String> connection,
      Duration longest,
      Samples samples,
      AtomicBoolean warned)
      throws JobException, InterruptedException {
    Map<String, String> options = new LinkedHashMap<>(connection);
    options.putAll(far.reading(topic.replace("'", "''")));
    String script =
        "CREATE TABLE found (%s) WITH (%s);%nSELECT * FROM found;%n"
            .formatted(
                far.columns,
                options.entrySet().stream()
                    .map(option -> "'%s' = '%s'".formatted(option.getKey(), option.getValue()))
                    .collect(Collectors.joining(", ")));
    Connectors connectors = Connectors.installed(ConnectBrowseCommand.class.getClassLoader());
    Job job = compile(connectors, script);
    Secrets values = secrets.read(job, surroundings);
    surroundings.err().printf("looking at %s for %s …%n", url, Quantities.duration(longest));
    long[] newest = {surroundings.nanoClock().getAsLong()};
    return new Sampling(connectors.byName(), surroundings.clock(), surroundings.nanoClock())
        .run(
            job,
            RunOptions.in(surroundings.directory())
                .withData(data.path(surroundings))
                .withSecrets(values)
                .withDuration(Optional.of(longest)),
            cells -> {
              long now = surroundings.nanoClock().getAsLong();
              if (far.isOfUsers(cells.getFirst()) && samples.add(cells.getFirst(), cells.get(1))) {
                newest[0] = now;
              }
              return far == Far.BROKER || now - newest[0] < QUIET_NANOS;
            },
            (severity, message) -> {
              if (severity != Severity.INFO) {
                surroundings.err().println(message.replace("table found: ", ""));
                // Of a server without security that is always said.
                warned.set(warned.get() || !message.contains("'security-policy' = 'None'"));
              }
            },
            stop -> surroundings.interruptions().onInterrupt(stop));
  }

  /** What is wrong with it can only be an option of the user's. */
  private Job compile(Connectors connectors, String script) throws JobException {
    try {
      return new Script("browse", script, surroundings.directory())
          .compile(connectors, surroundings, Map.of());
    } catch (SqlException e) {
      throw new JobException(
          FailureCode.USAGE, e.problems().getFirst().message().replace("table found: ", ""), e);
    }
  }

  private String nothing(Far far, Duration longest, JobCounters counters) {
    if (counters.malformed() > 0) {
      return "%,d messages came, and none is text: another format, such as Sparkplug B"
          .formatted(counters.malformed());
    }
    return far == Far.BROKER
        ? "nothing came on '%s' in %s: ask for longer (--time 1min), or see whether this user may read these topics"
            .formatted(topic, Quantities.duration(longest))
        : "the server has no variable with a value below its Objects folder, or this user may not"
            + " read them";
  }

  private void show(Far far, Samples samples, JobCounters counters) {
    TextTable table = new TextTable(far.name, ">values", "the first");
    List<Sample> all = samples.all();
    all.stream()
        .limit(SHOWN)
        .forEach(
            sample ->
                table.add(
                    Printable.text(sample.name()),
                    "%,d".formatted(sample.count()),
                    shortened(Printable.text(sample.payload()))));
    table.lines().forEach(surroundings.err()::println);
    if (all.size() > SHOWN) {
      surroundings.err().printf("and %,d more%n", all.size() - SHOWN);
    }
    if (samples.leftOut() > 0) {
      surroundings
          .err()
          .printf("and %,d values of further ones, which are left out%n", samples.leftOut());
    }
    if (counters.malformed() > 0) {
      surroundings
          .err()
          .printf("and %,d messages that are no text, which are left out%n", counters.malformed());
    }
    surroundings.err().println();
  }

  private static String shortened(String text) {
    return text.length() <= SHOWN_CHARACTERS ? text : text.substring(0, SHOWN_CHARACTERS) + "…";
  }
}
