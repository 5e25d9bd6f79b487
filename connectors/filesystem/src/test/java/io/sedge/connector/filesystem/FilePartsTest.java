package io.sedge.connector.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Division;
import io.sedge.connector.Part;
import io.sedge.connector.PartSizes;
import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How files are cut into parts, beyond what the conformance suite asks of every source. */
final class FilePartsTest {
  private static final Schema SCHEMA =
      Schema.builder().add("name", Type.STRING).add("number", Type.INT).build();

  @TempDir private Path directory;
  private TestContext context;

  @BeforeEach
  void make() {
    context = new TestContext(directory);
  }

  private Source source(Map<String, String> options) {
    Map<String, String> all = new HashMap<>(Map.of("path", ".", "format", "csv"));
    all.putAll(options);
    return new FilesystemConnector().source(Tables.table(SCHEMA, all), context).orElseThrow();
  }

  private static List<List<Object>> read(Source source) {
    List<List<Object>> rows = new ArrayList<>();
    try (SourceReader reader = source.open()) {
      while (!reader.finished()) {
        Batch batch = reader.poll(0);
        for (int row = 0; batch != null && row < batch.rows(); row++) {
          rows.add(batch.row(row));
        }
      }
    }
    return rows;
  }

  private static List<List<Object>> readParts(Source source, List<Part> parts) {
    List<List<Object>> rows = new ArrayList<>();
    parts.forEach(part -> rows.addAll(read(source.shard(part.range()))));
    return rows;
  }

  private void write(String name, int rows) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < rows; i++) {
      text.append(name).append(',').append(i).append('\n');
    }
    Files.writeString(directory.resolve(name), text);
  }

  /**
   * Devices that are through with the large parts share the small ones, so that all end at once.
   */
  @Test
  void partsGetSmallerAndAreBounded() throws IOException {
    write("a.csv", 40_000);
    write("b.csv", 10_000);
    Source source = source(Map.of("csv.disable-quote-character", "true"));
    long total = Files.size(directory.resolve("a.csv")) + Files.size(directory.resolve("b.csv"));
    List<Part> parts = source.parts(new PartSizes(8, 100, 1_000));
    assertThat(parts).hasSizeBetween(25, 100);
    assertThat(parts.getFirst().bytes()).isBetween(total / 8, total / 8 + 100);
    assertThat(parts.getLast().bytes()).isLessThanOrEqualTo(total / 100 + 100);
    assertThat(parts).extracting(Part::bytes).isSortedAccordingTo((a, b) -> Long.compare(b, a));
    assertThat(parts.stream().mapToLong(Part::bytes).sum()).isEqualTo(total);
    assertThat(readParts(source, parts)).isEqualTo(read(source));
  }

  /** A line end between quotes is part of a value, wherever the cut would fall. */
  @Test
  void aQuotedLineBreakIsNeverCut() throws IOException {
    Random random = new Random(4);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 3_000; i++) {
      String name = random.nextInt(3) == 0 ? "\"one\n\"\"two\"\",7\nthree\"" : "plain";
      text.append(name).append(',').append(i).append(random.nextBoolean() ? "\r\n" : "\n");
    }
    Files.writeString(directory.resolve("quoted.csv"), text);
    Source source = source(Map.of());
    List<Part> parts = source.parts(new PartSizes(1_000, 500, 1));
    assertThat(parts).hasSizeGreaterThan(300);
    assertThat(readParts(source, parts)).isEqualTo(read(source)).hasSize(3_000);
    assertThat(context.malformed()).isEmpty();
  }

  /** Many small files are no reason for many parts. */
  @Test
  void smallFilesShareAPart() throws IOException {
    for (int i = 0; i < 200; i++) {
      write("file %03d ä.csv".formatted(i), i % 4);
    }
    Source source = source(Map.of());
    List<Part> parts = source.parts(new PartSizes(10, 20, 1));
    assertThat(parts).hasSizeBetween(5, 20);
    assertThat(readParts(source, parts)).isEqualTo(read(source)).hasSize(300);
  }

  @Test
  void nothingIsOnePart() throws IOException {
    Source source = source(Map.of());
    assertThat(source.parts(new PartSizes(8, 8, 1)))
        .singleElement()
        .satisfies(part -> assertThat(read(source.shard(part.range()))).isEmpty());
    Files.createFile(directory.resolve("empty.csv"));
    assertThat(source.parts(new PartSizes(8, 8, 1)))
        .singleElement()
        .satisfies(part -> assertThat(read(source.shard(part.range()))).isEmpty());
  }

  /** Else some of its rows would be counted twice and others not at all. */
  @Test
  void aFileThatChangedSinceItWasCutFailsTheJob() throws IOException {
    write("a.csv", 100);
    write("b.csv", 100);
    Source source = source(Map.of());
    List<Part> parts = source.parts(new PartSizes(4, 4, 1));
    Source last = source.shard(parts.getLast().range());
    Files.writeString(directory.resolve("b.csv"), "late,1\n", StandardOpenOption.APPEND);
    assertThatThrownBy(() -> read(last))
        .isInstanceOfSatisfying(
            ConnectorException.class,
            failure -> assertThat(failure.kind()).isEqualTo(ConnectorException.Kind.USER))
        .hasMessageContaining("not what it was")
        .hasMessageContaining("submit it anew");
    Files.delete(directory.resolve("b.csv"));
    assertThatThrownBy(() -> read(last)).hasMessageContaining("not what it was");
  }

  @Test
  void whatIsReplayedOrNeverEndsIsNotCut() {
    assertThat(source(Map.of()).division()).isEqualTo(Division.BY_PART);
    assertThat(source(Map.of("source.monitor-interval", "1 s")).division())
        .isEqualTo(Division.WHOLE);
    assertThat(source(Map.of("shard.by", "device")).division()).isEqualTo(Division.BY_DEVICE);
    assertThatThrownBy(() -> source(Map.of("shard.by", "zone")))
        .hasMessageContaining("'shard.by' = 'zone' is not device");
  }

  @Test
  void eachDeviceReadsItsOwnFilesWhole() throws IOException {
    write("a.csv", 100);
    Source mine = source(Map.of("shard.by", "device")).shard("here");
    assertThat(mine.division()).isEqualTo(Division.WHOLE);
    assertThat(read(mine)).hasSize(100);
  }
}
