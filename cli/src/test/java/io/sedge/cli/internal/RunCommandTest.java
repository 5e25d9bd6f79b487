package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole scripts in this process, from the command line to what a user sees. */
@Timeout(120)
class RunCommandTest {
  private static final String NUMBERS =
      """
      CREATE TABLE numbers (n BIGINT) WITH (
        'connector' = 'datagen', 'number-of-rows' = '5',
        'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '5');
      """;
  private static final String ENDLESS =
      """
      CREATE TABLE numbers (n BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '1000');
      SELECT n FROM numbers;
      """;

  @TempDir Path directory;

  private CommandRunner script(String text) throws IOException {
    Files.writeString(directory.resolve("job.sql"), text);
    return new CommandRunner(directory);
  }

  @Test
  void rowsGoToStandardOutputAndTheSummaryToStandardError() throws IOException {
    CommandRunner runner = script(NUMBERS + "SELECT n, n * n AS square FROM numbers WHERE n > 3;");
    assertThat(runner.run("run", "job.sql")).as(runner.err()).isZero();
    assertThat(runner.out().lines())
        .map(line -> line.strip().replaceAll(" +", " "))
        .containsExactly("n square", "-------- --------", "4 16", "5 25");
    assertThat(runner.err()).containsPattern("readings in +5\\b").containsPattern("rows out +2\\b");
  }

  @Test
  void jsonIsOneObjectPerLineAndNothingElse() throws IOException {
    CommandRunner runner = script(NUMBERS + "SELECT n FROM numbers WHERE n < 3;");
    assertThat(runner.run("run", "job.sql", "--output", "json")).isZero();
    assertThat(runner.out()).isEqualTo("{\"n\":1}\n{\"n\":2}\n");
  }

  /** What follows --console is the script, not its value, which is attached. */
  @Test
  void aConsoleChangesNothingOnStandardOutput() throws IOException {
    CommandRunner runner = script(NUMBERS + "SELECT n FROM numbers WHERE n < 3;");
    assertThat(runner.run("run", "--output", "json", "--console", "job.sql"))
        .as(runner.err())
        .isZero();
    assertThat(runner.out()).isEqualTo("{\"n\":1}\n{\"n\":2}\n");
    assertThat(runner.err()).containsPattern("sedge: console at http://127\\.0\\.0\\.1:74\\d\\d/");
    CommandRunner wrong = new CommandRunner(directory);
    assertThat(wrong.run("run", "job.sql", "--console=here")).isEqualTo(2);
    assertThat(wrong.err()).contains("--console=here: write a port");
  }

  @Test
  void aConsoleOfADeviceIsForItsOwnMachine() {
    CommandRunner runner = new CommandRunner(directory);
    assertThat(runner.run("device", "start", "--data", "a", "--console=0.0.0.0:7480")).isEqualTo(2);
    assertThat(runner.err()).contains("--console=0.0.0.0:7480: 0.0.0.0 is not loopback");
    CommandRunner none = new CommandRunner(directory);
    assertThat(none.run("device", "console", "--data", "a")).isEqualTo(3);
    assertThat(none.err()).contains("sedge device start --console --data ");
  }

  @Test
  void aScriptMayComeFromStandardInput() {
    CommandRunner runner =
        new CommandRunner(directory).input(NUMBERS + "SELECT n FROM numbers WHERE n = 1;");
    assertThat(runner.run("run", "-", "--output", "json")).isZero();
    assertThat(runner.out()).isEqualTo("{\"n\":1}\n");
  }

  @Test
  void aTerminalGetsATableInPlaceThatKeepsToItsSize() throws IOException {
    CommandRunner runner = script(NUMBERS + "SELECT n FROM numbers;").inTerminal();
    assertThat(runner.run("run", "job.sql")).isZero();
    String last = runner.out().substring(runner.out().lastIndexOf("\u001b[?2026h"));
    assertThat(last).contains("5 readings").contains("\u001b[?25h");
    assertThat(last.replaceAll("\u001b\\[[0-9;?]*[a-zA-Z]", "").lines())
        .hasSizeLessThan(12)
        .allMatch(line -> line.length() <= 60)
        .contains("1", "5");
  }

