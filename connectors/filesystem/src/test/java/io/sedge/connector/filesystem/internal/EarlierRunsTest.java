package io.sedge.connector.filesystem.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Delivery;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.filesystem.FilesystemConnector;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a sink says about files of earlier runs, and which it takes for those of its table. */
final class EarlierRunsTest {
  private static final Schema SCHEMA =
      Schema.builder().add("value", Type.INT).add("zone", Type.STRING).build();
  private static final Delivery.Writer WRITER =
      new Delivery.Writer("plant", "job", "delivery", "readings");

  /** A name as a sink gives it. */
  private static final String PART = "part-1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed-";

  @TempDir private Path directory;
  private TestContext context;

  @BeforeEach
  void begin() {
    context = new TestContext(directory);
  }

  private static TableDescriptor descriptor(
      String path, String onExisting, String... partitionKeys) {
    return Tables.partitioned(
        SCHEMA,
        List.of(partitionKeys),
        Map.of("path", path, "format", "csv", "sink.on-existing", onExisting));
  }

  private SinkFactory table(String path, String onExisting, String... partitionKeys) {
    return new FilesystemConnector()
        .sink(descriptor(path, onExisting, partitionKeys), context)
        .orElseThrow();
  }

  private static Batch row(int value) {
    return new BatchBuilder(SCHEMA).addRow(value, "a").build();
  }

  private static void run(SinkFactory table) {
    try (Feed sink = Feed.open(table)) {
      sink.give(row(1));
    }
  }

  private Path out(String... below) throws IOException {
    Path out = directory.resolve("out");
    for (String name : below) {
      out = out.resolve(name);
    }
    return Files.createDirectories(out);
  }

  private List<Path> files(String start, String end) throws IOException {
    try (Stream<Path> files = Files.walk(out())) {
      return files
          .filter(
              file -> {
                String name = file.getFileName().toString();
                return name.startsWith(start) && name.endsWith(end);
              })
          .toList();
    }
  }

  private void assertRefused(SinkFactory table, String files) throws IOException {
    List<Path> before = files("part-", "");
    assertThatThrownBy(() -> run(table))
        .isInstanceOf(ConnectorException.class)
        .hasMessage(
            "table readings: 'sink.on-existing' = 'fail', and %s has %s of earlier or running jobs;"
                    .formatted(out(), files)
                + " move them away, or write another 'path' or 'sink.on-existing' = 'append'");
    assertThat(files("part-", "")).containsExactlyElementsOf(before);
  }

  // The same bounded script run again would have its rows twice, without a word.
  @Test
  void aRunSaysThatItAddsToTheFilesOfAnEarlierOne() throws IOException {
    run(table("out", "append"));
    assertThat(context.reports()).isEmpty();
    run(table("out", "append"));
    assertThat(files("part-", "")).hasSize(2);
    assertThat(context.reports())
        .containsExactly(
            "WARNING table readings: %s has 1 file of earlier runs; this run adds to them. Delete"
                    .formatted(out())
                + " them or write another 'path' for a new result, or 'sink.on-existing' = 'fail'"
                + " to refuse");
  }

  @Test
  void aRunRefusesToStartOverFilesOfAnEarlierOneIfItsTableSaysSo() throws IOException {
    run(table("out", "fail"));
    assertRefused(table("out", "fail"), "1 file");
  }

  // Flink's files have one number more in their names.
  @Test
  void filesWithOtherNamesAreNotCounted() throws IOException {
    for (String other : List.of("notes.csv", "part-0", PART + "0-0", PART + "0.gz")) {
      Files.writeString(out().resolve(other), "1,a\n");
    }
    run(table("out", "fail"));
    assertThat(files(PART, "")).hasSize(2);
  }

  @Test
  void filesOfPartitionsAreCounted() throws IOException {
    run(table("out", "fail", "zone"));
    assertThat(out("zone=a")).isNotEmptyDirectory();
    assertRefused(table("out", "fail", "zone"), "1 file");
  }

  @Test
  void filesOfTablesBelowAreNotCounted() throws IOException {
    run(table("out/alarms", "fail"));
    run(table("out/other/zone=b", "fail"));
    run(table("out/zone=a/deeper", "fail"));
    run(table("out", "fail"));
    run(table("out", "fail", "zone"));
    assertThat(files("part-", "")).hasSize(5);
    assertThat(context.reports()).isEmpty();
  }

