package io.sedge.cli.internal;

import io.sedge.cli.internal.connect.Proposal;
import io.sedge.cli.internal.connect.Sample;
import io.sedge.cli.internal.connect.Samples;
import io.sedge.cli.internal.connect.Sampling;
import io.sedge.cli.internal.connect.TableOptions;
import io.sedge.cli.internal.output.Quantities;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.Connectors;
import io.sedge.sql.Job;
import io.sedge.sql.SqlException;
import io.sedge.task.FailureCode;
import io.sedge.task.JobCounters;
import io.sedge.task.JobException;
import io.sedge.task.Printable;
import io.sedge.task.RunOptions;
import io.sedge.task.Secrets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Looks at what a broker or a server has, by a job that reads all of it for a while. What was found
 * goes to standard error. Nothing is written, and no session or message of anybody else is touched.
 */
final class Browsing {
  /** Levels below the folder of objects; servers have four to six as a rule. */
  private static final int DEEPEST = 10;

  /** A server that has shown nothing new for so long has shown all, while values come. */
  private static final long QUIET_NANOS = 5_000_000_000L;

  /** How a connector ends that goes on trying; whoever has looked does not. */
  private static final Pattern AGAIN =
      Pattern.compile("; (?:it is tried again|next attempt in [^;]*)$");

  private static final int SHOWN = 40;
  private static final int SHOWN_CHARACTERS = 60;

  /** What would make this a reader of somebody else's. */
  private static final Set<String> IDENTITIES =
      Set.of("client-id", "share-group", "shard.by", "shard.values", "properties.group.id");

  /** What says where and what is looked at, each with what says it here. */
  private static final Map<String, String> PLACES =
      Map.of(
          "connector", "the address",
          "url", "the address",
          "properties.bootstrap.servers", "the address",
          "topic", "--topic",
          "table-name", "--table",
          "nodes", "the address, below which all nodes are looked at");

  private static final Pattern REFERENCE = Pattern.compile("\\$\\{secret:[^}]+}");

  /** A login of Kafka whose password, or which as a whole, is a secret's name. */
  private static final Pattern JAAS_SECRET =
      Pattern.compile("^\\$\\{secret:[^}]+}$|password\\s*=\\s*[\"']?\\$\\{secret:[^}]+}");

  private final Surroundings surroundings;
  private final RunSecrets secrets;
  private final Path data;

  /**
   * @param secrets that options may name
   * @param data the directory that such a job has
   */
  Browsing(Surroundings surroundings, RunSecrets secrets, Path data) {
    this.surroundings = surroundings;
    this.secrets = secrets;
    this.data = data;
  }

  /**
   * What is looked at.
   *
   * @param url {@code mqtt://}, {@code mqtts://} or {@code opc.tcp://}
   * @param topic the filter of the topics
   * @param options of the table: a user name, certificates
   * @param time for how long; empty for as long as is usual
   */
  record Place(String url, String topic, Map<String, String> options, Optional<Duration> time) {
    Place {
      options = new LinkedHashMap<>(options);
    }
  }