  @Test
  void aProblemIsShownWithItsPlaceAndACaret() throws IOException {
    CommandRunner runner = script(NUMBERS + "SELECT m FROM numbers;\n");
    assertThat(runner.run("run", "job.sql")).isEqualTo(2);
    assertThat(runner.err())
        .contains("job.sql:4:8: ")
        .contains("    4 | SELECT m FROM numbers;\n      |        ^\n");
    assertThat(runner.out()).isEmpty();
    CommandRunner json = new CommandRunner(directory);
    assertThat(json.run("check", "job.sql", "--json")).isEqualTo(2);
    assertThat(json.out())
        .startsWith("{\"file\":\"job.sql\",\"ok\":false,\"problems\":[{\"line\":4,\"column\":8,");
  }

  @Test
  void aSettingWithoutEffectIsSaidByRunAndCheck() throws IOException {
    String script = "SET 'parallelism.default' = '4';\n" + NUMBERS + "SELECT n FROM numbers;";
    String note = "sedge: warning: line 1: SET 'parallelism.default' has no effect in Sedge";
    CommandRunner run = script(script);
    assertThat(run.run("run", "job.sql")).isZero();
    assertThat(run.err()).contains(note);
    CommandRunner check = new CommandRunner(directory);
    assertThat(check.run("check", "job.sql")).isZero();
    assertThat(check.err()).isEqualToIgnoringNewLines(note);
    CommandRunner json = new CommandRunner(directory);
    assertThat(json.run("check", "job.sql", "--json")).isZero();
    assertThat(json.out()).contains("\"problems\":[],\"notes\":[\"line 1: SET ");
  }

  @Test
  void checkAcceptsWhatIsBundled() {
    Path training = Path.of("src", "main", "sedge", "training.sql").toAbsolutePath();
    CommandRunner runner = new CommandRunner(directory);
    assertThat(runner.run("check", training.toString())).as(runner.err()).isZero();
    assertThat(runner.out()).contains("is accepted: ");
  }

  @Test
  void aDurationEndsAJobWithoutEnd() throws IOException {
    CommandRunner runner = script(ENDLESS);
    assertThat(runner.run("run", "job.sql", "--duration", "300ms")).isZero();
    assertThat(runner.err()).contains("duration ");
  }

  @Test
  void anInterruptWritesWhatWasReadAndEndsCleanly() throws IOException {
    CommandRunner runner = script(ENDLESS);
    CompletableFuture<Void> interrupt = CompletableFuture.runAsync(runner::interrupt);
    assertThat(runner.run("run", "job.sql", "--output", "json")).isZero();
    interrupt.join();
    assertThat(runner.err())
        .containsPattern("rows out +%,d\\b".formatted(runner.out().lines().count()));
  }

  private static final String TRAINED =
      """
      CREATE TABLE readings (n BIGINT, x DOUBLE) WITH (
        'connector' = 'datagen', 'number-of-rows' = '500', 'keep' = '1 h',
        'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '500',
        'fields.x.min' = '0', 'fields.x.max' = '1');
      CREATE TABLE past (n BIGINT, x DOUBLE) WITH ('connector' = 'history', 'table' = 'readings');
      CREATE MODEL spread INPUT (a DOUBLE, b DOUBLE) OUTPUT (q DOUBLE, t2 DOUBLE)
      WITH ('provider' = 'site', 'algorithm' = 'pca')
      AS SELECT CAST(n AS DOUBLE) AS a, x AS b FROM past;
      CREATE VIEW points AS SELECT CAST(n AS DOUBLE) AS a, x AS b FROM readings;
      SELECT t2 FROM ML_PREDICT(TABLE points, MODEL spread, DESCRIPTOR(a, b));
      """;

  /** Rows that are trained from may be half a gigabyte: they must not stay, nor be in memory. */
  @Test
  void modelsAreTrainedInTheDataDirectoryAndLeaveNothingThere() throws IOException {
    Path models = directory.resolve("data/run-models");
    Path killed = Files.createDirectories(models.resolve("run-killed"));
    Files.createFile(killed.resolve("lock"));
    Files.writeString(killed.resolve("rows"), "left");
    for (String said : List.of("is not trained", "is trained from 500 rows")) {
      CommandRunner runner = script(TRAINED);
      assertThat(runner.run("run", "job.sql", "--data", "data")).as(runner.err()).isZero();
      assertThat(runner.err()).contains("model spread " + said);
      assertThat(models).isEmptyDirectory();
    }
  }

