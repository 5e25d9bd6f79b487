package io.sedge.connector.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorException.Kind;
import io.sedge.connector.SourceReader;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What people read when something is wrong, and what goes on nevertheless. */
final class FilesystemErrorsTest {
  private static final Schema SCHEMA =
      Schema.builder().add("ts", Type.timestamp(3)).add("value", Type.DOUBLE).build();

  @TempDir private Path directory;
  private TestContext context;

  @BeforeEach
  void begin() {
    context = new TestContext(directory);
  }

  private SourceReader open(Map<String, String> options) {
    return new FilesystemConnector()
        .source(Tables.table(SCHEMA, options), context)
        .orElseThrow()
        .open();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "path|s3://bucket/x|'path' = 's3://bucket/x' is not a local path; file:// is the only"
            + " scheme there is",
        "path|\" \"|'path' = ' ' is empty",
        "source.path.regex-pattern|(|'source.path.regex-pattern' = '(' is not a regular expression:"
            + " Unclosed group",
        "source.monitor-interval|0 s|'source.monitor-interval' = '0 s' is not above zero",
        "replay.speed|60|'replay.speed' = '60' needs 'replay.time-column' too",
        "replay.speed|-1|'replay.speed' = '-1' is not above zero",
        "replay.time-column|value|'replay.time-column' = 'value' is not one of the table's"
            + " TIMESTAMP columns: ts",
        "replay.time-column|ts|'replay.time-column' = 'ts' needs 'replay.speed' too",
        "format|cvs|'format' = 'cvs' is not one of csv, json, raw",
        "csv.field-delimiter|;;|'csv.field-delimiter' = ';;' is not one ASCII character"
      })
  void wrongOptionsAreToldWithWhatIsAllowed(String key, String value, String message) {
    Map<String, String> options = new HashMap<>(Map.of("path", "x.csv", "format", "csv"));
    options.put(key, value);
    assertThatThrownBy(() -> open(options))
        .isInstanceOf(ConnectorException.class)
        .satisfies(e -> assertThat(((ConnectorException) e).kind()).isEqualTo(Kind.USER))
        .hasMessage("table readings: " + message);
  }

  @Test
  void aPathThatIsNotThereIsToldWithTheWholePath() {
    assertThatThrownBy(() -> open(Map.of("path", "none.csv", "format", "csv")))
        .isInstanceOf(ConnectorException.class)
        .hasMessage(
            "table readings: 'path' = '%s' does not exist"
                .formatted(directory.resolve("none.csv")));
  }

  @Test
  void aSinkOnAFileIsRefused() throws IOException {
    Files.writeString(directory.resolve("x.csv"), "");
    assertThatThrownBy(
            () ->
                new FilesystemConnector()
                    .sink(Tables.table(SCHEMA, Map.of("path", "x.csv", "format", "csv")), context)
                    .orElseThrow()
                    .open())
        .hasMessage(
            "table readings: 'path' = '%s' is a file; a table that is written needs a directory"
                .formatted(directory.resolve("x.csv")));
  }

  @Test
  void aPackedFileThatIsDamagedIsToldWithItsPath() throws IOException {
    Path file = directory.resolve("x.csv.gz");
    Files.write(file, new byte[] {0x1F, (byte) 0x8B, 8, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3});
    try (SourceReader reader = open(Map.of("path", "x.csv.gz", "format", "csv"))) {
      assertThatThrownBy(() -> reader.poll(0))
          .isInstanceOf(ConnectorException.class)
          .hasMessageStartingWith("table readings: " + file + " cannot be read: ");
    }
  }

  @Test
  void aHeaderWithoutAColumnOfTheTableIsToldWithWhatItHas() throws IOException {
    Path file = Files.writeString(directory.resolve("x.csv"), "time,Value\n");
    Map<String, String> options = Map.of("path", "x.csv", "format", "csv", "csv.header", "true");
    try (SourceReader reader = open(options)) {
      Files.writeString(file, "time,Value\nx,1\n");
      assertThatThrownBy(() -> reader.poll(0))
          .hasMessage(
              "table readings: %s: the header has no column `ts`; it has time, Value"
                  .formatted(file));
    }
  }

  @Test
  void malformedLinesAreHandedOverAndReadingGoesOn() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("x.csv"),
            """
            2026-01-01 00:00:00,1
            nonsense,2

            2026-01-01 00:00:01
            "2026-01-01 00:00:02",3
            """);
    try (SourceReader reader = open(Map.of("path", "x.csv", "format", "csv"))) {
      Batch batch = reader.poll(0);
      assertThat(batch).isNotNull();
      assertThat(batch.rows()).isEqualTo(2);
      assertThat(reader.counters().malformed()).isEqualTo(2);
    }
    assertThat(context.malformed())
        .containsExactly(
            new TestContext.Malformed(
                "readings",
                file + ":2",
                "nonsense,2",
                "`ts`: 'nonsense' is not a value of type TIMESTAMP(3); write it as 1970-01-01"
                    + " 00:00:00"),
            new TestContext.Malformed(
                "readings", file + ":4", "2026-01-01 00:00:01", "1 values in the line, not 2"));
  }

  // A quote that is never closed must not swallow the rest of a large file, nor memory.
  @Test
  void aQuoteThatIsNotClosedCostsOneLine() throws IOException {
    StringBuilder text = new StringBuilder("2026-01-01 00:00:00,\"1\n");
    for (int i = 0; i < 200_000; i++) {
      text.append("2026-01-01 00:00:00,").append(i).append('\n');
    }
    Files.writeString(directory.resolve("x.csv"), text);
    int rows = 0;
    try (SourceReader reader = open(Map.of("path", "x.csv", "format", "csv"))) {
      while (!reader.finished()) {
        Batch batch = reader.poll(0);
        rows += batch == null ? 0 : batch.rows();
      }
      assertThat(reader.counters().malformed()).isEqualTo(1);
    }
    assertThat(rows).isEqualTo(200_000);
  }

  @Test
  void metadataColumnsTellTheFile() throws IOException {
    Path file = Files.writeString(directory.resolve("x.csv"), "2026-01-01 00:00:00,1\n");
    Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(1_000_000)));
    Schema schema =
        Schema.builder()
            .addAll(SCHEMA)
            .add("p", Type.STRING.notNull())
            .add("n", Type.STRING.notNull())
            .add("s", Type.BIGINT.notNull())
            .add("m", Type.timestampLtz(3).notNull())
            .build();
    Map<Integer, String> metadata =
        Map.of(2, "file.path", 3, "file.name", 4, "file.size", 5, "file.modification-time");
    try (SourceReader reader =
        new FilesystemConnector()
            .source(Tables.table(schema, metadata, Map.of("path", ".", "format", "csv")), context)
            .orElseThrow()
            .open()) {
      Batch batch = reader.poll(0);
      assertThat(batch).isNotNull();
      assertThat(batch.row(0).subList(2, 6))
          .containsExactly(file.toString(), "x.csv", 22L, 1_000_000_000_000L);
    }
  }
}
