package io.sedge.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.site.api.SiteException;
import io.sedge.site.testkit.Bundles;
import io.sedge.site.testkit.Devices;
import io.sedge.task.testkit.FakeConnector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is sent to others must help them, and must not hold secrets. */
@Timeout(600)
class BundleTest {
  private static final String PASSWORD = "correct horse battery";
  private static final String IN_A_COMMENT = "hunter2hunter2";
  private static final String SCRIPT =
      """
      -- broker_password: %s
      CREATE TABLE numbers (n BIGINT) WITH ('connector' = 'fake', 'password' = '%s');
      CREATE TABLE kept (n BIGINT) WITH ('connector' = 'fake');
      INSERT INTO kept SELECT n FROM numbers;
      """
          .formatted(IN_A_COMMENT, PASSWORD);

  @TempDir Path root;
  private final FakeConnector tables = new FakeConnector();
  private Devices devices;

  @BeforeEach
  void site() {
    devices = new Devices(root).with(tables);
  }

  @AfterEach
  void close() {
    devices.close();
  }

  private Bundle.Contents bundle(String name) throws SiteException {
    return Bundle.write(root.resolve("a"), root.resolve(name), "sedge test", Instant.EPOCH);
  }

  /** Everything that must not leave the device. */
  private List<String> secrets(String token) throws IOException {
    List<String> secrets = new ArrayList<>(List.of(PASSWORD, IN_A_COMMENT, token));
    for (String file : List.of("authority/key.pem", "identity/key.pem")) {
      Files.readAllLines(root.resolve("a").resolve(file)).stream()
          .filter(line -> !line.startsWith("-"))
          .forEach(secrets::add);
    }
    return secrets;
  }

  @Test
  void itSaysWhatIsNeededAndNoSecret() throws Exception {
    tables.onPoll = () -> new IllegalStateException("cannot log in with " + PASSWORD);
    Device device = devices.start("a");
    String token = device.control().token(Duration.ofMinutes(5)).text();
    device.control().submit("plant", SCRIPT);
    devices.until(
        "the failure is in the log",
        () -> device.control().logs("", 0).toString().contains("cannot log in with ***"));
    devices.until(
        "both tasks are placed",
        () ->
            device.control().status().tasks().stream()
                    .filter(task -> task.device().equals("a"))
                    .count()
                == 2);
    Bundle.Contents contents = bundle("b.zip");
    assertThat(contents.running()).isTrue();
    Map<String, String> entries = Bundles.texts(Files.newInputStream(root.resolve("b.zip")));
    assertThat(contents.entries().keySet()).isSubsetOf(entries.keySet());
    for (String secret : secrets(token)) {
      assertThat(secret.length()).isGreaterThan(10);
      assertThat(entries)
          .as("nowhere is %s", secret)
          .allSatisfy((_, text) -> assertThat(text).doesNotContain(secret));
    }
    assertThat(entries.get("jobs/plant.sql"))
        .contains("'connector' = 'fake', 'password' = '***'")
        .contains("-- broker_password: ***");
    assertThat(entries.get("log.txt")).contains("cannot log in with ***");
    assertThat(entries.get("log/device.0.log")).contains("cannot log in with ***");
    assertThat(entries.get("threads.txt")).contains("sedge-agent");
    assertThat(entries.get("heap.txt")).contains("java.lang.String");
    assertThat(entries.get("metrics.txt")).contains("sedge_tasks_assigned ");
    assertThat(entries.get("health.json")).contains("\"registration\"");
    assertThat(entries.get("placement.txt")).contains("plant/all");
    assertThat(entries.get("status.json")).contains("\"leader\" : \"a\"");
    assertThat(entries.get("settings.txt")).contains("name=a");
    assertThat(entries.get("certificates.txt")).contains("CN=a").contains("until ");
    assertThat(entries.get("files.txt")).contains("identity/key.pem").contains("ledger/log");
    assertThat(entries.get("README.txt")).contains("threads.txt").contains("Not in it:");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve("b.zip"))))
        .isEqualTo("rw-------");
  }

  /** Without the device nobody knows the scripts; so what it keeps of the log has no secrets. */
  @Test
  void whatADeviceHasSaidHoldsNoSecretEvenWhenItDoesNotRun() throws Exception {
    tables.onPoll = () -> new IllegalStateException("cannot log in with " + PASSWORD);
    Device device = devices.start("a");
    device.control().submit("plant", SCRIPT);
    devices.until(
        "the failure is in the log",
        () -> device.control().logs("", 0).toString().contains("cannot log in with "));
    devices.close(device);
    bundle("b.zip");
    Map<String, String> entries = Bundles.texts(Files.newInputStream(root.resolve("b.zip")));
    assertThat(entries.get("log/device.0.log")).contains("cannot log in with ***");
    assertThat(entries).allSatisfy((_, text) -> assertThat(text).doesNotContain(PASSWORD));
  }

  @Test
  void ofADeviceThatDoesNotRunItIsWhatTheDiskSays() throws Exception {
    devices.close(devices.start("a"));
    Path foreign = Files.writeString(root.resolve("foreign"), "not yours");
    Files.createSymbolicLink(root.resolve("a/log/device.1.log"), foreign);
    Bundle.Contents contents = bundle("b.zip");
    assertThat(contents.running()).isFalse();
    Map<String, String> entries = Bundles.texts(Files.newInputStream(root.resolve("b.zip")));
    assertThat(entries.get("about.txt")).contains("no device runs in");
    assertThat(entries.get("log/device.0.log")).contains("this member leads now");
    assertThat(entries.get("certificates.txt")).contains("CN=a");
    assertThat(entries)
        .as("links are not followed: who makes the bundle may read more than the device")
        .allSatisfy((_, text) -> assertThat(text).doesNotContain("not yours"));
  }

  @Test
  void nothingIsOverwrittenAndADirectoryWithoutADeviceIsRefused() throws Exception {
    devices.close(devices.start("a"));
    Files.writeString(root.resolve("mine.zip"), "mine");
    assertThatThrownBy(() -> bundle("mine.zip"))
        .isInstanceOf(SiteException.class)
        .hasMessageContaining("--to");
    assertThat(root.resolve("mine.zip")).hasContent("mine");
    assertThatThrownBy(
            () -> Bundle.write(root.resolve("b"), root.resolve("x.zip"), "", Instant.EPOCH))
        .isInstanceOf(SiteException.class)
        .hasMessageContaining("no device has");
  }
}
