package io.sedge.site.internal.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sedge.ledger.JobState;
import io.sedge.site.Device;
import io.sedge.site.api.DeviceOptions;
import io.sedge.site.api.JobReplacement;
import io.sedge.site.api.JobStatus;
import io.sedge.site.api.SiteException;
import io.sedge.site.testkit.Devices;
import io.sedge.task.FailureCode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs with a jar, on devices of which each has a directory of its own, in this process. */
@Timeout(300)
class TravellingFilesTest {
  private static final long TOTAL = 300;

  /** So slow that devices come and go before all is read. */
  private static final SimulatedTables.Pace PACE = new SimulatedTables.Pace(100_000_000, 3);

  private static final String SCRIPT =
      """
      CREATE FUNCTION f AS 'jar.Scale' USING JAR 'jars/scale.jar';
      CREATE TABLE numbers (
        k STRING, n BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
      ) WITH ('connector' = 'simulated');
      CREATE TABLE kept (k STRING, n BIGINT) WITH ('connector' = 'simulated');
      INSERT INTO kept SELECT k, f(n) FROM numbers;
      """;

  @TempDir Path root;
  private final SimulatedTables tables = new SimulatedTables(new Random(7), TOTAL, _ -> PACE);
  private Devices devices;

  @BeforeEach
  void site() {
    devices = new Devices(root).with(tables);
  }

  @AfterEach
  void close() {
    devices.close();
  }

  private Path home(String device) {
    return root.resolve("home-" + device);
  }

  /** The same with a working directory of its own. */
  private DeviceOptions atHome(DeviceOptions options) {
    try {
      Path home = Files.createDirectories(home(options.name()));
      return DeviceOptions.of(options.data(), options.name(), options.host(), options.port(), home);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Device start(String name) throws SiteException {
    return devices.start(name, this::atHome);
  }

  /** Joins, and waits until the other knows that it is up: files are given to those that are. */
  private Device join(String name, Device through) throws Exception {
    Device joined = devices.join(name, through, this::atHome);
    devices.until(
        name + " is up",
        () ->
            through.control().status().devices().stream()
                .anyMatch(device -> device.name().equals(name) && device.alive()));
    return joined;
  }

  /** A jar whose function multiplies. */
  private void writeJar(String device, int factor) throws IOException {
    Path work = Files.createDirectories(root.resolve("work-" + factor));
    Path source = work.resolve("Scale.java");
    Files.writeString(
        source,
        "package jar; public class Scale { public Long eval(Long n) { return n * %d; } }"
            .formatted(factor));
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", work.toString(), source.toString());
    assertThat(failed).isZero();
    Path jar = home(device).resolve("jars/scale.jar");
    Files.createDirectories(jar.getParent());
    try (OutputStream output = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(output)) {
      entries.putNextEntry(new JarEntry("jar/Scale.class"));
      Files.copy(work.resolve("jar/Scale.class"), entries);
    }
  }

  private static JobStatus job(Device device) throws SiteException {
    return device.control().jobs().getFirst();
  }

  private List<Path> copies(String device) throws IOException {
    Path directory = root.resolve(device).resolve("files");
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> !file.toString().contains(".")).toList();
    }
  }

  private static List<String> expected(int factor) {
    List<String> rows = new ArrayList<>();
    for (String key : SimulatedTables.KEYS) {
      LongStream.range(0, TOTAL).forEach(n -> rows.add("%s %d".formatted(key, n * factor)));
    }
    return rows;
  }

  private List<String> delivered() {
    return tables.delivered("kept");
  }

