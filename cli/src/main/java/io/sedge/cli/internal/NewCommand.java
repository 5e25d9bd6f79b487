package io.sedge.cli.internal;

import io.sedge.cli.internal.connect.FirstScript;
import io.sedge.cli.internal.connect.Proposal;
import io.sedge.connector.Connectors;
import io.sedge.sql.SqlException;
import io.sedge.task.FailureClass;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import io.sedge.task.Printable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sedge new}. */
@Command(
    name = "new",
    header = "Asks at most five questions and writes a script that runs.",
    description = {
      "It asks where readings come from, which topics, what is wanted of them, for how long a"
          + " window",
      "or above which limit, and where rows go. An option answers a question. Where standard input",
      "ends, what is proposed is taken: machine, #, windows, 10s, terminal. A broker or an OPC UA",
      "server is looked at, as `sedge connect browse` does."
    },
    footer = {
      "Examples:",
      "  sedge new plant.sql",
      "  sedge new plant.sql --from mqtt://localhost:1883 --topic 'plant/#' --want windows \\",
      "    --every 1min --to results",
      "  sedge new hot.sql --from opc.tcp://10.0.0.5:4840 --want above --above 80 --to terminal",
      "",
      "Exit codes: 0 the script is written, 2 wrong usage, 3 nothing was found, or the far end"
          + " failed."
    })
final class NewCommand extends CommandOptions implements Callable<Integer> {

  /** What this machine measures of itself. */
  private static final String SENSORS =
      """
      CREATE TABLE sensors (
        quantity STRING,                -- which sensor: cpu.load.0, memory.used, disk.sda.written
        unit STRING,
        reading DOUBLE,
        ts TIMESTAMP_LTZ(3),
        WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
      ) WITH (
        'connector' = 'host',
        'sampling.rate' = '10 Hz'
      );

      """;

  private static final Proposal.Found SENSOR_TABLE =
      new Proposal.Found(
          "sensors", "", List.of("quantity", "unit"), Map.of("reading", "DOUBLE"), "ts", 1);

  private final Surroundings surroundings;

  @Parameters(paramLabel = "FILE", description = "What is written; it must not be there yet.")
  private String file = "";

  @Option(
      names = "--from",
      paramLabel = "PLACE",
      order = 1,
      description = {
        "machine (this one's own sensors), mqtt://HOST:1883,",
        "mqtts://HOST:8883 or opc.tcp://HOST:4840."
      })
  private @Nullable String from;

  @Option(
      names = "--topic",
      paramLabel = "FILTER",
      order = 2,
      description = "The topics of a broker that are listened to.")
  private @Nullable String topic;