  /** The first run keeps what the second one trains from. */
  @Test
  void aModelIsJudgedByItsLabels() throws IOException {
    String judged =
        TRAINED.substring(0, TRAINED.indexOf("CREATE MODEL"))
            + """
            CREATE MODEL line INPUT (a DOUBLE) OUTPUT (y DOUBLE)
            WITH ('provider' = 'site', 'algorithm' = 'linear', 'label' = 'label')
            AS SELECT CAST(n AS DOUBLE) AS a, 3.0e0 * n + 1 AS label FROM past;
            CREATE VIEW points AS SELECT CAST(n AS DOUBLE) AS a, 3.0e0 * n + 2 AS label FROM readings;
            SELECT ROUND(`result`['MAE'], 6) AS mae, `result`['Rows'] AS counted
            FROM ML_EVALUATE(TABLE points, MODEL line, DESCRIPTOR(label), DESCRIPTOR(a), 'regression');
            """;
    CommandRunner checked = script(judged);
    assertThat(checked.run("check", "job.sql")).as(checked.err()).isZero();
    CommandRunner explained = script(judged);
    assertThat(explained.run("explain", "job.sql")).as(explained.err()).isZero();
    assertThat(explained.out()).contains("ML_EVALUATE(label, score, 'regression'");
    for (String last : List.of("\"mae\":null,\"counted\":0", "\"mae\":1\\.0,\"counted\":500")) {
      CommandRunner runner = script(judged);
      assertThat(runner.run("run", "job.sql", "--data", "data", "--output", "json"))
          .as(runner.err())
          .isZero();
      assertThat(runner.out()).containsPattern(last);
    }
  }

  @Test
  void anInterruptEndsTheTrainingOfModels() throws IOException {
    CommandRunner runner = script(TRAINED).interruptedAtOnce();
    assertThat(runner.run("run", "job.sql", "--data", "data")).isEqualTo(2);
    assertThat(runner.err()).contains("it was stopped while it trained the script's models");
    assertThat(runner.out()).isEmpty();
    assertThat(directory.resolve("data/run-models")).isEmptyDirectory();
  }

  /** {@code sedge run … | head -1} must not end in an error. */
  @Test
  void aReaderThatGoesAwayEndsTheJobQuietly() throws IOException {
    OutputStream closed =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    CommandRunner runner = script(ENDLESS).writingTo(closed);
    assertThat(runner.run("run", "job.sql", "--output", "json")).isZero();
    assertThat(runner.err()).doesNotContain("error").contains("readings in");
  }

  /** {@code sedge run … > file} on a full disk must not look as if all were well. */
  @ParameterizedTest
  @ValueSource(strings = {"json", "plain", "table"})
  void aFullDiskUnderStandardOutputIsAFailureFromOutside(String form) throws IOException {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    CommandRunner bounded = script(NUMBERS + "SELECT n FROM numbers;").writingTo(full);
    assertThat(bounded.run("run", "job.sql", "--output", form)).isEqualTo(3);
    assertThat(bounded.err())
        .contains(
            "sedge: error: standard output cannot be written: No space left on device; rows are"
                + " missing there (EXTERNAL FILE_FAILED)")
        .doesNotContain("readings in");
    CommandRunner endless = script(ENDLESS).writingTo(full);
    assertThat(endless.run("run", "job.sql", "--output", form)).isEqualTo(3);
  }

  /** Both tables always have rows at hand, so neither may hold up the other. */
  @Test
  void aFastStreamIsJoinedWithATableThatIsReadFirst() throws IOException {
    Files.writeString(directory.resolve("names.csv"), "1,one\n2,two\n3,three\n");
    CommandRunner runner =
        script(
            """
            CREATE TABLE names (n BIGINT, name STRING) WITH (
              'connector' = 'filesystem', 'path' = 'names.csv', 'format' = 'csv');
            CREATE TABLE numbers (n BIGINT, p AS PROCTIME()) WITH (
              'connector' = 'datagen', 'rows-per-second' = '1000000',
              'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '20000');
            SELECT names.name FROM numbers
            JOIN names FOR SYSTEM_TIME AS OF numbers.p ON numbers.n = names.n;
            """);
    assertThat(runner.run("run", "job.sql", "--output", "json")).as(runner.err()).isZero();
    assertThat(runner.out())
        .isEqualTo("{\"name\":\"one\"}\n{\"name\":\"two\"}\n{\"name\":\"three\"}\n");
  }