  /** How a connector is asked, and what comes of it. */
  private enum Far {
    BROKER("mqtt", "topic", "topic STRING METADATA, payload STRING", Duration.ofSeconds(10)) {
      @Override
      Map<String, String> reading(String topic) {
        return Map.of("topic", topic, "qos", "0", "format", "raw");
      }

      @Override
      Proposal proposal(List<Sample> samples, Map<String, String> connection) {
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
      Proposal proposal(List<Sample> samples, Map<String, String> connection) {
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

    abstract Proposal proposal(List<Sample> samples, Map<String, String> connection);
  }

  /**
   * What to read of it; waits as long as it looks.
   *
   * @return empty if nothing was found that a table can name, which has been said
   * @throws JobException USAGE for a place or an option that cannot be; of what failed there
   */
  Optional<Proposal> propose(Place place) throws JobException, InterruptedException {
    Far far = far(place.url());
    checkOptions(place.options());
    Map<String, String> connection = new LinkedHashMap<>();
    connection.put("connector", far.connector);
    connection.put("url", place.url());
    connection.putAll(place.options());
    Samples samples = new Samples();
    Duration longest = place.time().orElse(far.time);
    AtomicReference<@Nullable String> trouble = new AtomicReference<>();
    JobCounters counters = read(far, place, connection, longest, samples, trouble);
    List<Sample> all = samples.all();
    if (all.isEmpty()) {
      String last = trouble.get();
      if (last != null && counters.malformed() == 0) {
        throw new JobException(
            FailureCode.CONNECTION_FAILED,
            "nothing was found at %s in %s: %s"
                .formatted(
                    place.url(),
                    Quantities.duration(longest),
                    AGAIN.matcher(last).replaceFirst("")));
      }
      surroundings.err().println(nothing(far, place.topic(), longest, counters));
      return Optional.empty();
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
    return Optional.of(far.proposal(all, connection)).filter(Proposal::hasTables);
  }

  /**
   * Refuses an address with a login, which is not shown again.
   *
   * @throws JobException USAGE
   */
  static void refuseLogin(String url) throws JobException {
    if (url.contains("@")) {
      throw new JobException(
          FailureCode.USAGE,
          "an address has no login, which would stand in the script: write --option username=NAME"
              + " --option 'password=${secret:NAME}'");
    }
  }

  private static Far far(String url) throws JobException {
    refuseLogin(url);
    String scheme = url.substring(0, Math.max(0, url.indexOf(':')));
    return switch (scheme) {
      case "mqtt", "mqtts" -> Far.BROKER;
      case "opc.tcp" -> Far.SERVER;
      default ->
          throw new JobException(
              FailureCode.USAGE,
              "%s cannot be browsed: write mqtt://HOST:1883, mqtts://HOST:8883, opc.tcp://HOST:4840%s. Modbus has no names to look through; `sedge connect test FILE` tries the tables of a script"
                  .formatted(
                      url,
                      Exploring.addresses().stream()
                          .map(", "::concat)
                          .collect(Collectors.joining())));
    };
  }

  /**
   * Refuses options that cannot be given.
   *
   * @throws JobException USAGE
   */
  static void checkOptions(Map<String, String> options) throws JobException {
    refusePasswords(options);
    refuseIdentities(options);
  }

  /** Arguments are seen by everybody on the machine. */
  private static void refusePasswords(Map<String, String> given) throws JobException {
    for (Map.Entry<String, String> option : given.entrySet()) {
      String key = option.getKey();
      if (key.endsWith("password") && !REFERENCE.matcher(option.getValue()).matches()) {
        throw new JobException(
            FailureCode.USAGE,
            "--option %1$s=… would show the password to everybody on this machine: write --option '%1$s=${secret:NAME}', and give its value with --secrets-file or $%2$s"
                .formatted(key, RunSecrets.variable("name")));
      }
      if (key.endsWith("sasl.jaas.config") && !JAAS_SECRET.matcher(option.getValue()).find()) {
        throw new JobException(
            FailureCode.USAGE,
            "--option %s=… would show the password to everybody on this machine: write password=\"${secret:NAME}\" in it, or all of it as ${secret:NAME}, and give the value with --secrets-file or $%s"
                .formatted(key, RunSecrets.variable("name")));
      }
    }
  }

  /** What would make this a reader of somebody else's, or of another place. */
  private static void refuseIdentities(Map<String, String> given) throws JobException {
    for (String key : given.keySet()) {
      if (IDENTITIES.contains(key)) {
        throw new JobException(
            FailureCode.USAGE,
            "--option %s=… cannot be given here: a job of that name could lose its messages"
                .formatted(key));
      }
      if (PLACES.containsKey(key)) {
        throw new JobException(
            FailureCode.USAGE,
            "--option %s=… cannot be given here: %s says it".formatted(key, PLACES.get(key)));
      }
    }
  }

  private JobCounters read(
      Far far,
      Place place,
      Map<String, String> connection,
      Duration longest,
      Samples samples,
      AtomicReference<@Nullable String> trouble)
      throws JobException, InterruptedException {
    Map<String, String> options = new LinkedHashMap<>(connection);
    options.putAll(far.reading(place.topic()));
    String script =
        "CREATE TABLE found (%s) %s;%nSELECT * FROM found;%n"
            .formatted(far.columns, TableOptions.text(options));
    Connectors connectors = Connectors.installed(Browsing.class.getClassLoader());
    Job job = compile(connectors, script);
    Secrets values = secrets.read(job, surroundings);
    surroundings
        .err()
        .printf("looking at %s for %s …%n", place.url(), Quantities.duration(longest));
    long[] newest = {surroundings.nanoClock().getAsLong()};
    return new Sampling(connectors.byName(), surroundings.clock(), surroundings.nanoClock())
        .run(
            job,
            RunOptions.in(surroundings.directory())
                .withData(data)
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
              if (severity == Severity.INFO && message.contains("connected to")) {
                trouble.set(null);
              } else if (severity != Severity.INFO) {
                String said = message.replace("table found: ", "");
                surroundings.err().println(said);
                // Of a server without security that is always said.
                if (!said.contains("'security-policy' = 'None'")) {
                  trouble.set(said);
                }
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

  private static String nothing(Far far, String topic, Duration longest, JobCounters counters) {
    if (counters.malformed() > 0) {
      return "%,d messages came, and none is text: another format, such as Sparkplug B"
          .formatted(counters.malformed());
    }
    return far == Far.BROKER
        ? "nothing came on '%s' in %s: ask for longer (--time 1min), or see whether this user may read these topics"
            .formatted(topic, Quantities.duration(longest))
        : "nothing was found below the server's Objects folder in %s: it has no variable with a value there, this user may not read them, or it takes longer (--time 1min)"
            .formatted(Quantities.duration(longest));
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
                    TextTable.shortened(Printable.text(sample.payload()), SHOWN_CHARACTERS)));
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
}
