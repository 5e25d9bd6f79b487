package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.broker.EmbeddedBroker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Passwords of a broker that lets nobody else in, from where people give them. */
@Timeout(300)
class SecretCommandTest {
  private static final String PASSWORD = "correct horse battery";
  @TempDir Path directory;
  private EmbeddedBroker broker;

  @BeforeEach
  void start() throws Exception {
    broker = EmbeddedBroker.builder().login("plant", PASSWORD).start();
    String tables =
        """
        CREATE TABLE source (n BIGINT) WITH (
          'connector' = 'mqtt', 'url' = '%s', 'topic' = 'in', 'format' = 'json',
          'username' = 'plant', 'password' = '${secret:broker-1}');
        CREATE TABLE sink (n BIGINT) WITH (
          'connector' = 'mqtt', 'url' = '%s', 'topic' = 'out', 'format' = 'json',
          'username' = 'plant', 'password' = '${secret:broker-1}');
        """
            .formatted(broker.url(), broker.url());
    Files.writeString(
        directory.resolve("write.sql"), tables + "INSERT INTO sink VALUES (1), (2), (3);");
    Files.writeString(
        directory.resolve("copy.sql"), tables + "INSERT INTO sink SELECT n FROM source;");
  }

  @AfterEach
  void stop() {
    broker.close();
  }

  private void secrets(String text, String permissions) throws IOException {
    Path file = directory.resolve("secrets");
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  private CommandRunner run(int exitCode, CommandRunner runner, String commandLine) {
    return DeviceRunner.run(runner, exitCode, commandLine);
  }

  private CommandRunner run(int exitCode, String commandLine) {
    return run(exitCode, new CommandRunner(directory), commandLine);
  }

  @Test
  void aRunTakesItFromAFileThatOnlyItsOwnerCanRead() throws Exception {
    secrets("broker-1=" + PASSWORD + "\n", "rw-------");
    assertThat(run(0, "run write.sql --secrets-file secrets").err())
        .containsPattern("rows out +3\\b")
        .doesNotContain(PASSWORD);
  }

  @Test
  void aFileThatOthersCanReadIsRefused() throws Exception {
    for (String permissions : List.of("rw-r-----", "rw----r--", "rw--w----")) {
      secrets("broker-1=" + PASSWORD + "\n", permissions);
      assertThat(run(2, "run write.sql --secrets-file secrets").err())
          .contains("--secrets-file=secrets can be read by other users")
          .contains("chmod 600 secrets")
          .contains("(USER USAGE)");
    }
  }

  @Test
  void aRunTakesItFromTheEnvironmentAndSaysWhatIsMissing() {
    CommandRunner given =
        new CommandRunner(directory).environment("SEDGE_SECRET_BROKER_1", PASSWORD);
    assertThat(run(0, given, "run write.sql").err()).containsPattern("rows out +3\\b");
    assertThat(run(2, "run write.sql").err())
        .contains("the script names the secret broker-1, which has no value")
        .contains("--secrets-file")
        .contains("$SEDGE_SECRET_BROKER_1");
    assertThat(run(2, "run write.sql --secrets-file absent").err())
        .contains("--secrets-file=absent cannot be read: there is no such file");
  }

  @Test
  void checkAndExplainNeedNoValueAndNameIt() {
    assertThat(run(0, "check copy.sql").err())
        .contains("the secret broker-1 is taken for sink.password, source.password")
        .contains("`sedge secret set broker-1`");
    assertThat(run(0, "explain copy.sql").out())
        .contains("takes secrets when it is opened: broker-1");
  }

  @Test
  void checkRemarksOnAPasswordInTheScriptAndNotOnOneInAFile() throws Exception {
    Files.writeString(
        directory.resolve("literal.sql"),
        Files.readString(directory.resolve("copy.sql"))
            .replaceFirst("'password' = '[^']*'", "'password' = 'hunter22'")
            .replaceFirst("'password' = '\\$[^']*'", "'password-file' = 'x'"));
    assertThat(run(0, "check literal.sql").err())
        .contains("table source: 'password' stands in the script in clear")
        .contains("'password' = '${secret:NAME}'")
        .doesNotContain("hunter22'", "'password-file'");
  }

  @Test
  void aSiteTakesItFromAFileAPipeOrATerminalAndItsDirectoryHasItNowhere() throws Exception {
    DeviceRunner devices = new DeviceRunner(directory);
    devices.start("device start --data a --name a --listen 127.0.0.1");
    assertThat(run(2, "job submit copy.sql --data a").err())
        .contains("names the secret broker-1, which the site does not have")
        .contains("`sedge secret set broker-1`");
    CommandRunner wrong = new CommandRunner(directory).typing("not the password");
    assertThat(run(0, wrong, "secret set broker-1 --data a").err())
        .contains("secret broker-1 is set");
    assertThat(wrong.questions()).containsExactly("Value of secret broker-1: ");
    run(0, new CommandRunner(directory).input(PASSWORD + "\n"), "secret set broker-1 --data a");
    run(0, "job submit copy.sql --data a");
    until(devices, "job list --data a --output json", "\"runningTasks\":2");
    assertThat(run(0, "secret list --data a").out()).contains("broker-1").contains("copy");
    assertThat(run(2, "secret remove broker-1 --data a").err()).contains("(copy)");
    secrets(PASSWORD, "rw-------");
    assertThat(run(0, "secret set broker-1 --value-file secrets --data a").err())
        .contains("sedge job pause copy && sedge job resume copy");
    Files.delete(directory.resolve("secrets"));
    assertThat(run(0, "job logs --data a").out()).doesNotContain(PASSWORD);
    devices.stop();
    assertThat(holding(PASSWORD)).isEmpty();
    assertThat(holding("${secret:broker-1}")).isNotEmpty();
  }

  @Test
  void whoRemovesADeviceIsToldWhichSecretsItCouldRead() throws Exception {
    DeviceRunner devices = new DeviceRunner(directory);
    devices.startTwo("b");
    assertThat(run(0, new CommandRunner(directory).input("x"), "secret set one --data a").err())
        .doesNotContain("not yet on");
    assertThat(run(0, "device remove b --data a").err())
        .contains("it could read the secrets one until now");
    devices.stop();
  }

  private void until(DeviceRunner devices, String commandLine, String text) {
    while (!devices.run(0, commandLine).out().contains(text)) {
      LockSupport.parkNanos(50_000_000);
    }
  }

  private List<Path> holding(String text) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> bytes(file).contains(text))
          .filter(file -> !file.toString().endsWith(".sql"))
          .toList();
    }
  }

  private static String bytes(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