  @Test
  void aTableThatChangesIsReadAnew() throws Exception {
    Files.writeString(directory.resolve("limits.csv"), "1,10\n");
    CommandRunner runner =
        script(
            """
            CREATE TABLE limits (n BIGINT, most BIGINT) WITH (
              'connector' = 'filesystem', 'path' = 'limits.csv', 'format' = 'csv',
              'lookup.cache' = 'FULL', 'lookup.full-cache.periodic-reload.interval' = '1 s');
            CREATE TABLE numbers (n BIGINT, p AS PROCTIME()) WITH (
              'connector' = 'datagen', 'rows-per-second' = '100', 'fields.n.kind' = 'random',
              'fields.n.min' = '1', 'fields.n.max' = '1');
            SELECT most AS was FROM numbers
            JOIN limits FOR SYSTEM_TIME AS OF numbers.p ON numbers.n = limits.n LIMIT 1;
            SELECT most AS becomes FROM numbers
            JOIN limits FOR SYSTEM_TIME AS OF numbers.p ON numbers.n = limits.n
            WHERE most > 10 LIMIT 1;
            """);
    Thread engineer =
        Thread.ofVirtual()
            .start(
                () -> {
                  while (!runner.out().contains("was") && !Thread.interrupted()) {
                    LockSupport.parkNanos(10_000_000);
                  }
                  replace("limits.csv", "1,20\n");
                });
    int status = runner.run("run", "job.sql", "--output", "json");
    engineer.interrupt();
    engineer.join();
    assertThat(status).as(runner.err()).isZero();
    assertThat(runner.out().lines())
        .containsExactly(
            "{\"query\":\"query-1\",\"was\":10}", "{\"query\":\"query-2\",\"becomes\":20}");
  }

  private void replace(String file, String content) {
    try {
      Path fresh = Files.writeString(directory.resolve("fresh"), content);
      Files.move(fresh, directory.resolve(file), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aCellCannotMoveTheCursor() throws IOException {
    Files.writeString(directory.resolve("evil.csv"), "\u001b[2J\u009b31mred\n");
    CommandRunner runner =
        script(
            "CREATE TABLE evil (s STRING) WITH ('connector' = 'filesystem', 'path' = 'evil.csv',"
                + " 'format' = 'csv');\nSELECT s FROM evil;\n");
    assertThat(runner.run("run", "job.sql")).as(runner.err()).isZero();
    assertThat(runner.out()).contains("·[2J·31mred").doesNotContain("\u001b", "\u009b");
  }

  @Test
  void aDurationOfCenturiesIsNoMistake() throws IOException {
    CommandRunner runner = script(NUMBERS + "SELECT n FROM numbers;");
    assertThat(runner.run("run", "job.sql", "--duration", "200000d")).as(runner.err()).isZero();
  }

  @Test
  void severalSelectsAreToldApart() throws IOException {
    CommandRunner runner =
        script(
            NUMBERS
                + "SELECT n FROM numbers WHERE n = 1;\n"
                + "SELECT n AS m FROM numbers WHERE n = 2;\n");
    assertThat(runner.run("run", "job.sql", "--output", "json")).as(runner.err()).isZero();
    assertThat(runner.out().lines())
        .containsExactlyInAnyOrder(
            "{\"query\":\"query-1\",\"n\":1}", "{\"query\":\"query-2\",\"m\":2}");
  }

  /** It is no part of the command: 160 MB that most devices do not need. */
  @Test
  void whereTensorFlowIsNotItSaysWhatToInstall() throws IOException {
    Files.createDirectory(directory.resolve("m"));
    Files.writeString(directory.resolve("m/saved_model.pb"), "x");
    Files.writeString(
        directory.resolve("job.sql"),
        """
        CREATE MODEL m INPUT (a DOUBLE) OUTPUT (b DOUBLE)
          WITH ('provider' = 'tensorflow', 'path' = 'm');
        """);
    CommandRunner runner = new CommandRunner(directory);
    assertThat(runner.run("check", "job.sql")).isEqualTo(2);
    assertThat(runner.err())
        .contains("model m: 'provider' = 'tensorflow' needs TensorFlow, which is not beside")
        .contains("./sedge --tensorflow");
  }
}
