package io.sedge.cli.internal.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MachineChecksTest {
  private static final Instant NOW = Instant.parse("2026-11-26T20:00:00Z");
  private static final Path TEMPORARY = Path.of("/tmp");

  @ParameterizedTest
  @CsvSource({
    "128000000, 100000000, false, FAILURE",
    "300000000, 280000000, false, WARNING",
    "1000000000, 100000000, false, WARNING",
    "1000000000, 100000000, true, OK",
    "440000000, 300000000, false, OK",
    "4000000000, 3000000000, false, OK"
  })
  void aDeviceNeedsSomeMemory(long total, long available, boolean running, Grade grade) {
    assertThat(MachineChecks.memory(total, available, running).grade()).isEqualTo(grade);
  }

  @Test
  void aClockOf1970IsAFailureAndOneThatNobodyKeepsAWarning() {
    assertThat(MachineChecks.clock(Instant.EPOCH, Optional.of(true)).grade())
        .isEqualTo(Grade.FAILURE);
    assertThat(MachineChecks.clock(NOW, Optional.of(false)).grade()).isEqualTo(Grade.WARNING);
    assertThat(MachineChecks.clock(NOW, Optional.of(true)).grade()).isEqualTo(Grade.OK);
    assertThat(MachineChecks.clock(NOW, Optional.empty()))
        .satisfies(finding -> assertThat(finding.grade()).isEqualTo(Grade.OK))
        .satisfies(finding -> assertThat(finding.text()).contains("not known"));
  }

  @Test
  void whatIsNotWellSaysWhatToDo() {
    List<Finding> findings =
        List.of(
            MachineChecks.memory(1, 1, false),
            MachineChecks.clock(Instant.EPOCH, Optional.empty()),
            MachineChecks.openFiles(256),
            MachineChecks.fileNames(StandardCharsets.US_ASCII),
            MachineChecks.temporary(TEMPORARY, false, true),
            MachineChecks.temporary(TEMPORARY, true, false),
            NetworkChecks.addresses(List.of()),
            NetworkChecks.ports(7410, Optional.of(7420)),
            NetworkChecks.ports(7410, Optional.empty()),
            NetworkChecks.noAddress("10.0.0.7"),
            NetworkChecks.ports(List.of(7411), false));
    assertThat(findings)
        .allSatisfy(finding -> assertThat(finding.grade()).isNotEqualTo(Grade.OK))
        .allSatisfy(finding -> assertThat(finding.remedy()).isNotEmpty());
    assertThat(findings.getLast().text()).isEqualTo("another program listens at 7411");
  }

  @Test
  void whatIsWellSaysNothingMore() {
    assertThat(
            List.of(
                MachineChecks.openFiles(1_024),
                MachineChecks.fileNames(StandardCharsets.UTF_8),
                MachineChecks.temporary(TEMPORARY, true, true),
                NetworkChecks.addresses(List.of("10.0.0.7")),
                NetworkChecks.ports(7410, Optional.of(7410)),
                NetworkChecks.ports(List.of(), false),
                NetworkChecks.ports(List.of(7410, 7411), true)))
        .allSatisfy(finding -> assertThat(finding.grade()).isEqualTo(Grade.OK))
        .allSatisfy(finding -> assertThat(finding.remedy()).isEmpty());
  }
}
