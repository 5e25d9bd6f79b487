package io.sedge.bench.connectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.bench.ClassPath;
import io.sedge.bench.parts.SedgeProcess;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A peer that counts something else than Sedge says nothing of Sedge. */
class BareClientsTest {
  private static final int HEAP_MB = 128;

  @TempDir private Path directory;

  private Programs programs;

  @BeforeEach
  void find() throws Exception {
    programs = new Programs(Path.of("sedge"), ClassPath.read(Path.of("target")), directory);
  }

  private SteadyRun.Plan plan(int perSecond, boolean even) {
    return new SteadyRun.Plan(perSecond, even, Duration.ofSeconds(1), Duration.ofSeconds(3));
  }

  @Test
  void theClientOfOpcUaCountsEachValueOfEachNode() throws Exception {
    try (SedgeProcess server = programs.java("server", OpcUaServer.class, HEAP_MB, "250")) {
      String line = server.awaitLine(OpcUaServer.SERVES);
      String url = line.substring(line.indexOf("opc.tcp"));
      try (SedgeProcess client =
          programs.java("client", OpcUaClientBare.class, HEAP_MB, url, "250")) {
        SteadyRun run = SteadyRun.of(client, programs.log("client"), plan(250, true));
        assertThat(run.cpuMicrosPerValue()).isPositive();
      }
    }
  }

  @Test
  void theClientOfModbusCountsEachRegisterThatIsRight() throws Exception {
    try (SedgeProcess slaves = programs.java("slaves", ModbusSlaves.class, HEAP_MB, "5")) {
      String ports = slaves.awaitLine(ModbusSlaves.SERVES).substring(ModbusSlaves.SERVES.length());
      try (SedgeProcess client =
          programs.java("client", ModbusClientBare.class, HEAP_MB, ports, "20")) {
        SteadyRun run = SteadyRun.of(client, programs.log("client"), plan(100, false));
        assertThat(run.residentMb()).isPositive();
      }
    }
  }

  @Test
  void whoCountsTooFewFails() throws Exception {
    try (SedgeProcess slaves = programs.java("slaves", ModbusSlaves.class, HEAP_MB, "1")) {
      String ports = slaves.awaitLine(ModbusSlaves.SERVES).substring(ModbusSlaves.SERVES.length());
      try (SedgeProcess client =
          programs.java("client", ModbusClientBare.class, HEAP_MB, ports, "20")) {
        assertThatThrownBy(() -> SteadyRun.of(client, programs.log("client"), plan(40, false)))
            .hasMessageContaining("40 are due");
      }
    }
  }

  @Test
  void theLoopOverJdbcLeavesTheLastRowOfEachKey() throws Exception {
    String url = "jdbc:sqlite:" + directory.resolve("test.db");
    UpsertLoop.create(url, "loop");
    int rows = JdbcBenchmark.KEYS + 5_000;
    UpsertLoop.main(new String[] {url, "loop", "1000", Integer.toString(rows)});
    UpsertLoop.check(url, "loop", rows);
    assertThatThrownBy(() -> UpsertLoop.check(url, "loop", rows + 1))
        .isInstanceOf(IllegalStateException.class);
  }
}
