package io.sedge.connector.filesystem;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.SourceReader;
import io.sedge.connector.testkit.Feed;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process of its own whose files may not grow beyond a limit, which the system reports as it
 * reports a full disk: in the middle of a write; and one with a small heap.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "there is no ulimit")
final class FullDiskTest {
  private static final Schema SCHEMA =
      Schema.builder().add("id", Type.STRING).add("value", Type.BIGINT).build();

  @TempDir private Path directory;

  @Test
  void aFullDiskFailsTheSinkAndLeavesWholeLines() throws Exception {
    String output = run("ulimit -f 300 && ", "write");
    assertThat(output)
        .startsWith("FILE table readings: " + directory)
        .contains("cannot be written");
    List<Path> files;
    try (Stream<Path> found = Files.list(directory)) {
      files = found.toList();
    }
    assertThat(files).hasSize(1);
    List<String> lines = Files.readAllLines(files.getFirst());
    assertThat(lines.size()).isPositive();
    assertThat(lines.size() % 1_000).isZero();
    for (int i = 0; i < lines.size(); i++) {
      assertThat(lines.get(i)).isEqualTo("pump-" + i % 10 + "," + i);
    }
  }

  @Test
  void aLargeFileIsReadInASmallHeap() throws Exception {
    try (var writer = Files.newBufferedWriter(directory.resolve("big.csv"))) {
      for (int i = 0; i < 1_500_000; i++) {
        writer.write(
            "a rather long name of a sensor of which each is another " + i + "," + i + "\n");
      }
    }
    assertThat(run("", "read")).isEqualTo("1500000 rows");
  }

  private String run(String before, String what) throws IOException, InterruptedException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    String command =
        "%s exec '%s' -Xmx32m -XX:+UseSerialGC -cp '%s' %s %s '%s' 2>&1"
            .formatted(
                before,
                java,
                System.getProperty("java.class.path"),
                FullDiskTest.class.getName(),
                what,
                directory);
    Process process = new ProcessBuilder("sh", "-c", command).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      return output;
    } finally {
      process.destroyForcibly();
    }
  }

  /** What runs in the process of its own. */
  public static void main(String[] arguments) {
    Path directory = Path.of(arguments[1]);
    TestContext context = new TestContext(directory);
    if (arguments[0].equals("read")) {
      System.out.println(read(context) + " rows");
      return;
    }
    try {
      write(context);
      System.out.println("not full");
    } catch (ConnectorException e) {
      System.out.println(e.kind() + " " + e.getMessage());
    }
  }

  private static long read(TestContext context) {
    long rows = 0;
    try (SourceReader reader =
        new FilesystemConnector()
            .source(Tables.table(SCHEMA, Map.of("path", "big.csv", "format", "csv")), context)
            .orElseThrow()
            .open()) {
      while (!reader.finished()) {
        Batch batch = reader.poll(System.nanoTime());
        rows += batch == null ? 0 : batch.rows();
      }
    }
    return rows;
  }

  private static void write(TestContext context) {
    try (Feed sink =
        Feed.open(
            new FilesystemConnector()
                .sink(Tables.table(SCHEMA, Map.of("path", ".", "format", "csv")), context)
                .orElseThrow())) {
      BatchBuilder builder = new BatchBuilder(SCHEMA);
      for (long i = 0; i < 100_000; i++) {
        builder.addRow("pump-" + i % 10, i);
        if (builder.rows() == 1_000) {
          sink.offer(builder.build());
        }
      }
    }
  }
}
