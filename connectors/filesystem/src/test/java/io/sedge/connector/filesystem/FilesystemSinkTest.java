package io.sedge.connector.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Sink;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.testkit.SinkConformance;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FilesystemSinkTest extends SinkConformance {
  private static final Schema SCHEMA =
      Schema.builder().add("id", Type.STRING).add("value", Type.DOUBLE).build();

  @TempDir private Path directory;
  private TestContext context;

  @BeforeEach
  void begin() {
    context = new TestContext(directory);
  }

  @Override
  protected ConnectorFactory connector() {
    return new FilesystemConnector();
  }

  @Override
  protected TableDescriptor table() {
    return Tables.table(
        SCHEMA, Map.of("path", "out", "format", "json", "sink.rolling-policy.file-size", "64 kb"));
  }

  @Override
  protected TestContext context() {
    return context;
  }

  @Override
  protected Object[] row(int number) {
    return new Object[] {"pump-" + number, number / 2.0};
  }

  @Override
  protected String expected(int number) {
    return "{\"id\":\"pump-%d\",\"value\":%s}".formatted(number, number / 2.0);
  }

  @Override
  protected List<String> written() throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path file : files()) {
      lines.addAll(Files.readAllLines(file));
    }
    return lines;
  }

  /** What a reader would see: hidden files are not there for it. */
  private List<Path> files() throws IOException {
    Path out = directory.resolve("out");
    if (!Files.exists(out)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(out)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> !file.getFileName().toString().startsWith("."))
          .sorted()
          .toList();
    }
  }

  private Sink open(TableDescriptor table) {
    return connector().sink(table, context).orElseThrow().open();
  }

  private Batch batch(int from, int to) {
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    for (int number = from; number < to; number++) {
      builder.addRow(row(number));
    }
    return builder.build();
  }

  @Test
  void filesEndBySizeAndAreSeenOnlyWhenTheyAreComplete() throws IOException {
    try (Sink sink = open(table())) {
      for (int i = 0; i < 50; i++) {
        sink.offer(batch(i * 100, i * 100 + 100));
        for (Path file : files()) {
          assertThat(Files.size(file)).isBetween(64L << 10, 72L << 10);
        }
      }
      assertThat(files()).hasSize(2);
    }
    assertThat(written()).hasSize(5_000);
  }

  @Test
  void filesEndByAgeAndByIdleness() throws IOException {
    TableDescriptor table =
        Tables.table(
            SCHEMA,
            Map.of(
                "path", "out",
                "format", "json",
                "sink.rolling-policy.rollover-interval", "10 s",
                "sink.rolling-policy.inactivity-interval", "4 s",
                "sink.rolling-policy.check-interval", "1 s"));
    try (Sink sink = open(table)) {
      for (int second = 0; second < 11; second++) {
        sink.offer(batch(second, second + 1));
        context.pass(1_000);
      }
      sink.flush();
      assertThat(files()).hasSize(1);
      sink.offer(batch(20, 21));
      context.pass(3_000);
      sink.flush();
      assertThat(files()).hasSize(1);
      context.pass(1_000);
      sink.flush();
      assertThat(files()).hasSize(2);
    }
  }

  // The process was killed: what it had written is there after the next start, whole lines only.
  @Test
  void aFileLeftInProgressIsCompletedByTheNextSink() throws IOException {
    Path out = Files.createDirectories(directory.resolve("out"));
    Files.writeString(
        out.resolve(".part-old-0.inprogress"), expected(0) + "\n" + expected(1) + "\n{\"id\":\"ha");
    Files.writeString(out.resolve(".part-old-1.inprogress"), "{\"id");
    open(table()).close();
    assertThat(written()).containsExactly(expected(0), expected(1));
    try (Stream<Path> files = Files.list(out)) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void aFileThatAnotherSinkWritesIsLeftAlone() throws IOException {
    try (Sink first = open(table())) {
      first.offer(batch(0, 1));
      first.flush();
      open(table()).close();
      assertThat(written()).isEmpty();
      first.offer(batch(1, 2));
    }
    assertThat(written()).containsExactly(expected(0), expected(1));
  }

  @Test
  void partitionsAreDirectoriesAndAreReadBack() throws IOException {
    Schema schema =
        Schema.builder()
            .add("value", Type.DOUBLE)
            .add("day", Type.DATE)
            .add("line", Type.STRING)
            .build();
    TableDescriptor table =
        Tables.partitioned(
            schema,
            List.of("day", "line"),
            Map.of("path", "out", "format", "csv", "csv.header", "true"));
    BatchBuilder builder = new BatchBuilder(schema);
    builder.addRow(1.0, 20_454, "a/b").addRow(2.0, 20_455, null).addRow(3.0, 20_454, "a/b");
    try (Sink sink = open(table)) {
      sink.offer(builder.build());
    }
    assertThat(files())
        .extracting(file -> directory.resolve("out").relativize(file.getParent()).toString())
        .containsExactly("day=2026-01-01/line=a%2Fb", "day=2026-01-02/line=__DEFAULT_PARTITION__");
    assertThat(Files.readString(files().getFirst())).isEqualTo("value\n1.0\n3.0\n");
    try (SourceReader reader = connector().source(table, context).orElseThrow().open()) {
      Batch batch = reader.poll(0);
      assertThat(batch).isNotNull();
      assertThat(batch.row(0)).containsExactly(1.0, 20_454, "a/b");
      assertThat(batch.row(1)).containsExactly(3.0, 20_454, "a/b");
      assertThat(batch.row(2)).containsExactly(2.0, 20_455, null);
    }
  }
}
