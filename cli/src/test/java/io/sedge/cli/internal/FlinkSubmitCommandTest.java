package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What of a script goes to Flink, and what is refused with its place. No cluster runs here. */
class FlinkSubmitCommandTest {
  private static final String SOURCE =
      """
      CREATE TABLE readings (
        machine STRING, v DOUBLE, ts TIMESTAMP_LTZ(3) METADATA FROM 'timestamp',
        part STRING METADATA FROM 'partition',
        WATERMARK FOR ts AS ts - INTERVAL '2' SECOND
      ) WITH ('connector' = 'kafka', 'topic' = 'readings', 'properties.bootstrap.servers' = 'b:9092',
        'format' = 'json', 'properties.group.id' = 'x',
        OPTION);
      """;
  private static final String SINK =
      "CREATE TABLE o (machine STRING, n BIGINT) WITH ('connector' = 'print');\n";
  private static final String QUERY =
      """
      INSERT INTO o SELECT machine, COUNT(*) FROM TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
      GROUP BY machine, window_start, window_end;
      """;

  @TempDir Path directory;

  private CommandRunner run(String script, String... more) throws IOException {
    Files.writeString(directory.resolve("job.sql"), script);
    CommandRunner runner = new CommandRunner(directory);
    String[] words = new String[more.length + 4];
    words[0] = "flink";
    words[1] = "submit";
    words[2] = "job.sql";
    words[3] = "--dry-run";
    System.arraycopy(more, 0, words, 4, more.length);
    exitCode = runner.run(words);
    return runner;
  }

  private int exitCode;

  private static String source(String option) {
    return SOURCE.replace("OPTION", option);
  }