  @Test
  void moreThanAThousandFilesAreNotCounted() throws IOException {
    for (int number = 1; number <= 1_000; number++) {
      Files.writeString(out().resolve(PART + number), "1,a\n");
    }
    assertRefused(table("out", "fail"), "1,000 files");
    Files.writeString(out().resolve(PART + 0), "1,a\n");
    assertRefused(table("out", "fail"), "more than 1,000 files");
    for (int number = 1_001; number <= 1_500; number++) {
      Files.writeString(out().resolve(PART + number), "1,a\n");
    }
    assertRefused(table("out", "fail"), "more than 1,000 files");
  }

  @Test
  void filesInProgressOfARunningJobAreRefusedToo() throws IOException {
    try (Feed running = Feed.open(table("out", "append", "zone"))) {
      running.give(row(1));
      assertRefused(table("out", "fail", "zone"), "1 file");
      Feed.open(table("out", "append", "zone")).close();
      assertThat(context.reports()).isEmpty();
    }
  }

  // A device that was taken for dead goes on for a while: the job would refuse its own files.
  @Test
  void filesInProgressOfTheJobItselfAreNotRefused() throws IOException {
    Path own = Files.createFile(out().resolve("." + PART + "0.inprogress"));
    TableDescriptor table = descriptor("out", "fail");
    EarlierRuns runs = new EarlierRuns(table, FilesystemOptions.of(table, context), context);
    runs.settle(own::equals);
    assertThatThrownBy(() -> runs.settle(_ -> false)).isInstanceOf(ConnectorException.class);
  }

  // A job's numbers go on after those of a job of the same name that was removed.
  @Test
  void aJobThatIsSubmittedAgainLooksAgain() throws IOException {
    try (Feed first = Feed.open(table("out", "fail"), Delivery.of(WRITER, 1, 0))) {
      first.give(row(1));
    }
    Feed.open(table("out", "fail"), Delivery.of(WRITER, 1, 0)).close();
    Feed.open(table("out", "fail"), Delivery.of(WRITER, 1, 1)).close();
    assertThatThrownBy(() -> Feed.open(table("out", "fail"), Delivery.of(WRITER, 2, 1)))
        .isInstanceOf(ConnectorException.class)
        .hasMessageContaining("has 1 file of earlier or running jobs");
    Feed.open(table("out", "append"), Delivery.of(WRITER, 2, 1)).close();
    assertThat(context.reports()).hasSize(1);
  }

  // Its lock is in its own directory, so from above its writer seems to be dead.
  @Test
  void theFileThatAJobBelowWritesIsLeftAlone() throws IOException {
    try (Feed alarms = Feed.open(table("out/alarms", "append"))) {
      alarms.give(row(1));
      alarms.flushAll();
      List<Path> hidden = files(".part-", ".inprogress");
      Feed.open(table("out", "append")).close();
      Feed.open(table("out", "append", "zone")).close();
      Feed.open(table("out", "append"), Delivery.of(WRITER, 1, 0)).close();
      assertThat(files(".part-", ".inprogress")).hasSize(1).containsExactlyElementsOf(hidden);
      alarms.give(row(2));
    }
    assertThat(files("part-", "")).hasSize(1);
    assertThat(files("part-", "").getFirst()).hasContent("1,a\n2,a\n");
  }

  @Test
  void filesLeftInProgressInPartitionsAreCompleted() throws IOException {
    Files.writeString(out("zone=a").resolve("." + PART + "0.inprogress"), "1\n2");
    Files.writeString(out("other").resolve("." + PART + "1.inprogress"), "1\n2");
    Feed.open(table("out", "append", "zone")).close();
    assertThat(out("zone=a").resolve(PART + "0")).hasContent("1\n");
    assertThat(out("other").resolve("." + PART + "1.inprogress")).hasContent("1\n2");
  }

  // The script was changed after the device died: confirmed rows must not be lost.
  @Test
  void filesThatTheJournalKnowsAreCompletedAlsoWhereTheTableHadOtherPartitions()
      throws IOException {
    Path left = Files.createDirectories(directory.resolve("left/zone=a")).getParent();
    try (Feed sink = Feed.open(table("out", "append", "zone"), Delivery.of(WRITER, 1, 0))) {
      sink.give(row(1));
      sink.flushAll();
      for (Path hidden : files(".part-", "")) {
        Files.copy(hidden, left.resolve(out().relativize(hidden).toString()));
      }
    }
    Feed.open(table("left", "append"), Delivery.of(WRITER, 1, 0)).close();
    try (Stream<Path> files = Files.list(left.resolve("zone=a"))) {
      assertThat(files.toList())
          .singleElement()
          .satisfies(file -> assertThat(file.getFileName().toString()).startsWith("part-"))
          .satisfies(file -> assertThat(file).hasContent("1\n"));
    }
  }
}
