package io.sedge.connector.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.testkit.Feed;
import io.sedge.connector.testkit.SinkConformance;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ChangeKind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
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

  private Feed open(TableDescriptor table) {
    return Feed.open(connector().sink(table, context).orElseThrow());
  }

  private Batch batch(int from, int to) {
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    for (int number = from; number < to; number++) {
      builder.addRow(row(number));
    }
    return builder.build();
  }

  /** The system's locks are a process's: whoever closes the file in it gives them back. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aSinkStaysLockedForOtherProcessesWhenAnotherOfThisOneBegins() throws IOException {
    try (Feed first = open(table());
        Feed second = open(table())) {
      assertThat(first).isNotSameAs(second);
      List<String> locked = Files.readAllLines(Path.of("/proc/locks"));
      List<Path> locks;
      try (Stream<Path> files = Files.list(directory.resolve("out"))) {
        locks = files.filter(file -> file.toString().endsWith(".lock")).toList();
      }
      assertThat(locks).hasSize(2);
      for (Path lock : locks) {
        Object inode = Files.getAttribute(lock, "unix:ino");
        assertThat(locked)
            .anyMatch(line -> line.contains("POSIX") && line.contains(":" + inode + " "));
      }
    }
  }

  @Test
  void filesEndBySizeAndAreSeenOnlyWhenTheyAreComplete() throws IOException {
    try (Feed sink = open(table())) {
      for (int i = 0; i < 50; i++) {
        sink.offer(batch(i * 100, i * 100 + 100));
        sink.flushAll();
        for (Path file : files()) {
          assertThat(Files.size(file)).isBetween(64L << 10, 72L << 10);
        }
      }
      assertThat(files()).hasSize(2);
    }
    assertThat(written()).hasSize(5_000);
  }

  private TableDescriptor shortLived() {
    return Tables.table(
        SCHEMA,
        Map.of(
            "path", "out",
            "format", "json",
            "sink.rolling-policy.rollover-interval", "10 s",
            "sink.rolling-policy.inactivity-interval", "4 s",
            "sink.rolling-policy.check-interval", "1 s"));
  }

  /** Flushes until so many files have their names, which they get on another thread. */
  private void flushUntilFiles(Feed sink, int count) throws IOException {
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (names().size() < count) {
      assertThat(System.nanoTime()).as("files %s", names()).isLessThan(deadline);
      sink.flush();
    }
    assertThat(names()).hasSize(count);
  }

  /** Of the files of a table without partitions, which may change meanwhile. */
  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("out"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.startsWith("."))
          .toList();
    }
  }

  @Test
  void filesEndByAgeAndByIdleness() throws IOException {
    try (Feed sink = open(shortLived())) {
      for (int second = 0; second < 11; second++) {
        sink.offer(batch(second, second + 1));
        context.pass(1_000);
      }
      flushUntilFiles(sink, 1);
      sink.offer(batch(20, 21));
      context.pass(3_000);
      sink.flushAll();
      assertThat(files()).hasSize(1);
      context.pass(1_000);
      flushUntilFiles(sink, 2);
    }
  }

  // All was flushed and no row comes any more; and somebody sets the clock.
  @Test
  void filesEndWhenRowsStopAlthoughTheClockIsSetBack() throws IOException {
    try (Feed sink = open(shortLived())) {
      sink.offer(batch(0, 1));
      sink.flushAll();
      assertThat(files()).isEmpty();
      context.setBack(3_600_000);
      context.pass(5_000);
      flushUntilFiles(sink, 1);
    }
  }

  @Test
  void aFlushDoesNotWaitForTheDiskAndWakesTheTaskAfterwards() throws IOException {
    try (Feed sink = open(table())) {
      assertThat(sink.flush()).as("there is nothing to flush").isTrue();
      sink.offer(batch(0, 1));
      assertThat(sink.flush()).isFalse();
      sink.flushAll();
      long deadline = System.nanoTime() + 20_000_000_000L;
      while (context.wakeUps() == 0) {
        assertThat(System.nanoTime()).as("nobody is woken").isLessThan(deadline);
        LockSupport.parkNanos(1_000_000);
      }
      assertThat(sink.flush()).isTrue();
    }
  }

  @Test
  void aFileThatCannotBeBroughtToTheDiskFailsTheSink() throws IOException {
    Feed sink = open(table());
    sink.offer(batch(0, 1));
    try (Stream<Path> files = Files.list(directory.resolve("out"))) {
      for (Path file : files.filter(file -> file.toString().endsWith(".inprogress")).toList()) {
        Files.delete(file);
      }
    }
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(sink::flushAll)
          .isInstanceOf(ConnectorException.class)
          .hasMessageStartingWith(
              "table readings: %s cannot be brought to the disk: ", directory.resolve("out"))
          .hasMessageEndingWith(".inprogress does not exist");
    }
    assertThatThrownBy(sink::close).isInstanceOf(ConnectorException.class);
    sink.close();
  }

  // More partitions than a process may have files open, each used in turn.
  @Test
  void partitionsInTurnHaveOneFileEach() throws IOException {
    try (Feed sink = open(zones())) {
      for (int turn = 0; turn < 4; turn++) {
        BatchBuilder builder = new BatchBuilder(TEXTS);
        for (int i = 0; i < 500; i++) {
          builder.addRow(turn, "zone " + i);
        }
        assertThat(sink.offer(builder.build())).isTrue();
        sink.flush();
      }
    }
    assertThat(files()).hasSize(500);
    for (Path file : files()) {
      assertThat(Files.readAllLines(file)).containsExactly("0", "1", "2", "3");
    }
  }

  // A writer that was killed leaves its lock too; the system lets go of it.
  @Test
  void theLocksOfDeadWritersAreRemoved() throws IOException {
    Path out = Files.createDirectories(directory.resolve("out"));
    Files.writeString(out.resolve(".part-old.lock"), "");
    Files.writeString(out.resolve(".part-older.lock"), "");
    Files.writeString(out.resolve(".part-old-7.inprogress"), expected(0) + "\n");
    open(table()).close();
    try (Stream<Path> files = Files.list(out)) {
      assertThat(files).containsExactly(out.resolve("part-old-7"));
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
    try (Feed first = open(table())) {
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
    try (Feed sink = open(table)) {
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

  private static final Schema TEXTS =
      Schema.builder().add("value", Type.INT).add("zone", Type.STRING).build();

  private TableDescriptor zones() {
    return Tables.partitioned(TEXTS, List.of("zone"), Map.of("path", "out", "format", "csv"));
  }

  /** Writes and reads back: zones by value. */
  private Map<Object, Object> zones(List<String> zones) {
    BatchBuilder builder = new BatchBuilder(TEXTS);
    for (int i = 0; i < zones.size(); i++) {
      builder.addRow(i, zones.get(i));
    }
    try (Feed sink = open(zones())) {
      sink.offer(builder.build());
    }
    return readZones();
  }

  private Map<Object, Object> readZones() {
    Map<Object, Object> read = new TreeMap<>();
    try (SourceReader reader = connector().source(zones(), context).orElseThrow().open()) {
      while (!reader.finished()) {
        Batch batch = reader.poll(0);
        for (int row = 0; batch != null && row < batch.rows(); row++) {
          read.put(batch.row(row).getFirst(), batch.row(row).getLast());
        }
      }
    }
    return read;
  }

  @Test
  void anyTextIsAPartition() {
    List<String> zones = List.of("100%", "%41", "a b+c", "..", "\u0001/\\:", "Straße 7", "~{[^]}");
    assertThat(zones(zones).values()).containsExactlyElementsOf(zones);
  }

  // As other programs write directories: a % that is no escape stands for itself, as in Flink.
  @Test
  void aPartitionWithAPercentSignOfAnotherProgramIsRead() throws IOException {
    int row = 0;
    for (String name : List.of("zone=100%", "zone=a+b", "zone=%zz", "zone=a%2Fb")) {
      Path zone = Files.createDirectories(directory.resolve("out").resolve(name));
      Files.writeString(zone.resolve("x.csv"), row++ + "\n");
    }
    assertThat(readZones().values()).containsExactly("100%", "a+b", "%zz", "a/b");
  }

  @Test
  void aPartitionWithATooLongNameIsShortened() throws IOException {
    String longest = "zone=".length() + "x".repeat(249);
    List<String> zones = List.of(longest, "é".repeat(500) + 1, "é".repeat(500) + 2, "/".repeat(90));
    Map<Object, Object> read = zones(zones);
    assertThat(read.get(0)).isEqualTo(longest);
    assertThat(read.get(1)).asString().matches("é{116}~[0-9a-f]{16}").isNotEqualTo(read.get(2));
    assertThat(read).hasSize(4);
  }

  @Test
  void aSinkRecoversThroughALinkToItsDirectory() throws IOException {
    Path real = Files.createDirectories(directory.resolve("real"));
    Files.writeString(real.resolve(".part-old-0.inprogress"), expected(0) + "\n");
    try {
      Files.createSymbolicLink(directory.resolve("out"), real);
    } catch (UnsupportedOperationException | FileSystemException e) {
      Assumptions.abort("there are no symbolic links: " + e);
    }
    open(table()).close();
    assertThat(real.resolve("part-old-0")).exists();
  }

  /** As Flink's filesystem sink with a format that writes changes. */
  @Test
  void updatesAreLinesOfTheirOwnWithAFormatThatWritesChanges() throws IOException {
    assertThat(connector().sink(table(), context()).orElseThrow().changelogMode())
        .isEqualTo(ChangelogMode.INSERT_ONLY);
    TableDescriptor changes =
        Tables.table(SCHEMA, Map.of("path", "out", "format", "debezium-json"));
    SinkFactory factory = connector().sink(changes, context()).orElseThrow();
    assertThat(factory.changelogMode()).isEqualTo(ChangelogMode.ALL);
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    for (ChangeKind kind : List.of(ChangeKind.INSERT, ChangeKind.DELETE)) {
      builder.column(0).add("a");
      builder.column(1).add(1.5);
      builder.endRow(kind);
    }
    try (Feed sink = Feed.open(factory)) {
      sink.give(builder.build());
    }
    assertThat(written())
        .containsExactly(
            "{\"before\":null,\"after\":{\"id\":\"a\",\"value\":1.5},\"op\":\"c\"}",
            "{\"before\":{\"id\":\"a\",\"value\":1.5},\"after\":null,\"op\":\"d\"}");
  }
}