  @Option(
      names = "--want",
      paramLabel = "WHAT",
      order = 3,
      description = {
        "readings (each one), windows (count, mean, lowest, highest), or",
        "above (readings above a limit)."
      })
  private @Nullable String want;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      order = 4,
      description = "How long a window is: 1s to 99s, 1min to 99min, 1h to 99h.")
  private @Nullable String every;

  @Option(names = "--above", paramLabel = "NUMBER", order = 5, description = "The limit.")
  private @Nullable String above;

  @Option(
      names = "--to",
      paramLabel = "TARGET",
      order = 6,
      description = {
        "terminal, a directory (files of CSV), or mqtt://HOST:1883/TOPIC",
        "(messages of JSON)."
      })
  private @Nullable String to;

  @Option(
      names = "--option",
      paramLabel = "KEY=VALUE",
      order = 7,
      description = {
        "An option of the table of a broker or server: username=line3,",
        "'password=$${secret:broker}', a certificate; may be repeated."
      })
  private Map<String, String> given = new LinkedHashMap<>();

  @Option(
      names = "--time",
      paramLabel = "TIME",
      order = 8,
      converter = DurationConverter.class,
      description = "For how long a broker (10s) or server (30s) is looked at.")
  private @Nullable Duration time;

  @Mixin private final RunSecrets secrets = new RunSecrets();

  @Mixin private final DataDirectory data = new DataDirectory();

  private @Nullable BufferedReader answers;

  NewCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /** Reads what somebody has typed. */
  @FunctionalInterface
  private interface Reading<T> {
    /**
     * @throws JobException USAGE; the message says what may be typed
     */
    T read(String text) throws JobException;
  }

  /**
   * What the answers say.
   *
   * @param place empty for this machine
   * @param sink the options of the table of results; empty for the terminal
   */
  private record Wish(
      Optional<URI> place, String topics, FirstScript.Goal goal, Map<String, String> sink) {
    boolean isSameBroker() {
      return place.filter(uri -> NewAnswers.origin(uri).equals(sink.get("url"))).isPresent();
    }
  }

  @Override
  public Integer call() throws JobException, InterruptedException {
    checkOptions();
    Path path = surroundings.directory().resolve(file);
    checkFile(path);
    Wish wish = wish();
    if (wish.place().isEmpty()) {
      return write(path, SENSORS, SENSOR_TABLE, List.of(), wish);
    }
    Optional<Proposal> found =
        new Browsing(surroundings, secrets, data.path(surroundings))
            .propose(
                new Browsing.Place(
                    wish.place().get().toString(),
                    wish.topics(),
                    given,
                    Optional.ofNullable(time)));
    if (found.isEmpty()) {
      return FailureClass.EXTERNAL.exitCode();
    }
    Proposal.Found table = found.get().largest(!(wish.goal() instanceof FirstScript.Readings));
    check(table, wish);
    List<Proposal.Found> others =
        found.get().tables().stream().filter(other -> !other.equals(table)).toList();
    surroundings
        .err()
        .printf(
            "sedge: the script reads %s, which has %,d of these names%s%n",
            table.name(),
            table.members(),
            others.isEmpty() ? "" : "; it declares %d more tables".formatted(others.size()));
    return write(path, found.get().statements(), table, others, wish);
  }

  /** Whatever an option cannot say is refused before anything is asked. */
  private void checkOptions() throws JobException {
    boolean isOfMachine =
        read("--from", from, NewAnswers::place).filter(Optional::isEmpty).isPresent();
    var _ = read("--topic", topic, NewAnswers::notEmpty);
    var _ = read("--want", want, NewAnswers::wanted);
    var _ = read("--every", every, NewAnswers::window);
    var _ = read("--above", above, NewAnswers::number);
    var _ = read("--to", to, NewAnswers::sink);
    String goal = goalOfOptions();
    if ((every != null && !NewAnswers.WINDOWS.equals(goal))
        || (above != null && !NewAnswers.ABOVE.equals(goal))) {
      throw NewAnswers.usage("--every is for --want windows, --above for --want above");
    }
    if (isOfMachine && (topic != null || time != null || !given.isEmpty())) {
      throw NewAnswers.usage(
          "--topic, --time and --option are for a broker or a server, not for --from machine");
    }
    Browsing.checkOptions(given);
  }

  /** What is wanted as far as options say it; null if they do not. */
  private @Nullable String goalOfOptions() {
    return want != null
        ? want
        : every != null ? NewAnswers.WINDOWS : above != null ? NewAnswers.ABOVE : null;
  }

  private static <T> Optional<T> read(String name, @Nullable String text, Reading<T> reading)
      throws JobException {
    if (text == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(reading.read(text));
    } catch (JobException e) {
      throw new JobException(e.code(), "%s: %s".formatted(name, e.getMessage()), e);
    }
  }

  private void checkFile(Path path) throws JobException {
    if (file.equals(Script.STANDARD_INPUT) || !Printable.text(file).equals(file)) {
      throw NewAnswers.usage("FILE is the name of a file, such as plant.sql");
    }
    Path parent = path.toAbsolutePath().getParent();
    if (Files.exists(path)) {
      throw NewAnswers.usage(exists());
    }
    if (parent != null && !Files.isDirectory(parent)) {
      throw NewAnswers.usage("there is no directory for %s".formatted(file));
    }
  }

  private Wish wish() throws JobException {
    Optional<URI> place =
        ask(
            "Where do readings come from: machine, mqtt://HOST:1883 or opc.tcp://HOST:4840?",
            NewAnswers.MACHINE,
            from,
            NewAnswers::place);
    boolean isBroker =
        place.filter(uri -> String.valueOf(uri.getScheme()).startsWith("mqtt")).isPresent();
    String topics = isBroker ? ask("Which topics?", "#", topic, NewAnswers::notEmpty) : "#";
    FirstScript.Goal goal = goal();
    Map<String, String> sink =
        ask(
            "Where do rows go: terminal, a directory, or mqtt://HOST:1883/TOPIC?",
            NewAnswers.TERMINAL,
            to,
            NewAnswers::sink);
    Wish wish = new Wish(place, topics, goal, sink);
    if (wish.isSameBroker()) {
      given.forEach(sink::putIfAbsent); // The login, if there is one.
    }
    return wish;
  }

  private static void check(Proposal.Found table, Wish wish) throws JobException {
    if (wish.goal() instanceof FirstScript.Above && table.numbers().isEmpty()) {
      throw NewAnswers.usage("nothing that was found is a number, so nothing can be above a limit");
    }
    if (wish.goal() instanceof FirstScript.Windows && FirstScript.hasNamesOfWindows(table)) {
      throw NewAnswers.usage(
          "%s has a column window_start, window_end or window_time, as windows have: ask for readings, and write the windows by hand"
              .formatted(table.name()));
    }
    String topic = wish.sink().getOrDefault("topic", "");
    if (wish.isSameBroker() && table.reads(topic)) {
      throw NewAnswers.usage(
          "the script would read what it writes: %s is one of the topics of %s"
              .formatted(topic, table.name()));
    }
  }

  private FirstScript.Goal goal() throws JobException {
    String wanted =
        ask(
            "What is wanted: readings (each one), windows (count, mean, lowest, highest), above (a"
                + " limit)?",
            NewAnswers.WINDOWS,
            goalOfOptions(),
            NewAnswers::wanted);
    return switch (wanted) {
      case NewAnswers.WINDOWS ->
          new FirstScript.Windows(ask("Of how long?", "10s", every, NewAnswers::window));
      case NewAnswers.ABOVE ->
          new FirstScript.Above(ask("Above which value?", "", above, NewAnswers::number));
      default -> new FirstScript.Readings();
    };
  }

  /**
   * What an option says; else what is typed, asked for again until it can be; else, where standard
   * input ends before anything was typed, what is proposed.
   */
  private <T> T ask(String question, String proposed, @Nullable String option, Reading<T> reading)
      throws JobException {
    if (option != null) {
      return reading.read(option);
    }
    JobException refused = null;
    while (true) {
      surroundings
          .err()
          .print(proposed.isEmpty() ? question + " " : "%s [%s] ".formatted(question, proposed));
      surroundings.err().flush();
      Optional<String> line = line();
      if (line.isEmpty()) {
        surroundings.err().println();
        if (refused != null) {
          throw refused;
        }
        return reading.read(proposed);
      }
      try {
        return reading.read(line.get().isBlank() ? proposed : line.get().strip());
      } catch (JobException e) {
        refused = e;
        surroundings.err().println(e.getMessage());
      }
    }
  }

  private Optional<String> line() throws JobException {
    try {
      if (answers == null) {
        answers =
            new BufferedReader(new InputStreamReader(surroundings.in(), StandardCharsets.UTF_8));
      }
      return Optional.ofNullable(answers.readLine());
    } catch (IOException e) {
      throw new JobException(
          FailureCode.FILE_NOT_READABLE, "standard input cannot be read: " + e, e);
    }
  }

  /** Writes what is accepted. */
  private int write(
      Path path, String statements, Proposal.Found table, List<Proposal.Found> others, Wish wish)
      throws JobException {
    String quoted = file.matches("[\\w./-]+") ? file : "'" + file.replace("'", "'\\''") + "'";
    StringBuilder text = new StringBuilder();
    text.append("-- Made by `sedge new`; names, delays and the query are yours to change.\n--\n");
    text.append("--   sedge run ").append(quoted).append("\n\n").append(statements);
    text.append(FirstScript.of(table, wish.goal(), wish.sink()));
    others.forEach(other -> text.append("-- SELECT * FROM ").append(other.name()).append(";\n"));
    try {
      var _ =
          new Script(file, text.toString(), surroundings.directory())
              .compile(
                  Connectors.installed(NewCommand.class.getClassLoader()), surroundings, Map.of());
      Files.writeString(path, text, StandardOpenOption.CREATE_NEW);
    } catch (SqlException e) {
      throw new JobException(FailureCode.USAGE, e.problems().getFirst().message(), e);
    } catch (FileAlreadyExistsException e) {
      throw new JobException(FailureCode.USAGE, exists(), e);
    } catch (IOException e) {
      throw new JobException(
          FailureCode.FILE_FAILED, "%s cannot be written: %s".formatted(file, e), e);
    }
    surroundings
        .err()
        .printf(
            "sedge: %s is written; it is yours to change: sedge run %s%s%n",
            file, quoted, text.indexOf("${secret:") < 0 ? "" : " --secrets-file FILE");
    return 0;
  }

  private String exists() {
    return "%s is there already: name another file".formatted(file);
  }
}
