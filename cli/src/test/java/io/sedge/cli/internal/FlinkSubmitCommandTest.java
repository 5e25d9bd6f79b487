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
    assertThat(runner.err())
        .isEqualTo(
            "sedge: the cluster needs Flink's jars of kafka: in its lib directory, or with --jar%n"
                .formatted());
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

  /** The last one holds for the whole job, as on a site. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      nullValues = "-",
      textBlock =
          """
          SET 'sedge.commit-interval' = '5 s';SET 'sedge.commit-interval' = '7 s';   | 7000 ms
          SET 'sedge.commit-interval' = '5 s';RESET 'sedge.commit-interval';         | -
          SET 'sedge.commit-interval' = '5 s';RESET;                                 | -
          SET 'execution.checkpointing.interval' = '9 s';SET 'sedge.commit-interval' = '5 s';   | 9 s
          SET 'sedge.commit-interval' = '5 s';SET 'execution.checkpointing.interval' = '9 s';   | 9 s
          SET 'execution.checkpointing.interval' = '9 s';SET 'sedge.commit-interval' = '5 s';RESET 'execution.checkpointing.interval'; | 5000 ms
          """)
  void theCommitIntervalThatHoldsInTheEndIsThatOfCheckpoints(String settings, String interval)
      throws IOException {
    CommandRunner runner =
        run(
            settings.replace(";", ";\n")
                + source("'json.ignore-parse-errors' = 'true'")
                + SINK
                + QUERY);
    assertThat(exitCode).as(runner.err()).isZero();
    if (interval == null) {
      assertThat(runner.out()).doesNotContain("execution.checkpointing.interval");
    } else {
      assertThat(runner.out())
          .contains("SET 'execution.checkpointing.interval' = '%s';".formatted(interval));
    }
  }

  @Test
  void aResetAfterAnInsertIsRefusedOnlyWhereItChangesSomething() throws IOException {
    String script =
        "SET 'parallelism.default' = '4';\nSET 'sedge.commit-interval' = '5 s';\n"
            + source("'json.ignore-parse-errors' = 'true'")
            + SINK
            + QUERY;
    assertThat(run(script + "RESET 'parallelism.default';\n" + QUERY).err())
        .contains("job.sql:13:1: RESET after an INSERT");
    assertThat(run(script + "RESET 'sedge.commit-interval';\n" + QUERY).out())
        .doesNotContain("execution.checkpointing.interval");
    assertThat(exitCode).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "+02:00, GMT+02:00",
    "UTC+2, GMT+02:00",
    "Z, UTC",
    "Europe/Berlin, Europe/Berlin",
  })
  void anOffsetIsWrittenAsFlinkReadsIt(String zone, String flinks) throws IOException {
    CommandRunner runner =
        run(
            "SET 'table.local-time-zone' = '%s';\n".formatted(zone)
                + source("'json.ignore-parse-errors' = 'true'")
                + SINK
                + QUERY);
    assertThat(exitCode).as(runner.err()).isZero();
    assertThat(runner.out()).contains("SET 'table.local-time-zone' = '%s';".formatted(flinks));
  }

  @Test
  void anOffsetThatFlinkLacksIsRefusedWithItsPlace() throws IOException {
    CommandRunner runner =
        run(
            "SET 'table.local-time-zone' = '+02:30:15';\n"
                + source("'json.ignore-parse-errors' = 'true'")
                + SINK
                + QUERY);
    assertThat(exitCode).isEqualTo(2);
    assertThat(runner.err())
        .startsWith(
            "job.sql:1:5: 'table.local-time-zone' = '+02:30:15' is an offset with seconds, and"
                + " those of Flink have none\n")
        .contains("  write: a time zone such as Europe/Berlin, or GMT+02:30\n")
        .doesNotContain("problems in");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          sedge.labels=zone=north | is Sedge's own; write the command without it: a cluster has no devices to choose from
          sedge.on-row-failure=skip | is Sedge's own; write 'fail', which is what Flink does
          table.local-time-zone=+02:30:15 | is an offset with seconds, and those of Flink have none; write a time zone such as
          """)
  void aMistakeInASettingOfTheCommandIsSaidWithItsOption(String setting, String message)
      throws IOException {
    CommandRunner runner =
        run(source("'json.ignore-parse-errors' = 'true'") + SINK + QUERY, "--set", setting);
    assertThat(exitCode).isEqualTo(2);
    assertThat(runner.err())
        .startsWith("sedge: error: --set %s %s".formatted(setting, message))
        .endsWith("(USER USAGE)\n")
        .doesNotContain("job.sql:");
  }

  @Test
  void aSettingOfTheCommandThatIsLeftOutIsSaidWithItsOption() throws IOException {
    assertThat(
            run(
                    source("'json.ignore-parse-errors' = 'true'") + SINK + QUERY,
                    "--set",
                    "rest.port=1")
                .err())
        .contains("--set rest.port is for a cluster or its client, and left out");
  }

  /** With a key a row that comes twice stands once; on Sedge it does so without, too. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          machine STRING, n BIGINT | 'table-name' = 'o' | true
          machine STRING, n BIGINT, PRIMARY KEY (machine) NOT ENFORCED | 'table-name' = 'o' | false
          machine STRING, n BIGINT | 'table-name' = 'o', 'sink.delivery-guarantee' = 'at-least-once' | false
          """)
  void aDatabaseThatMayHaveRowsTwiceIsRemarkedOn(String columns, String options, boolean remarked)
      throws IOException {
    CommandRunner runner =
        run(
            source("'json.ignore-parse-errors' = 'true'")
                + "CREATE TABLE o (%s) WITH ('connector' = 'jdbc', 'url' = 'jdbc:postgresql://h/d', %s);\n"
                    .formatted(columns, options)
                + QUERY);
    assertThat(exitCode).as(runner.err()).isZero();
    String remark =
        "table o: on Flink 'jdbc' without a PRIMARY KEY is at least once: after a failure rows may"
            + " stand there twice";
    if (remarked) {
      assertThat(runner.err()).containsOnlyOnce(remark);
    } else {
      assertThat(runner.err()).doesNotContain("at least once");
    }
  }

  /** Else the first to see it is who looks for a job that has begun anew. */
  @Test
  void aDryRunSaysWhatTheClusterNeeds() throws IOException {
    String script =
        source("'properties.ssl.key.password' = '${secret:kafka}', 'value.format' = 'avro'")
                .replace("'format' = 'json',", "")
            + SINK.replace("'print'", "'print', 'print-identifier' = '${secret:line-1}'")
            + QUERY;
    assertThat(run(script).err())
        .isEqualTo(
            """
            sedge: the script SETs no 'execution.checkpointing.interval': unless the cluster's configuration has one, the job begins anew after a failure
            sedge: the cluster needs Flink's jars of avro, kafka: in its lib directory, or with --jar
            sedge: the JobManager needs SEDGE_SECRET_KAFKA, SEDGE_SECRET_LINE_1 in its environment
            sedge: Flink's own client does not know ${secret:…}: write the values for it
            """);
    assertThat(exitCode).isZero();
    Path file = Files.writeString(directory.resolve("s"), "kafka=hunter2\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertThat(run(script, "--secrets-file", "s").err())
        .contains("the JobManager needs SEDGE_SECRET_LINE_1 in its environment");
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
