package io.sedge.connector.filesystem;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.github.luben.zstd.ZstdOutputStream;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorException.Kind;
import io.sedge.connector.Delivery;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
        "path|file:///a%zz|'path' = 'file:///a%zz' is not a URI: Malformed escape pair",
        "path|file://data/x.csv|'path' = 'file://data/x.csv' names the host data; write"
            + " file:///path for a local path",
        "source.path.regex-pattern|(|'source.path.regex-pattern' = '(' is not a regular expression:"
            + " Unclosed group",
        "source.monitor-interval|0 s|'source.monitor-interval' = '0 s' is not above zero",
        "replay.speed|60|'replay.speed' = '60' needs 'replay.time-column' too",
        "replay.speed|-1|'replay.speed' = '-1' is not above zero",
        "replay.time-column|value|'replay.time-column' = 'value' is not one of the table's"
            + " TIMESTAMP columns: ts",
        "replay.time-column|ts|'replay.time-column' = 'ts' needs 'replay.speed' too",
        "format|cvs|'format' = 'cvs' is not one of csv, debezium-json, influx-line, json, raw",
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

  // Some programs put it before UTF-8. Amid a file it is a character like others.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "csv|\"2026-01-01 00:00:00\",1.5|2026-01-01 00:00:01,2.5",
        "json|{\"ts\":\"2026-01-01 00:00:00\",\"value\":1.5}|{\"value\":2.5}",
      })
  void aByteOrderMarkBeforeTheFirstRowIsNoPartOfIt(String format, String first, String second)
      throws IOException {
    Files.writeString(directory.resolve("marked"), "\uFEFF%s\n\uFEFF%s\n".formatted(first, second));
    List<Object> values = new ArrayList<>();
    try (SourceReader reader = open(Map.of("path", "marked", "format", format))) {
      while (!reader.finished()) {
        Batch batch = reader.poll(0);
        for (int row = 0; batch != null && row < batch.rows(); row++) {
          values.add(batch.row(row).getLast());
        }
      }
      assertThat(reader.counters().malformed()).isEqualTo(1);
    }
    assertThat(values).containsExactly(1.5);
    assertThat(context.malformed())
        .extracting(TestContext.Malformed::payload)
        .containsExactly("\uFEFF" + second);
  }

  @Test
  void aByteOrderMarkIsNoPartOfTheFirstName() throws IOException {
    Files.writeString(directory.resolve("marked.csv"), "\uFEFFts,value\n2026-01-01 00:00:00,1.5\n");
    try (SourceReader reader =
        open(Map.of("path", "marked.csv", "format", "csv", "csv.header", "true"))) {
      Batch batch = reader.poll(0);
      assertThat(batch).isNotNull();
      assertThat(batch.row(0).getLast()).isEqualTo(1.5);
    }
  }

  // The bytes of a number may be line ends.
  @Test
  void binaryNumbersStandOnNoLines() {
    TableDescriptor numbers =
        Tables.table(
            Schema.builder().add("value", Type.INT).build(),
            Map.of("path", "x.bin", "format", "raw"));
    assertThatThrownBy(() -> new FilesystemConnector().source(numbers, context))
        .hasMessageStartingWith("table readings: 'format' = 'raw' is not text");
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
                    .open(Delivery.OF_A_RUN))
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

  // Of a file that is cut anywhere, also within its first bytes.
  @ParameterizedTest
  @ValueSource(strings = {"gz", "zst"})
  void aPackedFileWithoutItsEndFailsWhereFilesAreReadOnce(String how) throws IOException {
    byte[] whole = packed("2026-01-01 00:00:00,1\n".repeat(1_000), how);
    Path file = directory.resolve("x.csv." + how);
    for (int length : new int[] {2, 3, 9, 15, whole.length / 2, whole.length - 1}) {
      Files.write(file, Arrays.copyOf(whole, length));
      try (SourceReader reader = open(Map.of("path", "x.csv." + how, "format", "csv"))) {
        assertThatThrownBy(
                () -> {
                  while (!reader.finished()) {
                    reader.poll(0);
                  }
                })
            .hasMessage(
                "table readings: %s cannot be read: IncompleteException, it is packed, and its end"
                    + " is missing",
                file);
      }
    }
  }

  // It is being copied: what is there counts at once, the rest when it has come.
  @ParameterizedTest
  @ValueSource(strings = {"gz", "zst"})
  void aPackedFileThatIsBeingCopiedIsReadOnWhenItHasGrown(String packing) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 30_000; i++) {
      text.append("2026-01-01 00:00:00,").append(i * 7919 % 30_000).append('\n');
    }
    byte[] whole = packed(text.toString(), packing);
    Path file = directory.resolve("x.csv." + packing);
    long now = 0;
    for (String how : List.of("source.monitor-interval", "source.follow")) {
      Files.deleteIfExists(file);
      Set<Object> values = new HashSet<>();
      int rows = 0;
      try (SourceReader reader =
          open(Map.of("path", ".", "format", "csv", how, how.endsWith("w") ? "true" : "1 s"))) {
        for (int length : new int[] {0, 2, 9, 12, 5_000, whole.length / 2, whole.length}) {
          Files.write(file, Arrays.copyOf(whole, length));
          for (int i = 0; i < 10; i++) {
            now += 1_000_000_000;
            Batch batch = reader.poll(now);
            for (int row = 0; batch != null && row < batch.rows(); row++) {
              values.add(batch.row(row).getLast());
              rows++;
            }
          }
        }
      }
      assertThat(rows).as(how).isEqualTo(30_000);
      assertThat(values).as(how).hasSize(30_000);
    }
    assertThat(context.reports())
        .contains(
            "WARNING table readings: "
                + file
                + " is packed and not complete; it is read on when it has changed");
  }

  private static byte[] packed(String text, String how) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream output =
        how.equals("gz") ? new GZIPOutputStream(bytes) : new ZstdOutputStream(bytes)) {
      output.write(text.getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }

  @Test
  void linksToDirectoriesAreFollowedAndCirclesPassedOver() throws IOException {
    Path real = Files.createDirectories(directory.resolve("real/inner"));
    Files.writeString(real.resolve("x.csv"), "2026-01-01 00:00:00,1\n");
    Path link = directory.resolve("link");
    try {
      Files.createSymbolicLink(link, directory.resolve("real"));
      Files.createSymbolicLink(real.resolve("circle"), directory.resolve("real"));
    } catch (UnsupportedOperationException | FileSystemException e) {
      Assumptions.abort("there are no symbolic links: " + e);
    }
    try (SourceReader reader = open(Map.of("path", "link", "format", "csv"))) {
      Batch batch = reader.poll(0);
      assertThat(batch).isNotNull();
      assertThat(batch.rows()).isEqualTo(1);
    }
    assertThat(context.reports())
        .contains(
            "WARNING table readings: %s cannot be read, so it is passed over: FileSystemLoopException"
                .formatted(link.resolve("inner/circle")));
  }

  @Test
  void aFileUriMayBeRelative() throws IOException {
    Files.writeString(directory.resolve("a b.csv"), "2026-01-01 00:00:00,1\n");
    try (SourceReader reader = open(Map.of("path", "file:a b.csv", "format", "csv"))) {
      assertThat(reader.poll(0)).isNotNull();
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

  // What could not be decoded is kept; where there is no room for more, reading waits.
  @Test
  void pollsEndWhereThereIsNoRoomForMalformedLines() throws IOException {
    Files.writeString(directory.resolve("x.csv"), "x\n".repeat(10) + "2026-01-01 00:00:00,1\n");
    try (SourceReader reader = open(Map.of("path", "x.csv", "format", "csv"))) {
      context.takeMalformed(false);
      for (int i = 1; i <= 3; i++) {
        assertThat(reader.poll(0)).isNull();
        assertThat(context.malformed()).hasSize(i);
      }
      context.takeMalformed(true);
      assertThat(reader.poll(0)).isNotNull();
      assertThat(context.malformed()).hasSize(10);
    }
  }

  /** Its pieces would be rows of their own in a table of texts. */
  @ParameterizedTest
  @ValueSource(strings = {"csv", "json", "raw"})
  void aLineOfThreeMegabytesIsOneMalformedLine(String format) throws IOException {
    String valid = format.equals("json") ? "{\"line\":\"b\"}" : "b";
    Files.writeString(
        directory.resolve("x.txt"),
        "%s\n%s\n%s\n%s".formatted(valid, "a".repeat(3 << 20), valid, "a".repeat(2 << 20)));
    TableDescriptor lines =
        Tables.table(
            Schema.builder().add("line", Type.STRING).build(),
            Map.of("path", "x.txt", "format", format));
    try (SourceReader reader =
        new FilesystemConnector().source(lines, context).orElseThrow().open()) {
      int rows = 0;
      while (!reader.finished()) {
        Batch batch = reader.poll(0);
        rows += batch == null ? 0 : batch.rows();
      }
      assertThat(rows).isEqualTo(2);
      assertThat(reader.counters().malformed()).isEqualTo(2);
    }
    assertThat(context.malformed())
        .extracting(TestContext.Malformed::origin, TestContext.Malformed::reason)
        .containsExactly(
            tuple(directory.resolve("x.txt") + ":2", "a line has more than 1,048,576 bytes"),
            tuple(directory.resolve("x.txt") + ":4", "a line has more than 1,048,576 bytes"));
    assertThat(context.malformed().getFirst().payload()).isEqualTo("a".repeat(4096));
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
