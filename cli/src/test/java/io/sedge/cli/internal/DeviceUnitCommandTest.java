package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The unit with which a gateway comes back after a reboot. */
class DeviceUnitCommandTest {
  private static final Path ANALYZE = Path.of("/usr/bin/systemd-analyze");

  /** What systemd knows from 254 on, and older ones pass over. */
  private static final List<String> NEWER = List.of("RestartSteps", "RestartMaxDelaySec");

  @TempDir Path directory;

  private CommandRunner runner() {
    return new CommandRunner(directory)
        .environment("SEDGE_LAUNCHER", "/opt/sedge/sedge")
        .environment("JAVA_HOME", "/opt/jdk");
  }

  private String unit(String... arguments) {
    CommandRunner runner = runner();
    String[] all = new String[arguments.length + 2];
    all[0] = "device";
    all[1] = "unit";
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    assertThat(runner.run(all)).as(runner.err()).isZero();
    return runner.out();
  }

  @Test
  void itStartsTheDeviceOfThisInstallationWithTheOptionsThatItIsToHave() {
    assertThat(unit("--user", "plant", "--", "--cpu", "0.5", "--label", "zone=north hall"))
        .contains(
            """
            User=plant
            ExecStart=/opt/sedge/sedge device start --data /var/lib/sedge --cpu 0.5 --label "zone=north hall"
            Environment=JAVA_HOME=/opt/jdk
            WorkingDirectory=/var/lib/sedge
            StateDirectory=sedge
            """)
        .contains("Type=notify\n")
        .contains("Restart=always\n")
        .contains("ProtectSystem=strict\n")
        .contains("ProtectHome=yes\n");
  }

  @Test
  void aDirectoryElsewhereIsMadeWritable() {
    assertThat(unit("--data", "/srv/plant"))
        .contains("WorkingDirectory=/srv/plant\nReadWritePaths=/srv/plant\n")
        .doesNotContain("StateDirectory");
    assertThat(unit("--data", "/home/anna/plant"))
        .as("what is hidden cannot be started")
        .contains("ProtectHome=read-only\n");
  }

  /** Else a package would differ with the place of the checkout and of its builder's Java. */
  @Test
  void homesAreShownForWhatTheUnitNamesAlone() {
    CommandRunner runner =
        new CommandRunner(directory).environment("SEDGE_LAUNCHER", "/usr/lib/sedge/bin/sedge");
    assertThat(runner.run("device", "unit")).isZero();
    assertThat(runner.out()).contains("ProtectHome=yes\n").doesNotContain("Environment=");
    for (String name : List.of("JAVA_HOME", "SEDGE_LIBRARY", "SEDGE_TENSORFLOW")) {
      CommandRunner named = runner().environment(name, "/home/anna/" + name);
      assertThat(named.run("device", "unit")).isZero();
      assertThat(named.out()).as(name).contains("ProtectHome=read-only\n");
    }
  }

  /** PrivateDevices alone is not enough: ProtectClock refuses devices that are not named. */
  @Test
  void whatASerialLineNeedsIsSaid() {
    assertThat(unit())
        .contains("\nPrivateDevices=yes\n")
        .contains(
            "#PrivateDevices=no\n#DeviceAllow=char-ttyUSB rw\n#SupplementaryGroups=dialout\n");
  }

  /** As in the package: its launcher has a runtime of its own, so there is no JAVA_HOME. */
  @Test
  void optionsOfAFileCountAtEachStart() {
    CommandRunner runner =
        new CommandRunner(directory).environment("SEDGE_LAUNCHER", "/usr/lib/sedge/bin/sedge");
    assertThat(runner.run("device", "unit", "--options-file", "/etc/sedge/device.conf")).isZero();
    assertThat(runner.out())
        .contains("Documentation=man:sedge(1)\n")
        .contains(
            """
            ExecStart=/usr/lib/sedge/bin/sedge device start --data /var/lib/sedge $DEVICE_OPTIONS
            EnvironmentFile=-/etc/sedge/device.conf
            WorkingDirectory=/var/lib/sedge
            """);
  }

  @Test
  void whatTheLauncherGoesByIsTakenAlong() {
    CommandRunner runner =
        runner().environment("SEDGE_HEAP", "64m").environment("JAVA_OPTS", "-Da=$b");
    assertThat(runner.run("device", "unit")).isZero();
    assertThat(runner.out())
        .contains("Environment=SEDGE_HEAP=64m\nEnvironment=\"JAVA_OPTS=-Da=$b\"\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "device unit -- --cpus 2 | `sedge device start` has no option `--cpus`; did you mean"
            + " `--cpu`?",
        "device unit --user Root! | --user=Root! is no name of a user",
        "device unit --data /srv/a%b | in a unit, paths are of letters, digits and",
      })
  void aMistakeIsSaidBeforeTheReboot(String line, String message) {
    CommandRunner runner = runner();
    assertThat(runner.run(line.split(" "))).isEqualTo(2);
    assertThat(runner.err()).contains(message);
    assertThat(runner.out()).isEmpty();
  }

  @Test
  void systemdFindsNothingWrongWithIt() throws Exception {
    assumeTrue(Files.isExecutable(ANALYZE), "systemd-analyze is not installed");
    Path launcher = directory.resolve("sedge");
    Files.writeString(launcher, "#!/bin/sh\n");
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    CommandRunner runner =
        new CommandRunner(directory).environment("SEDGE_LAUNCHER", launcher.toString());
    assertThat(runner.run("device", "unit", "--", "--label", "zone=a \"b\" $c %d")).isZero();
    Path unit = directory.resolve("sedge.service");
    Files.writeString(unit, runner.out());
    assertThat(analyze("verify", "--man=no", unit.toString()))
        .filteredOn(line -> NEWER.stream().noneMatch(line::contains))
        .filteredOn(line -> line.contains("sedge"))
        .isEmpty();
  }

  private static List<String> analyze(String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(ANALYZE.toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    List<String> lines =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(String.join("\n", lines)).isZero();
    return lines;
  }
}
