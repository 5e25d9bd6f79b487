package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.broker.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class NewCommandTest {
  @TempDir private Path directory;

  private CommandRunner runner() {
    return new CommandRunner(directory);
  }

  private String text(String file) throws IOException {
    return Files.readString(directory.resolve(file));
  }

  /** Whoever only presses Enter, or pipes nothing, gets the machine's own sensors. */
  @Test
  void whatIsProposedRuns() throws IOException {
    CommandRunner made = runner().input("\n\n1s\n");
    assertThat(made.run("new", "job.sql")).as(made.err()).isZero();
    assertThat(made.err())
        .contains("Where do readings come from", "What is wanted", "Of how long?", "Where do rows")
        .doesNotContain("Which topics")
        .contains("sedge run job.sql");
    assertThat(made.out()).isEmpty();
    assertThat(text("job.sql"))
        .contains("TUMBLE(TABLE sensors, DESCRIPTOR(ts), INTERVAL '1' SECOND)")
        .contains("AVG(reading) AS `mean`");

    CommandRunner run = runner();
    assertThat(run.run("run", "job.sql", "--duration", "4s", "--output", "json"))
        .as(run.err())
        .isZero();
    assertThat(run.out()).contains("\"quantity\"", "\"highest\"");
  }

  @Test
  void aWrongAnswerIsSaidAndAskedForAgain() throws IOException {
    CommandRunner made = runner().input("ftp://x\nmachine\nmeans\nabove\nhot\n80.5\nterminal\n");
    assertThat(made.run("new", "job.sql")).as(made.err()).isZero();
    assertThat(made.err())
        .contains("ftp://x: write machine, mqtt://HOST:1883")
        .contains("means is not one of readings, windows, above")
        .contains("hot is no number");
    assertThat(text("job.sql")).contains("WHERE reading > 80.5");
  }

  @Test
  void aBrokerIsLookedAtAndItsRowsGoToFiles() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.builder().start()) {
      String url = "mqtt://127.0.0.1:" + broker.port();
      Files.writeString(
          directory.resolve("given.sql"),
          """
          CREATE TABLE given (machine STRING, ts BIGINT, flow DOUBLE, `mean` DOUBLE)
          WITH ('connector' = 'mqtt', 'url' = '%s', 'topic' = 'hall/{machine}/state',
                'format' = 'json', 'retain' = 'true');
          INSERT INTO given VALUES ('press', 1764000000000, 1.5, 2.5), ('saw', 1764000000001, 2, 3.5);
          """
              .formatted(url));
      assertThat(runner().run("run", "given.sql")).isZero();

      CommandRunner made = runner();
      assertThat(
              made.run(
                  "new",
                  "job.sql",
                  "--from",
                  url,
                  "--topic",
                  "hall/#",
                  "--want",
                  "readings",
                  "--to",
                  "results"))
          .as(made.err())
          .isZero();
      assertThat(made.err()).contains("hall/press/state").doesNotContain("Where");
      assertThat(text("job.sql"))
          .contains("'topic' = 'hall/{level2}/state'", "'path' = 'results'")
          .contains("SELECT\n  level2,\n  event_time,\n  `flow`,\n  `mean`\nFROM state_topics;");
      CommandRunner run = runner();
      assertThat(run.run("run", "job.sql", "--duration", "5s")).as(run.err()).isZero();
      assertThat(rows()).anyMatch(row -> row.startsWith("saw,")).hasSize(2);

      CommandRunner loop = runner();
      assertThat(
              loop.run(
                  "new",
                  "loop.sql",
                  "--from",
                  url,
                  "--topic",
                  "hall/#",
                  "--want",
                  "readings",
                  "--time",
                  "2s",
                  "--to",
                  url + "/hall/all/state"))
          .isEqualTo(2);
      assertThat(loop.err()).contains("the script would read what it writes: hall/all/state");

      CommandRunner windows = runner();
      assertThat(
              windows.run(
                  "new",
                  "windows.sql",
                  "--from",
                  url,
                  "--topic",
                  "#",
                  "--every",
                  "90min",
                  "--want",
                  "windows",
                  "--to",
                  url + "/results/hall"))
          .as(windows.err())
          .isZero();
      assertThat(text("windows.sql"))
          .contains("INTERVAL '90' MINUTE", "AVG(`mean`) AS `mean_mean`", "`lowest_flow` DOUBLE")
          .contains("'topic' = 'results/hall'", "'format' = 'json'");
    }
  }

  private List<String> rows() throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("results"))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("part-"))
          .flatMap(file -> lines(file).stream())
          .toList();
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void aBrokerThatHasNothingLeavesNoFile() {
    try (EmbeddedBroker broker = EmbeddedBroker.builder().start()) {
      CommandRunner made = runner();
      String url = "mqtt://127.0.0.1:" + broker.port();
      assertThat(made.run("new", "job.sql", "--from", url)).isEqualTo(3);
      assertThat(made.err()).contains("nothing came on '#'");
      assertThat(directory.resolve("job.sql")).doesNotExist();
    }
  }

  /** Where the answer is not what was meant, nothing else is taken for it. */
  @Test
  void aWrongAnswerAtTheEndOfInputIsNotReplaced() {
    CommandRunner made = runner().input("mqt://plant");
    assertThat(made.run("new", "job.sql")).isEqualTo(2);
    assertThat(made.err()).contains("mqt://plant: write machine");
    assertThat(directory.resolve("job.sql")).doesNotExist();
  }

  @Test
  void aNameThatIsNoFileIsRefused() {
    for (String name : List.of("-", "a\nb.sql", "absent/job.sql")) {
      CommandRunner made = runner();
      assertThat(made.run("new", name, "--from", "machine")).as(name).isEqualTo(2);
    }
    CommandRunner quoted = runner();
    assertThat(quoted.run("new", "it's mine.sql", "--from", "machine")).as(quoted.err()).isZero();
    assertThat(quoted.err()).contains("sedge run 'it'\\''s mine.sql'");
  }

  @Test
  void aFileThatIsThereStays() throws IOException {
    Files.writeString(directory.resolve("job.sql"), "mine");
    CommandRunner made = runner();
    assertThat(made.run("new", "job.sql", "--from", "machine")).isEqualTo(2);
    assertThat(made.err()).contains("job.sql is there already: name another file");
    assertThat(text("job.sql")).isEqualTo("mine");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --from modbus://10.0.0.1              | write machine, mqtt://HOST:1883
          --from mqtt://                        | write machine, mqtt://HOST:1883
          --from mqtt://me:hidden@10.0.0.5:1883 | --from: an address has no login, which would stand in the script
          --from machine --to mqtt://me:hidden@x/t | --to: an address has no login
          --from machine --want all             | all is not one of readings, windows, above
          --from machine --every 100s           | 100s: write 1s to 99s, 1min to 99min or 1h to 99h
          --from machine --every 10             | write a time as a number above 0 and a unit
          --from machine --above NaN            | NaN is no number
          --from machine --to http://x/y        | write terminal, a directory, or mqtt://HOST:1883/TOPIC
          --from machine --to mqtt://x          | write terminal, a directory, or mqtt://HOST:1883/TOPIC
          --from machine --to mqtt://x/a/#      | write terminal, a directory, or mqtt://HOST:1883/TOPIC
          --from mqtt://127.0.0.1:1 --option password=abc | would show the password
          --from machine --option qos=1         | --topic, --time and --option are for a broker or a server
          --want readings --every 10s           | --every is for --want windows
          --every 10s --above 3                 | --every is for --want windows
          --from machine --to 10.0.0.5:1883/x   | --to: 10.0.0.5:1883/x: write terminal, a directory
          --from machine --want above           | write a number
          """)
  void whatAnOptionCannotBeIsSaid(String options, String message) {
    CommandRunner made = runner();
    assertThat(made.run(("new job.sql " + options).split(" "))).isEqualTo(2);
    assertThat(made.err()).contains(message).doesNotContain("hidden");
    assertThat(directory.resolve("job.sql")).doesNotExist();
  }
}
