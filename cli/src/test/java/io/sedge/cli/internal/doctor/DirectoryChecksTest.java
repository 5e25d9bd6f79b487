package io.sedge.cli.internal.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DirectoryChecksTest {
  private static final long GIGA = 1_000_000_000;

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "ext4, 20000000000, 2, 9, OK",
    "vfat, 20000000000, 2, 9, WARNING",
    "ext4, 900000000, 2, 9, WARNING",
    "tmpfs, 20000000000, 0, 0, WARNING",
    "nfs4, 20000000000, 5, 9, WARNING",
    "overlay, 20000000000, 5, 9, WARNING",
    "ext4, 20000000000, 150, 300, WARNING",
    "ext4, 20000000000, 5, 1500, WARNING"
  })
  void aDiskThatIsFullForgetsOrIsSlowIsSaid(
      String type, long usable, long medianMillis, long longestMillis, Grade grade) {
    DiskTrial trial =
        new DiskTrial(
            type, usable, 32 * GIGA, medianMillis * 1_000_000, longestMillis * 1_000_000, 20 << 20);
    Finding finding = DirectoryChecks.disk(directory, trial);
    assertThat(finding.grade()).isEqualTo(grade);
    assertThat(finding.remedy().isEmpty()).isEqualTo(grade == Grade.OK);
  }

  @Test
  void aTrialMeasuresAndLeavesNothing() throws IOException {
    DiskTrial trial = DiskTrial.in(directory, System::nanoTime);
    assertThat(trial.medianFlushNanos())
        .isPositive()
        .isLessThanOrEqualTo(trial.longestFlushNanos());
    assertThat(trial.bytesPerSecond()).isPositive();
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }

  /** A clock that runs away ends it at once: a slow disk is not waited for. */
  @Test
  void aTrialOfASlowDiskIsCutShort() throws IOException {
    long[] now = {0};
    DiskTrial trial = DiskTrial.in(directory, () -> now[0] += 10_000_000_000L);
    assertThat(trial.medianFlushNanos()).isEqualTo(10_000_000_000L);
    assertThat(trial.bytesPerSecond()).isZero();
  }

  @Test
  void aDirectoryThatOthersReadIsSaid() throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(DirectoryChecks.privacy(directory).remedy()).contains("chmod 700");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    assertThat(DirectoryChecks.privacy(directory).grade()).isEqualTo(Grade.OK);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-01-01T00:00:00Z, FAILURE",
    "2026-03-02T00:00:00Z, OK",
    "2026-05-07T00:00:00Z, OK",
    "2026-05-10T00:00:00Z, WARNING",
    "2026-06-01T00:00:00Z, FAILURE"
  })
  void aCertificateThatShouldHaveBeenRenewedIsSaid(Instant now, Grade grade) {
    Instant begin = Instant.parse("2026-03-01T00:00:00Z");
    Instant end = Instant.parse("2026-05-30T00:00:00Z");
    assertThat(DirectoryChecks.certificate(begin, end, now).grade()).isEqualTo(grade);
  }

  @Test
  void whatIsToBeDoneDependsOnWhatIsThere() {
    AccessDeniedException denied = new AccessDeniedException("no");
    Path data = directory.resolve("data");
    assertThat(DirectoryChecks.cannotBeWritten(directory, data, denied).remedy())
        .contains("install -d -m 700 -o USER " + data);
    assertThat(DirectoryChecks.cannotBeWritten(data, data, denied).remedy())
        .contains("chown USER " + data);
    assertThat(DirectoryChecks.cannotBeWritten(data, data, new IOException("EROFS")).remedy())
        .contains("--data");
    assertThat(DirectoryChecks.isFull(90_000_000)).isTrue();
    assertThat(DirectoryChecks.full(data, 90_000_000).text()).contains("only 90.0 MB free");
    assertThat(DirectoryChecks.isNone(data).grade()).isEqualTo(Grade.FAILURE);
  }

  @Test
  void aCertificateThatIsNoneIsAFailure() throws IOException {
    Path file = Files.writeString(directory.resolve("certificate.pem"), "nothing");
    assertThat(DirectoryChecks.certificate(file, Instant.now()).grade()).isEqualTo(Grade.FAILURE);
  }
}
