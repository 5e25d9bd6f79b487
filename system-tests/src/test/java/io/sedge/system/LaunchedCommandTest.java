package io.sedge.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.system.testkit.Sedge;
import io.sedge.system.testkit.SedgeProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each kind of command with the class path that the launcher gives it: a jar may be left out. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
final class LaunchedCommandTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "alarm list --data a",
        "center backup file --data a",
        "center restore file --data a",
        "center status --data a",
        "connect browse jdbc:postgresql://127.0.0.1:1/x",
        "connect browse jdbc:sqlite:absent.db",
        "connect browse kafka://127.0.0.1:1",
        "connect browse mqtt://127.0.0.1:1 --time 1s",
        "device address 127.0.0.1:7410 --data a",
        "device bundle --data a",
        "device status --data a",
        "device unit --data a",
        "doctor --data a",
        "flink submit absent.sql --to http://127.0.0.1:1",
        "job list --data a",
        "model list --data a",
        "secret list --data a",
        "site report --to 127.0.0.1:1 --token x --data a",
        "site status --data a"
      })
  void aCommandHasTheClassesThatItNeeds(String command) {
    try (SedgeProcess process = Sedge.in(directory).start(command.split(" "))) {
      process.exitCode();
      assertThat(process.err()).noneMatch(line -> line.contains("a fault in Sedge"));
      assertThat(process.out().size() + process.err().size()).isPositive();
    }
  }
}
