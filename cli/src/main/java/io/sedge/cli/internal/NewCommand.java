package io.sedge.cli.internal;

import io.sedge.cli.internal.connect.FirstScript;
import io.sedge.cli.internal.connect.Proposal;
import io.sedge.connector.Connectors;
import io.sedge.sql.SqlException;
import io.sedge.task.FailureClass;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
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
import picocli.CommandLine.TypeConversionException;

/** {@code sedge new}. */
@Command(
    name = "new",
    header = "Asks at most five questions and writes a script that runs.",
    description = {
      "Where readings come from, which, what is wanted of them, of how long a window or above"
          + " which",
      "limit, and where the rows go. What an option answers is not asked; where standard input"
          + " ends,",
      "the rest is as proposed. A broker or an OPC UA server is looked at, as `sedge connect"
          + " browse`",
      "does; the script reads what most of its names have in common."
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
  private static final String MACHINE = "machine";
  private static final String TERMINAL = "terminal";

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
      new Proposal.Found("sensors", List.of("quantity", "unit"), List.of("reading"), "ts");

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
      description = "How long a window is: 10s, 5min, 1h.")
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
        "An option of the source's table: a user name, certificates, a",
        "security policy; may be repeated."
      })
  private Map<String, String> given = new LinkedHashMap<>();

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

  @Override
  public Integer call() throws JobException, InterruptedException {
    Path path = surroundings.directory().resolve(file);
    if (Files.exists(path)) {
      throw usage(exists());
    }
    Optional<URI> place =
        ask(
            "Where do readings come from: machine, mqtt://HOST:1883 or opc.tcp://HOST:4840?",
            MACHINE,
            from,
            NewCommand::place);
    boolean isBroker = place.isPresent() && place.get().getScheme().startsWith("mqtt");
    String topics = isBroker ? ask("Which topics?", "#", topic, NewCommand::notEmpty) : "#";
    FirstScript.Goal goal = goal();
    Map<String, String> sink =
        ask(
            "Where do rows go: terminal, a directory, or mqtt://HOST:1883/TOPIC?",
            TERMINAL,
            to,
            NewCommand::sink);
    String statements = SENSORS;
    Proposal.Found table = SENSOR_TABLE;
    if (place.isPresent()) {
      Optional<Proposal> found =
          new Browsing(surroundings, secrets, data.path(surroundings))
              .propose(new Browsing.Place(place.get().toString(), topics, given, Optional.empty()));
      if (found.isEmpty()) {
        return FailureClass.EXTERNAL.exitCode();
      }
      statements = found.get().statements();
      table = found.get().first();
    }
    if (goal instanceof FirstScript.Above && table.values().isEmpty()) {
      throw usage("%s has no number that could be above a limit".formatted(table.name()));
    }
    write(path, begin() + statements + FirstScript.of(table, goal, sink));
    surroundings
        .err()
        .printf("sedge: %1$s is written; it is yours to change: sedge run %1$s%n", file);
    return 0;
  }

  private FirstScript.Goal goal() throws JobException {
    String wanted =
        ask(
            "What is wanted: readings (each one), windows (count, mean, lowest, highest), above (a"
                + " limit)?",
            every != null ? "windows" : above != null ? "above" : "windows",
            want,
            NewCommand::wanted);
    return switch (wanted) {
      case "windows" ->
          new FirstScript.Windows(ask("Of how long?", "10s", every, NewCommand::window));
      case "above" ->
          new FirstScript.Above(ask("Above which value?", "80", above, NewCommand::number));
      default -> new FirstScript.Readings();
    };
  }

  /**
   * What an option says; else what is typed, asked for again until it can be; else, where standard
   * input has ended, what is proposed.
   */
  private <T> T ask(String question, String proposed, @Nullable String option, Reading<T> reading)
      throws JobException {
    if (option != null) {
      return reading.read(option);
    }
    while (true) {
      surroundings.err().printf("%s [%s] ", question, proposed);
      surroundings.err().flush();
      Optional<String> line = line();
      if (line.isEmpty()) {
        surroundings.err().println();
        return reading.read(proposed);
      }
      try {
        return reading.read(line.get().isBlank() ? proposed : line.get().strip());
      } catch (JobException e) {
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

  /** Empty for this machine. */
  private static Optional<URI> place(String text) throws JobException {
    if (text.equals(MACHINE)) {
      return Optional.empty();
    }
    return Optional.of(
        uri(text)
            .filter(uri -> List.of("mqtt", "mqtts", "opc.tcp").contains(uri.getScheme()))
            .orElseThrow(
                () ->
                    usage(
                        "%s: write machine, mqtt://HOST:1883, mqtts://HOST:8883 or opc.tcp://HOST:4840. Tables of other connectors: docs/connectors.md"
                            .formatted(text))));
  }

  private static Optional<URI> uri(String text) {
    try {
      return Optional.of(URI.create(text))
          .filter(uri -> uri.getScheme() != null && uri.getHost() != null);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String notEmpty(String text) throws JobException {
    if (text.isBlank()) {
      throw usage("write a filter such as plant/#, or # for all");
    }
    return text;
  }

  private static String wanted(String text) throws JobException {
    if (!List.of("readings", "windows", "above").contains(text)) {
      throw usage("%s is not one of readings, windows, above".formatted(text));
    }
    return text;
  }

  private static Duration window(String text) throws JobException {
    Duration length;
    try {
      length = new DurationConverter().convert(text);
    } catch (TypeConversionException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
    if (!FirstScript.Windows.canBe(length)) {
      throw usage("%s: write 1s to 99s, 1min to 99min or 1h to 99h".formatted(text));
    }
    return length;
  }

  private static double number(String text) throws JobException {
    try {
      double number = Double.parseDouble(text);
      if (Double.isFinite(number)) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw usage("%s is no number".formatted(text));
  }

  /** The options of the table that takes rows; none for the terminal. */
  private static Map<String, String> sink(String text) throws JobException {
    if (text.equals(TERMINAL)) {
      return Map.of();
    }
    Map<String, String> options = new LinkedHashMap<>();
    if (!text.contains("://")) {
      options.put("connector", "filesystem");
      options.put("path", text);
      options.put("format", "csv");
      return options;
    }
    URI uri =
        uri(text)
            .filter(one -> List.of("mqtt", "mqtts").contains(one.getScheme()))
            .filter(one -> one.getPath().length() > 1 && one.getFragment() == null)
            .orElseThrow(
                () ->
                    usage(
                        "%s: write terminal, a directory, or mqtt://HOST:1883/TOPIC"
                            .formatted(text)));
    options.put("connector", "mqtt");
    options.put("url", uri.getScheme() + "://" + uri.getAuthority());
    options.put("topic", uri.getPath().substring(1));
    options.put("format", "json");
    return options;
  }

  private String begin() {
    return "-- Made by `sedge new`; names, delays and the query are yours to change.%n--%n--   sedge run %s%n%n"
        .formatted(file);
  }

  /** Writes what is accepted. */
  private void write(Path path, String text) throws JobException {
    try {
      var _ =
          new Script(file, text, surroundings.directory())
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
  }

  private String exists() {
    return "%s is there already: name another file".formatted(file);
  }

  private static JobException usage(String message) {
    return new JobException(FailureCode.USAGE, message);
  }
}
