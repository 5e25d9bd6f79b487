package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The unit with which a center comes back after a reboot. */
class CenterUnitCommandTest {
  @TempDir Path directory;

  private CommandRunner runner() {
    return new CommandRunner(directory).environment("SEDGE_LAUNCHER", "/usr/lib/sedge/bin/sedge");
  }

  @Test
  void itStartsTheCenterAsAUserOfItsOwnWithTheOptionsOfAFile() {
    CommandRunner runner = runner();
    assertThat(runner.run("center", "unit", "--options-file", "/etc/sedge/center.conf"))
        .as(runner.err())
        .isZero();
    assertThat(runner.out())
        .startsWith("# A Sedge center, by `sedge center unit`.")
        .contains("systemctl edit sedge-center\n")
        .contains("Type=notify\n")
        .contains(
            """
            User=sedge-center
            ExecStart=/usr/lib/sedge/bin/sedge center start --data /var/lib/sedge-center $CENTER_OPTIONS
            EnvironmentFile=-/etc/sedge/center.conf
            WorkingDirectory=/var/lib/sedge-center
            StateDirectory=sedge-center
            StateDirectoryMode=0700
            """)
        .contains("ProtectSystem=strict\n")
        .as("a center tells no watchdog that it works")
        .doesNotContain("WatchdogSec")
        .doesNotContain("device");
  }

  @Test
  void aMistakeIsSaidBeforeTheReboot() {
    CommandRunner runner = runner();
    assertThat(runner.run("center", "unit", "--", "--listn", "10.0.0.2")).isEqualTo(2);
    assertThat(runner.err())
        .contains("`sedge center start` has no option `--listn`; did you mean `--listen`?");
    assertThat(runner.out()).isEmpty();
  }
}