  @Test
  void aDeviceThatJoinedAfterwardsGoesOnWhenTheOneThatHadTheFileIsGone() throws Exception {
    Device a = start("a");
    Device b = join("b", a);
    writeJar("a", 2);
    assertThat(a.control().submit("plant", SCRIPT)).isFalse();
    assertThat(copies("b")).as("before the job is there").hasSize(1);
    writeJar("a", 5);
    devices.until(
        "b runs a task",
        () ->
            a.control().status().tasks().stream()
                .anyMatch(task -> task.device().equals("b") && task.commits() > 0));
    Device c = join("c", b);
    devices.until("c has the file", () -> copies("c").size() == 1);
    Files.delete(home("a").resolve("jars/scale.jar"));
    devices.until("all vote", () -> c.control().status().ledger().voters() == 3);
    devices.close(a);
    assertThat(job(c).state()).isEqualTo(JobState.RUNNING);
    devices.until("the end", () -> job(c).state() == JobState.FINISHED);
    assertThat(delivered()).containsExactlyInAnyOrderElementsOf(expected(2));
    assertThat(copies("b").getFirst()).hasSameBinaryContentAs(copies("c").getFirst());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copies("c").getFirst())))
        .isEqualTo("rw-------");
    assertThat(devices.said("c INFO file jars/scale.jar")).isEqualTo(1);
  }

  @Test
  void aFileThatHasChangedIsANewVersionOfTheJob() throws Exception {
    Device a = start("a");
    writeJar("a", 2);
    a.control().submit("plant", SCRIPT);
    devices.until("results", () -> !tables.delivered("kept").isEmpty());
    assertThat(a.control().replacement("plant", SCRIPT).changes()).isFalse();
    writeJar("a", -1);
    JobReplacement replacement = a.control().replacement("plant", SCRIPT);
    assertThat(replacement.changes()).isTrue();
    a.control().replace("plant", SCRIPT, replacement);
    assertThat(job(a).version()).isEqualTo(2);
    devices.until("the end", () -> job(a).state() == JobState.FINISHED);
    List<String> before = expected(2);
    List<String> after = expected(-1);
    List<String> rows = delivered();
    assertThat(rows).hasSize(before.size()).doesNotHaveDuplicates();
    for (int i = 0; i < before.size(); i++) {
      assertThat(rows).as("once").containsAnyOf(before.get(i), after.get(i));
    }
    assertThat(rows).contains(after.getLast());
  }

  /** Whoever submits is told; nothing of the file is left in the job's place. */
  @Test
  void aFileThatIsNotThereOrMayNotBeReadIsRefusedWithItsPlace() throws Exception {
    Device a = start("a");
    assertThatExceptionOfType(SiteException.class)
        .isThrownBy(() -> a.control().submit("plant", SCRIPT))
        .satisfies(e -> assertThat(e.code()).isEqualTo(FailureCode.SCRIPT_NOT_ACCEPTED))
        .satisfies(
            e ->
                assertThat(e.problems().getFirst().toString())
                    .startsWith("line 1:")
                    .contains("the jar: jars/scale.jar cannot be read: it is not there"));
    writeJar("a", 2);
    Path outside = Files.createDirectory(root.resolve("outside"));
    Path jar = home("a").resolve("jars/scale.jar");
    Files.move(jar, outside.resolve("scale.jar"));
    Files.createSymbolicLink(jar, outside.resolve("scale.jar"));
    assertThatExceptionOfType(SiteException.class)
        .isThrownBy(() -> a.control().submit("plant", SCRIPT))
        .satisfies(
            e ->
                assertThat(e.problems().getFirst().message())
                    .contains("jobs may not read", "sedge device allow " + outside));
    assertThat(copies("a")).isEmpty();
    assertThat(a.control().jobs()).isEmpty();
    a.control().allow(outside.toString(), false);
    a.control().submit("plant", SCRIPT);
    devices.until("results", () -> !tables.delivered("kept").isEmpty());
  }

  /** It comes back when the device that has the file does, and says so until then. */
  @Test
  void aDeviceThatCannotGetAFileSaysSoAndIsGivenNoTaskOfTheJob() throws Exception {
    Device a = start("a");
    Device b = join("b", a);
    writeJar("a", 2);
    a.control().submit("plant", SCRIPT);
    a.control().pause("plant");
    devices.until("the pause", () -> job(a).runningTasks() == 0);
    devices.close(b);
    devices.close(a);
    Files.delete(copies("b").getFirst());
    Path only = copies("a").getFirst();
    Path away = root.resolve("away");
    Files.move(only, away);
    Files.delete(home("a").resolve("jars/scale.jar"));
    Device again = devices.start("a");
    Device other = devices.start("b");
    devices.untilLed(again, other);
    again.control().resume("plant");
    devices.until(
        "both say so",
        () ->
            job(again).detail().contains("a: file jars/scale.jar")
                && job(again).detail().contains("b: file jars/scale.jar")
                && job(again).detail().contains("does not have it"));
    assertThat(job(again).state()).isEqualTo(JobState.RUNNING);
    Files.createDirectories(home("b").resolve("jars"));
    Files.move(away, home("b").resolve("jars/scale.jar"));
    devices.until("the end", () -> job(again).state() == JobState.FINISHED);
    assertThat(delivered()).containsExactlyInAnyOrderElementsOf(expected(2));
    assertThat(copies("a")).hasSize(1);
  }
}
