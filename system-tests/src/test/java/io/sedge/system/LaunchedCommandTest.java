package io.sedge.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.system.testkit.Sedge;
import io.sedge.system.testkit.SedgeProcess;
import io.sedge.system.testkit.SiteProcesses;
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
  private static final String SECURED_SERVER =
      """
      CREATE TABLE levels (tank STRING, level DOUBLE)
      WITH ('connector' = 'opc-ua', 'url' = 'opc.tcp://127.0.0.1:1', 'nodes' = 'ns=1;s={tank}.level',
            'security-policy' = 'Basic256Sha256');
      SELECT * FROM levels;
      """;

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
        "connect browse opc.tcp://127.0.0.1:1 --time 1s --option security-policy=Basic256Sha256",
        "connect test opcua.sql --time 1s",
        "device address 127.0.0.1:7410 --data a",
        "device bundle --data a",
        "device status --data a",
        "device unit --data a",
        "doctor --data a",
        "flink submit absent.sql --to http://127.0.0.1:1",
        "job list --data a",
        "model list --data a",
        "new made.sql --from opc.tcp://127.0.0.1:1 --time 1s --option"
            + " security-policy=Basic256Sha256",
        "run opcua.sql --duration 1s",
        "run webhook.sql --duration 1s",
        "secret list --data a",
        "site report --to 127.0.0.1:1 --token x --data a",
        "site status --data a"
      })
  void aCommandHasTheClassesThatItNeeds(String command) {
    Sedge sedge = Sedge.in(directory);
    sedge.script("opcua.sql", SECURED_SERVER);
    sedge.script("webhook.sql", webhook(SiteProcesses.freePorts()));
    try (SedgeProcess process = sedge.start(command.split(" "))) {
      process.exitCode();
      assertThat(process.err()).noneMatch(line -> line.contains("a fault in Sedge"));
      assertThat(process.out().size() + process.err().size()).isPositive();
    }
  }

  private static String webhook(int port) {
    return """
    CREATE TABLE readings (machine STRING, reading DOUBLE)
    WITH ('connector' = 'webhook', 'listen' = '127.0.0.1:%d', 'path' = '/readings', 'format' = 'json');
    SELECT * FROM readings;
    """
        .formatted(port);
  }
}
