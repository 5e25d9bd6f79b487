package io.sedge.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.kafka.testkit.Records;
import io.sedge.connector.kafka.testkit.Records.Text;
import io.sedge.connector.mqtt.testkit.Await;
import io.sedge.system.testkit.FlinkProcesses;
import io.sedge.system.testkit.KafkaProcess;
import io.sedge.system.testkit.Sedge;
import io.sedge.system.testkit.SedgeProcess;
import io.sedge.system.testkit.SiteNetwork;
import io.sedge.system.testkit.SiteProcesses;
import io.sedge.system.testkit.UserJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A script on a cluster of Flink's, whose REST has TLS: a JobManager, a TaskManager and a broker of
 * Kafka, each a process. The script is that of docs/flink.md.
 */
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Order(3)
final class FlinkTest {
  private static final long BEGIN = 1_767_225_600_000L; // 2026-01-01T00:00:00Z
  private static final int PARTITIONS = 3;
  private static final int READINGS = 600;
  private static final int MINUTES = 10;
  private static final String[] MACHINES = {"press-1", "press-2", "pump-7", "valve-3"};
  private static final int ROWS = MINUTES * MACHINES.length;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private static Path directory;
  private static KafkaProcess kafka;
  private static FlinkProcesses flink;
  private static Records records;
  private static Sedge sedge;

  @BeforeAll
  static void start() {
    sedge = Sedge.in(directory);
    kafka = KafkaProcess.start(directory.resolve("kafka"));
    flink =
        FlinkProcesses.start(directory.resolve("flink"), Map.of("SEDGE_SECRET_CLIENT", "hunter2"));
    records = new Records(Map.of("bootstrap.servers", kafka.bootstrap()));
    kafka.create("readings", PARTITIONS);
    List<Text> readings = new ArrayList<>();
    for (int i = 0; i < READINGS; i++) {
      String value =
          "{\"machine\":\"%s\",\"v\":%s}".formatted(MACHINES[i % MACHINES.length], i / 8.0);
      readings.add(new Text(i % PARTITIONS, BEGIN + i * 1_000L, null, value));
    }
    records.write("readings", readings);
  }

  @AfterAll
  static void stop() {
    if (flink != null) {
      flink.close();
    }
    if (kafka != null) {
      kafka.close();
    }
  }

  private static String[] script(String means, String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.add(words.length == 1 ? 1 : 2, Sedge.project().resolve("examples/flink.sql").toString());
    for (String variable :
        List.of("KAFKA=" + kafka.bootstrap(), "UNTIL=latest-offset", "MEANS=" + means)) {
      all.addAll(List.of("--var", variable));
    }
    return all.toArray(String[]::new);
  }

  private static List<String> toFlink() {
    return List.of("--to", flink.address(), "--ca", flink.certificate().toString());
  }

  private static String[] submit(String... more) {
    List<String> words = new ArrayList<>(List.of("flink", "submit"));
    words.addAll(List.of(more));
    words.addAll(toFlink());
    return words.toArray(String[]::new);
  }

  private static List<String> rows(String topic) {
    return records.values(topic).stream().sorted().toList();
  }

  private static void awaitRows(String topic) {
    Await.until(
        PATIENCE,
        () -> rows(topic).size() >= ROWS,
        () -> "%d rows in %s: %s".formatted(ROWS, topic, rows(topic)));
  }

  /** The promise of docs/flink.md. */
  @Test
  void aRunASiteOfThreeAndAClusterOfFlinkGiveTheSameRows() {
    List.of("of-run", "of-site", "of-flink").forEach(topic -> kafka.create(topic, 1));
    try (SedgeProcess run = sedge.start(script("of-run", "run"))) {
      assertThat(run.exitCode()).as(run::toString).isZero();
    }
    onSite();
    onFlink();
    List<String> rows = rows("of-run");
    assertThat(rows).hasSize(ROWS).doesNotHaveDuplicates();
    assertThat(rows.getFirst())
        .isEqualTo(
            "{\"machine\":\"press-1\",\"window_start\":\"2026-01-01"
                + " 00:00:00Z\",\"mean\":3.5,\"reading_count\":15}");
    assertThat(rows("of-site")).isEqualTo(rows);
    assertThat(rows("of-flink")).isEqualTo(rows);
  }

  private static void onSite() {
    SiteProcesses site = new SiteProcesses(sedge, SiteNetwork.loopback());
    try (SedgeProcess a = site.device("a", SiteProcesses.freePorts(), "start")) {
      SiteProcesses.awaitUp(a);
      try (SedgeProcess b = site.device("b", SiteProcesses.freePorts(), site.joining("a"));
          SedgeProcess c = site.device("c", SiteProcesses.freePorts(), site.joining("a"))) {
        SiteProcesses.awaitUp(b);
        SiteProcesses.awaitUp(c);
        site.answer(script("of-site", "job", "submit", "--data", "a"));
        a.until(() -> rows("of-site").size() >= ROWS, () -> rows("of-site"));
      }
    }
  }

