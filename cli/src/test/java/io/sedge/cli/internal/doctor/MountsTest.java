package io.sedge.cli.internal.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MountsTest {
  private static final String MOUNTS =
      """
      /dev/mmcblk0p2 / ext4 rw,noatime 0 0
      proc /proc proc rw,nosuid,nodev,noexec,relatime 0 0
      tmpfs /tmp tmpfs rw,nosuid,nodev,noexec 0 0
      /dev/sda1 /mnt/a\\040disk ext4 rw,noexec 0 0
      tmpfs /opt tmpfs rw,noexec 0 0
      /dev/sdb1 /opt ext4 rw 0 0
      a line of another kind
      """;

  @ParameterizedTest
  @CsvSource({
    "/, true",
    "/home/plant, true",
    "/tmp, false",
    "/tmp/x/y, false",
    "/tmpfiles, true",
    "/mnt/a disk/b, false",
    "/opt/b, true"
  })
  void theInnermostMountDecidesAndOfOnePlaceTheLast(String directory, boolean executes) {
    assertThat(Mounts.executes(MOUNTS, Path.of(directory))).isEqualTo(executes);
  }
}
