package io.sedge.connector.filesystem;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens to files while they are read. Time is handed in, so nothing waits. */
final class FollowTest {
  private static final long SECOND = 1_000_000_000;
  private static final Schema SCHEMA = Schema.builder().add("v", Type.INT).build();

  @TempDir private Path directory;
  private Path log;
  private TestContext context;
  private long now;

  @BeforeEach
  void begin() {
    log = directory.resolve("app.log");
    context = new TestContext(directory);
  }

  private SourceReader open(Map<String, String> options) {
    TableDescriptor table = Tables.table(SCHEMA, options);
    return new FilesystemConnector().source(table, context).orElseThrow().open();
  }

  private SourceReader follow(String path) {
    return open(Map.of("path", path, "format", "csv", "source.follow", "true"));
  }

  private static void append(Path file, String text) throws IOException {
    Files.writeString(file, text, CREATE, APPEND);
  }

  /** All there is to read by now: several polls, a second apart, find and end files. */
  private List<Integer> read(SourceReader reader) {
    List<Integer> values = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      now += SECOND;
      Batch batch = reader.poll(now);
      for (int row = 0; batch != null && row < batch.rows(); row++) {
        values.add((Integer) batch.row(row).getFirst());
      }
    }
    return values;
  }

  @Test
  void linesAreReadWhenTheyAreComplete() throws IOException {
    append(log, "1\n2");
    try (SourceReader reader = follow("app.log")) {
      assertThat(read(reader)).containsExactly(1);
      append(log, "3\n4\n");
      assertThat(read(reader)).containsExactly(23, 4);
      assertThat(read(reader)).isEmpty();
      assertThat(reader.finished()).isFalse();
    }
  }

  @Test
  void aRotatedFileIsReadToItsEndBeforeItsSuccessor() throws IOException {
    append(log, "1\n");
    try (SourceReader reader = follow("app.log")) {
      assertThat(read(reader)).containsExactly(1);
      append(log, "2\n3");
      Files.move(log, directory.resolve("app.log.1"));
      append(log, "4\n");
      assertThat(read(reader)).containsExactly(2, 3, 4);
    }
  }

  @Test
  void aRotatedFileInAFollowedDirectoryIsNotReadTwice() throws IOException {
    append(log, "1\n");
    try (SourceReader reader = follow(".")) {
      assertThat(read(reader)).containsExactly(1);
      Files.move(log, directory.resolve("app.log.1"));
      append(log, "2\n");
      assertThat(read(reader)).containsExactly(2);
      assertThat(read(reader)).isEmpty();
    }
  }

  // The log was rotated while the process was down; the rest of the old file must not be lost.
  @Test
  void readingGoesOnInTheFileThatWasRotatedMeanwhile() throws IOException {
    append(log, "1\n");
    byte[] position;
    try (SourceReader reader = follow("app.log")) {
      assertThat(read(reader)).containsExactly(1);
      position = reader.position();
    }
    append(log, "2\n");
    Files.move(log, directory.resolve("app.log.1"));
    append(log, "3\n");
    try (SourceReader reader = follow("app.log")) {
      reader.seek(position);
      assertThat(read(reader)).containsExactly(2, 3);
    }
  }

  @Test
  void aFileThatBecameShorterIsReadFromItsStart() throws IOException {
    append(log, "1\n2\n");
    try (SourceReader reader = follow("app.log")) {
      assertThat(read(reader)).containsExactly(1, 2);
      Files.writeString(log, "3\n");
      assertThat(read(reader)).containsExactly(3);
      assertThat(context.reports()).anyMatch(report -> report.contains("became shorter"));
    }
  }

  /** As by logrotate's copytruncate, when much is written at once after it. */
  @Test
  void aFileThatIsCutAndLargerAgainBeforeAnybodyLooksIsReadFromItsStartOnce() throws IOException {
    append(log, "1\n2\n");
    try (SourceReader reader = follow("app.log")) {
      assertThat(read(reader)).containsExactly(1, 2);
      Files.writeString(log, "3\n4\n5\n");
      now += SECOND / 1_000;
      assertThat(reader.poll(now)).as("before the next listing").isNull();
      assertThat(read(reader)).containsExactly(3, 4, 5);
    }
  }

  @Test
  void aFileThatIsWrittenAnewWithTheSameSizeIsReadFromItsStart() throws IOException {
    append(log, "1\n2\n");
    try (SourceReader reader = follow("app.log")) {
      assertThat(read(reader)).containsExactly(1, 2);
      FileTime before = Files.getLastModifiedTime(log);
      Files.writeString(log, "3\n4\n");
      Files.setLastModifiedTime(log, FileTime.fromMillis(before.toMillis() + 1));
      assertThat(read(reader)).containsExactly(3, 4);
    }
  }

  @Test
  void aFileThatIsNotThereYetIsWaitedFor() throws IOException {
    try (SourceReader reader = follow("app.log")) {
      assertThat(read(reader)).isEmpty();
      assertThat(context.reports())
          .singleElement()
          .asString()
          .isEqualTo(
              "WARNING table readings: 'path' = '%s' does not exist; waiting for it"
                  .formatted(log));
      append(log, "1\n");
      assertThat(read(reader)).containsExactly(1);
    }
  }

  @Test
  void aMonitoredDirectoryGivesEachNewFileOnce() throws IOException {
    append(directory.resolve("b.csv"), "1\n");
    Map<String, String> options =
        Map.of(
            "path", ".",
            "format", "csv",
            "source.monitor-interval", "1 s",
            "source.path.regex-pattern", ".*\\.csv");
    byte[] position;
    try (SourceReader reader = open(options)) {
      assertThat(read(reader)).containsExactly(1);
      append(directory.resolve("a.csv"), "2\n3");
      append(directory.resolve("a.txt"), "9\n");
      assertThat(read(reader)).containsExactly(2, 3);
      append(directory.resolve("b.csv"), "8\n");
      assertThat(read(reader)).isEmpty();
      position = reader.position();
    }
    append(directory.resolve("0.csv"), "4\n");
    try (SourceReader reader = open(options)) {
      reader.seek(position);
      assertThat(read(reader)).containsExactly(4);
    }
  }
}