  @Test
  void aScriptGoesToFlinkWithItsSettingsAndWithoutWhatChangesNoRow() throws IOException {
    CommandRunner runner =
        run(
            """
            SET 'sedge.commit-interval' = '5 s';
            SET 'sedge.on-row-failure' = 'fail';
            SET 'table.local-time-zone' = 'Europe/Berlin';
            SET 'parallelism.default' = '4';
            """
                + source(
                    "'shard.by' = 'part', 'shard.values' = '*',\n  'scan.queue-bytes' = '1 mb'")
                + SINK
                + QUERY,
            "--set",
            "pipeline.name=plant");
    assertThat(exitCode).as(runner.err()).isZero();
    assertThat(runner.err()).isEmpty();
    assertThat(runner.out())
        .startsWith(
            """
            SET 'execution.checkpointing.interval' = '5000 ms';
            SET 'execution.runtime-mode' = 'streaming';
            SET 'parallelism.default' = '4';
            SET 'pipeline.name' = 'plant';
            SET 'table.local-time-zone' = 'Europe/Berlin';
            """)
        .contains("'format' = 'json'")
        .doesNotContain("sedge.")
        .doesNotContain("shard.")
        .doesNotContain("scan.queue-bytes")
        .endsWith("EXECUTE STATEMENT SET BEGIN\n" + QUERY + "END;\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          'malformed.table' = 'wrong'        | 7:3 | table readings: 'malformed.table' = 'wrong' is Sedge's own | --without malformed.table
          'scan.watermark.max-ahead' = '5 s' | 7:3 | 'scan.watermark.max-ahead' = '5 s' is Sedge's own | --without scan.watermark.max-ahead
          'scan.watermark.per-key' = 'machine' | 7:3 | 'scan.watermark.per-key' = 'machine' is Sedge's own | --without scan.watermark.per-key
          'sedge.labels' = 'zone=north'      | 7:3 | 'sedge.labels' = 'zone=north' is Sedge's own | --without sedge.labels
          'keep' = '7 d'                     | 7:3 | 'keep' = '7 d' is Sedge's own | --without keep
          'shard.by' = 'part', 'shard.values' = '0;1' | 7:24 | 'shard.values' = '0;1' is Sedge's own | 'shard.values' = '*'
          """)
  void anOptionOfSedgesOwnIsRefusedWithItsPlace(
      String option, String place, String message, String remedy) throws IOException {
    String script =
        source(option)
            + "CREATE TABLE wrong (origin STRING, payload STRING, reason STRING) WITH ('connector'"
            + " = 'print');\n"
            + SINK
            + QUERY;
    CommandRunner runner = run(script);
    assertThat(exitCode).isEqualTo(2);
    assertThat(runner.err()).contains("job.sql:" + place + ": ").contains(message).contains(remedy);
    assertThat(runner.out()).isEmpty();
    String key = option.substring(option.lastIndexOf(", ") + 1).strip().split("'", -1)[1];
    CommandRunner without = run(script, "--without", key);
    assertThat(exitCode).as(without.err()).isZero();
    assertThat(without.out()).doesNotContain("'" + key + "'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          sedge.labels           | zone=north
          sedge.late-table       | o
          sedge.allowed-lateness | 5 s
          sedge.on-row-failure   | skip
          sedge.merge            | center
          """)
  void aSettingOfSedgesOwnIsRefusedWithItsPlace(String key, String value) throws IOException {
    String script =
        source("'json.ignore-parse-errors' = 'true'")
            + "CREATE TABLE o (machine STRING) WITH ('connector' = 'print');\n"
            + "SET '%s' = '%s';\n".formatted(key, value)
            + QUERY.replace("machine, COUNT(*)", "machine");
    CommandRunner runner = run(script);
    assertThat(exitCode).isEqualTo(2);
    assertThat(runner.err())
        .contains("job.sql:9:5: the setting '%s' = '%s' is Sedge's own".formatted(key, value));
    CommandRunner without = run(script, "--without", key);
    assertThat(exitCode).as(without.err()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          'connector' = 'mqtt', 'url' = 'mqtt://b', 'topics' = 'plant/#', 'format' = 'json' | 'connector' = 'mqtt': a cluster of Flink's does not have that connector
          'connector' = 'center', 'credential' = '${secret:center}' | 'connector' = 'center': a cluster
          'connector' = 'filesystem', 'path' = 'out', 'format' = 'csv' | 'path' = 'out': a relative path
          'connector' = 'kafka', 'topic' = 'o', 'properties.bootstrap.servers' = 'b:9092', 'format' = 'cbor' | 'format' = 'cbor': a cluster
          'connector' = 'jdbc', 'url' = 'jdbc:sqlite:a.db', 'table-name' = 'o' | Flink's connector does not know SQLite
          """)
  void whatFlinkDoesNotHaveIsRefusedWithItsPlace(String options, String message)
      throws IOException {
    CommandRunner runner =
        run(
            """
            CREATE TABLE n (machine STRING, n BIGINT) WITH ('connector' = 'datagen');
            CREATE TABLE o (machine STRING, n BIGINT)
              WITH (%s);
            INSERT INTO o SELECT * FROM n;
            """
                .formatted(options.replace("'topics' = 'plant/#'", "'topic' = 'plant'")));
    assertThat(exitCode).as(runner.out()).isEqualTo(2);
    assertThat(runner.err()).contains("job.sql:3:").contains(message).contains("  write: ");
  }

  @Test
  void theHostsSensorsAndWhatADeviceHasKeptAreRefused() throws IOException {
    CommandRunner runner =
        run(
            """
            CREATE TABLE h (quantity STRING, reading DOUBLE) WITH ('connector' = 'host');
            CREATE TABLE o (quantity STRING, reading DOUBLE) WITH ('connector' = 'blackhole');
            INSERT INTO o SELECT * FROM h;
            """);
    assertThat(exitCode).isEqualTo(2);
    assertThat(runner.err()).startsWith("job.sql:1:");
  }

  @Test
  void allThatIsRefusedIsSaidAtOnceInTheOrderOfTheScript() throws IOException {
    CommandRunner runner =
        run(
            "SET 'sedge.labels' = 'a=b';\n"
                + source("'keep' = '7 d'")
                + SINK
                + QUERY
                + "SELECT * FROM readings;\n");
    assertThat(exitCode).isEqualTo(2);
    assertThat(runner.err().lines().filter(line -> line.startsWith("job.sql:")))
        .satisfiesExactly(
            line -> assertThat(line).startsWith("job.sql:1:5:"),
            line -> assertThat(line).startsWith("job.sql:8:3:"),
            line -> assertThat(line).startsWith("job.sql:12:1:").contains("bare SELECT"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          APPROX_QUANTILE(v, 0.5)   | APPROX_QUANTILE: Flink has no such function | PERCENTILE(x, fraction)
          CAST(APPROX_COUNT_DISTINCT(v) AS DOUBLE) | APPROX_COUNT_DISTINCT: Flink has no such function over streams | COUNT(DISTINCT x)
          """)
  void aFunctionOfSedgesOwnIsRefusedWhereItIsCalled(String call, String message, String remedy)
      throws IOException {
    CommandRunner runner =
        run(
            source("'json.ignore-parse-errors' = 'true'")
                + "CREATE TABLE o (n DOUBLE) WITH ('connector' = 'print');\n"
                + QUERY.replace("machine, COUNT(*)", "\n" + call));
    assertThat(exitCode).isEqualTo(2);
    assertThat(runner.err())
        .contains("job.sql:10:%d: ".formatted(1 + call.indexOf("APPROX")))
        .contains(message)
        .contains(remedy);
  }

  @Test
  void aDetectorIsRefusedWhereItIsCalled() throws IOException {
    CommandRunner runner =
        run(
            source("'json.ignore-parse-errors' = 'true'")
                + "CREATE TABLE o (n DOUBLE) WITH ('connector' = 'print');\n"
                + "INSERT INTO o SELECT\n"
                + "  EWMA_SCORE(v) OVER (PARTITION BY machine ORDER BY ts) FROM readings;\n");
    assertThat(exitCode).isEqualTo(2);
    assertThat(runner.err()).contains("job.sql:10:3: EWMA_SCORE: Flink has no such function");
  }

  @Test
  void aSettingAfterAnInsertIsRefusedBecauseItWouldHoldForAll() throws IOException {
    CommandRunner runner =
        run(
            source("'json.ignore-parse-errors' = 'true'")
                + SINK
                + QUERY
                + "SET 'table.exec.source.idle-timeout' = '5 s';\n"
                + QUERY);
    assertThat(exitCode).isEqualTo(2);
    assertThat(runner.err()).contains("job.sql:11:5: SET after an INSERT");
  }

  /** What Flink would fail at while the job runs is worth knowing before. */
  @Test
  void aCastThatEndsTheJobOnFlinkIsRemarkedOn() throws IOException {
    CommandRunner runner =
        run(
            source("'json.ignore-parse-errors' = 'true'")
                + SINK
                + "INSERT INTO o SELECT machine, CAST(machine AS BIGINT) FROM readings;\n");
    assertThat(exitCode).as(runner.err()).isZero();
    assertThat(runner.err()).contains("and the job ends; TRY_CAST gives NULL");
  }

  /** Flink refuses the table without it. */
  @Test
  void transactionsOfKafkaGetAName() throws IOException {
    CommandRunner runner =
        run(
            source("'json.ignore-parse-errors' = 'true'")
                + """
                CREATE TABLE o (machine STRING, n BIGINT) WITH ('connector' = 'kafka', 'topic' = 'o',
                  'properties.bootstrap.servers' = 'b:9092', 'sink.delivery-guarantee' = 'exactly-once',
                  'format' = 'json');
                """
                + QUERY);
    assertThat(exitCode).as(runner.err()).isZero();
    assertThat(runner.out())
        .contains(
            "'exactly-once', 'sink.transactional-id-prefix' = 'job-o',\n  'format' = 'json')");
  }

  @Test
  void insertsOfASetAreTheJobsInserts() throws IOException {
    CommandRunner runner =
        run(
            source("'json.ignore-parse-errors' = 'true'")
                + SINK
                + """
                EXECUTE STATEMENT SET BEGIN
                INSERT INTO o SELECT machine, 1 FROM readings; -- one; not two
                INSERT INTO o VALUES ('a;b', 2);
                END;
                EXECUTE INSERT INTO o SELECT machine, 3 FROM readings;
                """);
    assertThat(exitCode).as(runner.err()).isZero();
    assertThat(runner.out())
        .endsWith(
            """
            EXECUTE STATEMENT SET BEGIN
            INSERT INTO o SELECT machine, 1 FROM readings;
            INSERT INTO o VALUES ('a;b', 2);
            INSERT INTO o SELECT machine, 3 FROM readings;
            END;
            """);
  }

  @Test
  void secretsStayNamesWhereTheScriptIsShown() throws IOException {
    Path file = Files.writeString(directory.resolve("s"), "kafka=hunter2\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    CommandRunner runner =
        run(
            source("'properties.ssl.key.password' = '${secret:kafka}'") + SINK + QUERY,
            "--secrets-file",
            "s");
    assertThat(exitCode).as(runner.err()).isZero();
    assertThat(runner.out()).contains("${secret:kafka}").doesNotContain("hunter2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          --to http://10.1.1.1:8081 --token-file s   | the login would go over the network in clear
          --to http://10.1.1.1:8081 --secrets-file s | the secrets would go over the network in clear
          --to ftp://x                               | --to=ftp://x is no address of a JobManager
          --to http://me:pw@x:8081                   | --to=…@x:8081 is no address of a JobManager
          --to http://me:pw@job_manager:8081         | , the login with --login-file
          --to http://me:pw%w@x:8081                 | --to=…@x:8081 is no address
          --to http://x --login-file s --token-file s | are two logins
          --to http://127.0.0.1:1 --login-file s     | is not a line NAME:PASSWORD
          --to http://127.0.0.1:1 --without keap     | did you mean keep?
          --output json                              | `sedge flink submit` needs --to URL
          """)
  void aMistakeIsSaidBeforeAnythingIsSent(String words, String message) throws IOException {
    Path file = Files.writeString(directory.resolve("s"), "kafka=hunter2\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(
        directory.resolve("job.sql"),
        source("'properties.ssl.key.password' = '${secret:kafka}'") + SINK + QUERY);
    CommandRunner runner = new CommandRunner(directory);
    assertThat(runner.run(("flink submit job.sql " + words).split(" "))).isEqualTo(2);
    assertThat(runner.err()).contains(message).doesNotContain("hunter2").doesNotContain("me:pw");
    assertThat(runner.out()).isEmpty();
  }

  @Test
  void aTableThatIsLikeAnExactlyOnceOneNeedsTransactionsOfItsOwn() throws IOException {
    String script = source("'sink.delivery-guarantee' = 'exactly-once'") + SINK + QUERY;
    String like = "CREATE TABLE other WITH (%s'topic' = 'other') LIKE readings;\n";
    assertThat(run(like(script, like.formatted(""))).err())
        .contains("table other would have the transactions of the table that it is LIKE")
        .contains("'sink.transactional-id-prefix' = '…' in its own WITH");
    run(like(script, like.formatted("'sink.transactional-id-prefix' = 'o', ")));
    assertThat(exitCode).isZero();
  }

  private static String like(String script, String like) {
    return script.replace(QUERY, like + QUERY);
  }

  @Test
  void theSemicolonIsNotInAComment() throws IOException {
    CommandRunner runner =
        run(
            source("'json.ignore-parse-errors' = 'true'")
                + SINK
                + QUERY.replace(";", " -- all\n;"));
    assertThat(exitCode).as(runner.err()).isZero();
    assertThat(runner.out()).endsWith(" -- all\n;\nEND;\n");
  }

  @Test
  void aClusterThatIsGoneIsAFailureFromOutside() throws IOException {
    Files.writeString(
        directory.resolve("job.sql"), source("'json.ignore-parse-errors' = 'true'") + SINK + QUERY);
    CommandRunner runner = new CommandRunner(directory);
    assertThat(runner.run("flink", "submit", "job.sql", "--to", "http://127.0.0.1:1")).isEqualTo(3);
    assertThat(runner.err())
        .contains("the JobManager at http://127.0.0.1:1 cannot be reached")
        .contains("(EXTERNAL CONNECTION_FAILED)");
  }
}