  private static void onFlink() {
    List<String> words = new ArrayList<>(List.of("flink", "submit", "--output", "json"));
    words.addAll(toFlink());
    flink.kafkaJars().forEach(jar -> words.addAll(List.of("--jar", jar.toString())));
    try (SedgeProcess submit = sedge.start(script("of-flink", words.toArray(String[]::new)))) {
      assertThat(submit.exitCode()).as(() -> submit + flink.said()).isZero();
      assertThat(submit.out())
          .singleElement()
          .asString()
          .containsPattern("\"state\":\"(RUNNING|FINISHED)\"")
          .containsPattern(
              "\"page\":\"https://127.0.0.1:\\d+/#/job/running/[0-9a-f]{32}/overview\"");
    }
    awaitRows("of-flink");
    assertThat(flink.get("/jobs/overview")).contains("\"name\":\"flink\"");
    assertThat(flink.get("/jars")).contains("\"files\":[]");
  }

  /** The class is not in the cluster: its jar goes along. */
  @Test
  void aFunctionOfTheUsersOwnGoesAlong() {
    Path common = jar("flink-table-common-");
    UserJar.write(
        directory.resolve("halved.jar"),
        "Halved",
        """
        public class Halved extends org.apache.flink.table.functions.ScalarFunction {
          public Integer eval(Integer x) {
            return x / 2;
          }
        }
        """,
        common);
    sedge.script(
        "halves.sql",
        """
        CREATE FUNCTION halved AS 'Halved' USING JAR 'halved.jar', JAR '%s', JAR '%s';
        CREATE TABLE a (x INT) WITH ('connector' = 'datagen', 'fields.x.kind' = 'sequence',
          'fields.x.start' = '10', 'fields.x.end' = '12');
        CREATE TABLE o (y INT) WITH ('connector' = 'kafka', 'topic' = '${TO}',
          'properties.bootstrap.servers' = '%s', 'format' = 'json');
        INSERT INTO o SELECT halved(x) FROM a;
        """
            .formatted(common, jar("flink-core-2"), kafka.bootstrap()));
    List.of("halves-run", "halves-flink").forEach(topic -> kafka.create(topic, 1));
    try (SedgeProcess run = sedge.start("run", "halves.sql", "--var", "TO=halves-run")) {
      assertThat(run.exitCode()).as(run::toString).isZero();
    }
    List<String> words =
        new ArrayList<>(List.of("flink", "submit", "halves.sql", "--var", "TO=halves-flink"));
    words.addAll(toFlink());
    flink.kafkaJars().forEach(jar -> words.addAll(List.of("--jar", jar.toString())));
    try (SedgeProcess submit = sedge.start(words.toArray(String[]::new))) {
      assertThat(submit.exitCode()).as(() -> submit + flink.said()).isZero();
    }
    List<String> rows = rows("halves-run");
    assertThat(rows).containsExactly("{\"y\":5}", "{\"y\":5}", "{\"y\":6}");
    Await.until(
        PATIENCE, () -> rows("halves-flink").size() >= rows.size(), () -> rows("halves-flink"));
    assertThat(rows("halves-flink")).isEqualTo(rows);
  }

