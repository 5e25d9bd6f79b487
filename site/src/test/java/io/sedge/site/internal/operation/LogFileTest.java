package io.sedge.site.internal.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.site.api.LogLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept on the disk of what a device says. */
class LogFileTest {
  @TempDir Path data;

  private static LogLine line(String message) {
    return new LogLine(1, 1_000, Severity.WARNING, "plant/press", message, 0, 0);
  }

  private Path newest() {
    return data.resolve("log/device.0.log");
  }

  @Test
  void anotherStartGoesOnAndEndsALineThatWasTorn() throws IOException {
    try (LogFile file = LogFile.open(data)) {
      file.write(line("first"));
    }
    Files.writeString(newest(), "1970-01-01T00:00:02Z WARN", StandardOpenOption.APPEND);
    try (LogFile file = LogFile.open(data)) {
      file.write(line("größer"));
    }
    assertThat(Files.readAllLines(newest()))
        .containsExactly(
            "1970-01-01T00:00:01Z WARNING plant/press: first",
            "1970-01-01T00:00:02Z WARN",
            "1970-01-01T00:00:01Z WARNING plant/press: größer");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("log"))))
        .isEqualTo("rwx------");
  }

  @Test
  void itIsBounded() throws IOException {
    String long1000 = "x".repeat(1_000);
    for (int start = 0; start < 3; start++) {
      try (LogFile file = LogFile.open(data)) {
        for (int i = 0; i < 4_000; i++) {
          file.write(line(long1000));
        }
      }
    }
    try (Stream<Path> files = Files.list(data.resolve("log"))) {
      List<Path> all = files.toList();
      assertThat(all).hasSize(LogFile.FILES);
      for (Path file : all) {
        assertThat(Files.size(file)).isLessThan(LogFile.FILE_BYTES + 2_000L);
      }
    }
  }
}