  private static Path jar(String begin) {
    return flink.jars().stream()
        .filter(jar -> jar.getFileName().toString().startsWith(begin))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whatTheClusterLacksIsSaidWithTheLine() {
    try (SedgeProcess submit = sedge.start(script("of-flink", submit()))) {
      assertThat(submit.exitCode()).as(submit::toString).isEqualTo(2);
      assertThat(String.join("\n", submit.err()))
          .containsPattern("flink\\.sql:\\d+:1: Flink does not take this: ")
          .contains("Could not find any factory for identifier 'kafka'")
          .contains("--jar");
    }
    assertThat(flink.get("/jars")).contains("\"files\":[]");
  }

  /** A secret of the JobManager's environment is not in what was sent, nor in what is said. */
  @Test
  void aJobThatFailsIsSaidWithItsCause() {
    sedge.script(
        "failing.sql",
        """
        CREATE TABLE a (x INT) WITH ('connector' = 'datagen', 'number-of-rows' = '1',
          'fields.x.min' = '0', 'fields.x.max' = '0');
        CREATE TABLE o (x INT) WITH ('connector' = 'print', 'print-identifier' = '${secret:client}');
        INSERT INTO o SELECT 1 / x FROM a;
        """);
    try (SedgeProcess submit = sedge.start(submit("failing.sql"))) {
      assertThat(submit.exitCode()).as(submit::toString).isEqualTo(2);
      assertThat(String.join("\n", submit.err()))
          .containsPattern("job [0-9a-f]{32} is FAIL(ED|ING): / by zero; https://127")
          .contains("(USER JOB_NOT_FINISHED)")
          .doesNotContain("hunter2");
    }
  }

  @Test
  void aSecretThatNobodyHasIsSaid() {
    sedge.script(
        "secret.sql",
        """
        CREATE TABLE a (x INT) WITH ('connector' = 'datagen');
        CREATE TABLE o (x INT)
          WITH ('connector' = 'print', 'print-identifier' = '${secret:nobodys}');
        INSERT INTO o SELECT x FROM a;
        """);
    try (SedgeProcess submit = sedge.start(submit("secret.sql"))) {
      assertThat(submit.exitCode()).as(submit::toString).isEqualTo(2);
      assertThat(String.join("\n", submit.err()))
          .contains("secret.sql:2:1: Flink does not take this: the secret nobodys has no value")
          .contains("SEDGE_SECRET_NOBODYS");
    }
  }

  /** Its value is where the job needs it, and in nothing that is said. */
  @Test
  void aSecretThatIsSentIsThere() throws IOException {
    sedge.script(
        "sent.sql",
        """
        CREATE TABLE a (x INT) WITH ('connector' = 'datagen', 'number-of-rows' = '1',
          'fields.x.min' = '7', 'fields.x.max' = '7');
        CREATE TABLE o (x INT) WITH ('connector' = 'print', 'print-identifier' = '${secret:sent}');
        INSERT INTO o SELECT x FROM a;
        """);
    Path secrets = Files.writeString(directory.resolve("secrets"), "sent=hunter3\n");
    Files.setPosixFilePermissions(secrets, PosixFilePermissions.fromString("rw-------"));
    try (SedgeProcess submit =
        sedge.start(submit("sent.sql", "--secrets-file", secrets.toString()))) {
      assertThat(submit.exitCode()).as(() -> submit + flink.said()).isZero();
      assertThat(submit.err()).noneMatch(line -> line.contains("hunter3"));
    }
    Await.until(PATIENCE, () -> flink.said().contains("hunter3> +I[7]"), flink::said);
    assertThat(flink.get("/jars")).contains("\"files\":[]");
  }

  /** It may have values of secrets. The script may be planned by then, or be sent yet. */
  @Test
  void ctrlCLeavesNoJarInTheJobManager() {
    sedge.script(
        "interrupted.sql",
        """
        CREATE TABLE a (x INT) WITH ('connector' = 'datagen', 'number-of-rows' = '1');
        CREATE TABLE o (x INT) WITH ('connector' = 'print');
        INSERT INTO o SELECT x FROM a;
        """);
    try (SedgeProcess submit = sedge.start(submit("interrupted.sql"))) {
      var _ = submit.awaitMessage("submitting");
      submit.interrupt();
      assertThat(submit.exitCode()).as(submit::toString).isEqualTo(2);
    }
    Await.until(PATIENCE, () -> flink.uploaded().isEmpty(), () -> flink.uploaded());
  }

  /** Nothing is sent to a JobManager that is not the one that was meant, secrets least of all. */
  @Test
  void aCertificateThatIsNotTrustedIsSaid() {
    String script = Sedge.project().resolve("examples/flink.sql").toString();
    String ca = flink.certificate().toString();
    for (List<String> where :
        List.of(
            List.of("--to", flink.address()),
            List.of("--to", flink.addressOfAnotherName(), "--ca", ca))) {
      List<String> words = new ArrayList<>(List.of("flink", "submit", script));
      words.addAll(where);
      try (SedgeProcess submit = sedge.start(words.toArray(String[]::new))) {
        assertThat(submit.exitCode()).as(submit::toString).isEqualTo(3);
        assertThat(String.join("\n", submit.err()))
            .contains("cannot be trusted or speaks no TLS")
            .contains("--ca")
            .contains("(EXTERNAL CONNECTION_FAILED)");
      }
    }
  }

  @Test
  void aSettingThatFlinkCannotReadIsSaidWithItsOption() {
    sedge.script(
        "setting.sql",
        """
        CREATE TABLE a (x INT) WITH ('connector' = 'datagen');
        CREATE TABLE o (x INT) WITH ('connector' = 'print');
        INSERT INTO o SELECT x FROM a;
        """);
    try (SedgeProcess submit =
        sedge.start(submit("setting.sql", "--set", "parallelism.default=x"))) {
      assertThat(submit.exitCode()).as(submit::toString).isEqualTo(2);
      assertThat(String.join("\n", submit.err()))
          .contains("--set parallelism.default=x: Flink does not take the settings: ");
    }
  }

  /** The last, as no cluster is there after it. */
  @Test
  @Order(Integer.MAX_VALUE)
  void aClusterThatIsGoneIsSaid() {
    flink.killJobManager();
    try (SedgeProcess submit = sedge.start(script("of-flink", submit()))) {
      assertThat(submit.exitCode()).as(submit::toString).isEqualTo(3);
      assertThat(String.join("\n", submit.err()))
          .contains("the JobManager at %s cannot be reached".formatted(flink.address()))
          .contains("(EXTERNAL CONNECTION_FAILED)");
    }
  }
}
