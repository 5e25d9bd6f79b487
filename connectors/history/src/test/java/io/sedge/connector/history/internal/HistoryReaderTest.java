package io.sedge.connector.history.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Keep;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TimeBounds;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** History comes back in the order of time from however many files, and from where one left off. */
class HistoryReaderTest {
  private static final Interval ALL = new Interval(Long.MIN_VALUE, Long.MAX_VALUE);

  @TempDir private Path directory;
  private TestContext context;
  private final List<Row> written = new ArrayList<>();

  private record Row(long id, long time) {}

  @BeforeEach
  void begin() {
    context = new TestContext(directory);
  }

  private static long at(long second) {
    return Simulation.BEGIN_MICROS + second * 1_000_000;
  }

  /** Writes segments of random, overlapping times, one of them with a row from long ago. */
  private void write(Random random, int segments, int rows) throws IOException {
    long id = 0;
    for (int number = 1; number <= segments; number++) {
      Path store = StoreFiles.directory(context.data(), "plant", "readings", "s" + number % 3);
      Files.createDirectories(store);
      BatchBuilder builder = new BatchBuilder(Simulation.SCHEMA);
      for (int row = 0; row < rows; row++) {
        id++;
        long second = row == 0 ? 0 : number * 20L + random.nextInt(100);
        written.add(new Row(id, at(second)));
        builder.addRow(id, at(second));
      }
      Rows sorted = SegmentTest.rows(Simulation.SHAPE, List.of(builder.build()));
      SegmentWriter.write(StoreFiles.segment(store, number, 1), "readings", sorted);
    }
  }

  private SourceReader open(Schema schema, Interval interval, TimeBounds... bounds) {
    return HistoryReader.open(
        new HistoryReader.Wanted(
            "past", Optional.empty(), "readings", schema, interval, List.of(bounds)),
        context);
  }

  private static List<Row> read(SourceReader reader, int polls) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < polls && !reader.finished(); i++) {
      Batch batch = reader.poll(0);
      for (int row = 0; batch != null && row < batch.rows(); row++) {
        rows.add(new Row((Long) batch.row(row).get(0), (Long) batch.row(row).get(1)));
      }
    }
    return rows;
  }

  private static void assertOrder(List<Row> rows) {
    assertThat(rows).isSortedAccordingTo(Comparator.comparingLong(Row::time));
  }

  @Test
  void manyOverlappingSegmentsAreMergedByTime() throws IOException {
    write(new Random(3), 40, 500);
    try (SourceReader reader = open(Simulation.SCHEMA, ALL)) {
      List<Row> rows = read(reader, Integer.MAX_VALUE);
      assertOrder(rows);
      assertThat(rows).containsExactlyInAnyOrderElementsOf(written);
      assertThat(reader.counters().readings()).isEqualTo(20_000);
      assertThat(reader.counters().bytes()).isPositive();
    }
  }

  private void write(String shard, int number, long... seconds) throws IOException {
    Path store = StoreFiles.directory(context.data(), "plant", "readings", shard);
    Files.createDirectories(store);
    BatchBuilder builder = new BatchBuilder(Simulation.SCHEMA);
    for (long second : seconds) {
      long id = written.size() + 1L;
      written.add(new Row(id, at(second)));
      builder.addRow(id, at(second));
    }
    Rows rows = SegmentTest.rows(Simulation.SHAPE, List.of(builder.build()));
    SegmentWriter.write(StoreFiles.segment(store, number, 1), "readings", rows);
  }

  /** Files are told apart by their order alone where rows have the same time. */
  @Test
  void rowsOfTheSameTimeInManyStoresAreReadStoreByStoreWhateverTheIntervalLeavesOut()
      throws IOException {
    write("s1", 1, 1);
    write("s1", 2, 2);
    write("s1", 3, 5_000, 5_000);
    write("s2", 1, 5_000);
    write("s2", 2, 5_000, 5_001);
    try (SourceReader reader = open(Simulation.SCHEMA, new Interval(at(3_000), at(6_000)))) {
      assertThat(read(reader, 100)).isEqualTo(written.subList(2, 7));
    }
  }

  @Test
  void anIntervalIsReadExactly() throws IOException {
    write(new Random(4), 20, 300);
    Interval interval = new Interval(at(100), at(150) - 1);
    try (SourceReader reader = open(Simulation.SCHEMA, interval)) {
      List<Row> rows = read(reader, Integer.MAX_VALUE);
      assertOrder(rows);
      assertThat(rows)
          .containsExactlyInAnyOrderElementsOf(
              written.stream()
                  .filter(row -> row.time() >= at(100) && row.time() < at(150))
                  .toList());
    }
  }

  /** Segments outside are not opened for their rows: damage to those of one does not matter. */
  @Test
  void segmentsOutsideTheIntervalAreNotRead() throws IOException {
    write(new Random(5), 20, 300);
    try (SourceReader reader = open(Simulation.SCHEMA, new Interval(at(1_000), at(2_000)))) {
      assertThat(read(reader, Integer.MAX_VALUE)).isEmpty();
      assertThat(reader.counters().bytes()).isZero();
    }
  }

  /** Who reads the one must get what who reads the other does, and go on where that would. */
  @Test
  void boundsOfTheTimeThatFilesAreOrderedByNarrowTheInterval() throws IOException {
    write(new Random(7), 20, 300);
    for (long[] range : new long[][] {{100, 150}, {0, 30}, {500, 900}, {150, 100}}) {
      TimeBounds bounds = new TimeBounds("ts", at(range[0]), at(range[1]));
      TimeBounds other = new TimeBounds("id", 3, 4);
      Interval interval = new Interval(at(range[0]), at(range[1]));
      try (SourceReader expected = open(Simulation.SCHEMA, interval);
          SourceReader reader = open(Simulation.SCHEMA, ALL, bounds, other);
          SourceReader next = open(Simulation.SCHEMA, ALL, bounds, other)) {
        List<Row> rows = read(reader, 1);
        next.seek(reader.position());
        rows.addAll(read(next, Integer.MAX_VALUE));
        assertThat(rows).isEqualTo(read(expected, Integer.MAX_VALUE));
        assertThat(reader.counters().bytes()).isLessThanOrEqualTo(expected.counters().bytes());
      }
    }
  }

  /** The rows of a file that is ordered by when they came may follow others that are too late. */
  @Test
  void boundsAreIgnoredWhereAFileIsOrderedOtherwise() throws IOException {
    write("s1", 1, 1, 2, 3);
    Path store = StoreFiles.directory(context.data(), "plant", "readings", "s1");
    Shape byArrival = new Shape(Simulation.SCHEMA, -1);
    Rows came = SegmentTest.rows(byArrival, List.of(Simulation.rows(4, 2)));
    SegmentWriter.write(StoreFiles.segment(store, 2, 1), "readings", came);
    TimeBounds bounds = new TimeBounds("ts", at(2), at(2));
    try (SourceReader reader = open(Simulation.SCHEMA, ALL, bounds)) {
      assertThat(read(reader, Integer.MAX_VALUE)).hasSize(5);
    }
  }

  /** They come when they came, within the bounds or not: who compares them takes none. */
  @Test
  void rowsWithoutATimeDoNotDisturbBounds() throws IOException {
    Simulation simulation = new Simulation(directory);
    try (Store store = simulation.open(Simulation.keep())) {
      BatchBuilder builder = new BatchBuilder(Simulation.SCHEMA);
      for (long id = 1; id <= 9; id++) {
        builder.addRow(id, id % 3 == 0 ? null : Long.valueOf(at(id)));
      }
      store.append(builder.build());
      store.committed(store.mark());
      TimeBounds bounds = new TimeBounds("ts", at(2), at(7));
      try (SourceReader reader = open(Simulation.SCHEMA, ALL, bounds)) {
        assertThat(Simulation.ids(reader)).contains(2L, 4L, 5L, 7L).doesNotContain(1L, 8L);
      }
    }
  }

  @Test
  void readingGoesOnFromAnyPosition() throws IOException {
    write(new Random(6), 9, 2_500);
    List<Row> whole;
    try (SourceReader reader = open(Simulation.SCHEMA, ALL)) {
      whole = read(reader, Integer.MAX_VALUE);
    }
    for (int polls = 0; polls <= 6; polls++) {
      List<Row> rows = new ArrayList<>();
      byte[] position;
      try (SourceReader reader = open(Simulation.SCHEMA, ALL)) {
        rows.addAll(read(reader, polls));
        position = reader.position();
      }
      for (int times = 0; times < 2; times++) {
        try (SourceReader reader = open(Simulation.SCHEMA, ALL)) {
          reader.seek(position);
          assertThat(reader.position()).isEqualTo(position);
          rows.addAll(read(reader, times == 0 ? 1 : Integer.MAX_VALUE));
          position = reader.position();
        }
      }
      assertThat(rows).isEqualTo(whole);
    }
  }

  /** A position is a time and a count: what a journal says is what its segment has to say. */
  @Test
  void readingGoesOnInTheSegmentOfAJournalThatWasBegun() throws IOException {
    Simulation simulation = new Simulation(directory);
    Keep keep = Simulation.keep(Duration.ofDays(7), 1L << 20, Keep.WhenFull.SKIP);
    Store.Setting setting =
        new Store.Setting(
            simulation.directory("all"), "readings", keep, new Shape(Simulation.SCHEMA, -1));
    StoreLock lock = StoreLock.tryTake(simulation.directory("all"));
    List<Long> ids = new ArrayList<>();
    byte[] position;
    try (Store store = simulation.open(setting, lock, null)) {
      store.append(Simulation.rows(1, 3 * Batch.TARGET_ROWS));
      store.committed(store.mark());
      try (SourceReader reader = open(Simulation.SCHEMA, ALL)) {
        read(reader, 1).forEach(row -> ids.add(row.id()));
        position = reader.position();
      }
      assertThat(ids).hasSize(Batch.TARGET_ROWS);
      simulation.pass(store, Duration.ofHours(8));
      assertThat(StoreFiles.in(setting.directory()).segments()).hasSize(1);
      try (SourceReader reader = open(Simulation.SCHEMA, ALL)) {
        reader.seek(position);
        ids.addAll(Simulation.ids(reader));
      }
    }
    assertThat(ids).isEqualTo(LongStream.rangeClosed(1, 3 * Batch.TARGET_ROWS).boxed().toList());
  }

  /** Rows of one journal each, those of all at the same times. */
  private List<Store> keepInJournals(Simulation simulation, int stores, int rows)
      throws IOException {
    List<Store> opened = new ArrayList<>();
    for (int shard = 0; shard < stores; shard++) {
      Path store = simulation.directory("shard-" + shard);
      var setting = new Store.Setting(store, "readings", Simulation.keep(), Simulation.SHAPE);
      opened.add(simulation.open(setting, StoreLock.tryTake(store), null));
      Simulation.keepRows(opened.getLast(), 1, rows);
    }
    return opened;
  }

  /** There are as many journals as shards were read: memory must not follow their number. */
  @Test
  void journalsGiveBackTheirRowsWhereTheyAreTooMany() throws IOException {
    Simulation simulation = new Simulation(directory);
    List<Store> stores = keepInJournals(simulation, 20, 50);
    long one = Files.size(StoreFiles.journal(simulation.directory("shard-0"), 1));
    var wanted =
        new HistoryReader.Wanted(
            "past", Optional.empty(), "readings", Simulation.SCHEMA, ALL, List.of());
    try (HistoryReader reader = HistoryReader.open(wanted, context, 3 * one)) {
      assertThat(reader.heldJournalBytes()).isBetween(2 * one, 3 * one);
      List<Row> rows = new ArrayList<>();
      while (!reader.finished()) {
        rows.addAll(read(reader, 1));
        assertThat(reader.heldJournalBytes()).isLessThanOrEqualTo(3 * one);
      }
      assertOrder(rows);
      assertThat(rows).hasSize(20 * 50);
      assertThat(rows.subList(0, 20)).containsOnly(new Row(1, at(1)));
    }
    for (Store store : stores) {
      store.close();
    }
  }

  @Test
  void aJournalThatBecomesASegmentIsReadToItsEnd() throws IOException {
    Simulation simulation = new Simulation(directory);
    List<Store> stores = keepInJournals(simulation, 2, 50);
    var wanted =
        new HistoryReader.Wanted(
            "past", Optional.empty(), "readings", Simulation.SCHEMA, ALL, List.of());
    try (HistoryReader reader = HistoryReader.open(wanted, context, 1)) {
      for (Store store : stores) {
        simulation.pass(store, Duration.ofHours(8));
        store.close();
      }
      assertThat(StoreFiles.in(simulation.directory("shard-1")).segments()).hasSize(1);
      assertThat(read(reader, Integer.MAX_VALUE)).hasSize(2 * 50);
      assertThat(context.reports()).isEmpty();
    }
  }

  /** A device whose job is submitted wrongly again and again must not run out of files. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void nothingStaysOpenWhereATableCannotBeRead() throws IOException {
    Simulation simulation = new Simulation(directory);
    for (Store store : keepInJournals(simulation, 1, 50)) {
      store.close();
    }
    Schema wrong = Schema.builder().add("id", Type.INT).build();
    assertThatThrownBy(() -> open(wrong, ALL)).hasMessageContaining("was kept as BIGINT");
    write("s1", 1, 1);
    assertThatThrownBy(() -> open(wrong, ALL)).hasMessageContaining("was kept as BIGINT");
    try (var descriptors = Files.list(Path.of("/proc/self/fd"))) {
      assertThat(descriptors.filter(Files::exists).map(HistoryReaderTest::target))
          .noneMatch(file -> file.startsWith(directory) && !file.endsWith("lock"));
    }
  }

  private static Path target(Path link) {
    try {
      return Files.readSymbolicLink(link);
    } catch (IOException e) {
      return link;
    }
  }

  @Test
  void aSegmentThatIsDeletedWhileItIsReadIsSaidAndTheOthersAreRead() throws IOException {
    write(new Random(7), 40, 500);
    try (SourceReader reader = open(Simulation.SCHEMA, ALL)) {
      List<Row> rows = read(reader, 1);
      Path gone = StoreFiles.directory(context.data(), "plant", "readings", "s" + 40 % 3);
      Files.delete(StoreFiles.segment(gone, 40, 1));
      rows.addAll(read(reader, Integer.MAX_VALUE));
      assertOrder(rows);
      assertThat(rows).hasSizeBetween(39 * 500, 39 * 500 + 1);
      assertThat(context.reports())
          .hasSize(1)
          .first()
          .asString()
          .contains("was deleted while it was read, for its age or for room");
    }
  }

  @Test
  void aDamagedSegmentIsAFailureThatNamesIt() throws IOException {
    write(new Random(8), 1, 500);
    Path store = StoreFiles.directory(context.data(), "plant", "readings", "s1");
    Path segment = StoreFiles.segment(store, 1, 1);
    byte[] bytes = Files.readAllBytes(segment);
    Files.write(segment, Arrays.copyOf(bytes, bytes.length / 2));
    assertThatThrownBy(() -> open(Simulation.SCHEMA, ALL))
        .isInstanceOf(ConnectorException.class)
        .hasMessageContaining("0000000001-1.tsfile");
  }

  @Test
  void columnsAreFoundByNameAndMissingOnesAreNull() throws IOException {
    write(new Random(9), 1, 3);
    Schema schema = Schema.builder().add("unit", Type.STRING).add("id", Type.BIGINT).build();
    try (SourceReader reader = open(schema, ALL)) {
      Batch batch = null;
      while (batch == null) {
        batch = reader.poll(0);
      }
      assertThat(batch.row(0)).containsExactly(null, 1L);
    }
    assertThatThrownBy(() -> open(Schema.builder().add("id", Type.INT).build(), ALL))
        .hasMessage(
            "table past: column `id` is INT, but was kept as BIGINT; declare it so, and convert it"
                + " in the query");
    assertThatThrownBy(() -> open(Schema.builder().add("x", Type.INT.notNull()).build(), ALL))
        .hasMessageContaining("declare it without NOT NULL");
  }

  @Test
  void aTableThatNobodyHasKeptIsEmptyAndThatIsSaid() {
    try (SourceReader reader = open(Simulation.SCHEMA, ALL)) {
      assertThat(read(reader, 10)).isEmpty();
      assertThat(reader.finished()).isTrue();
    }
    assertThat(context.reports())
        .first()
        .asString()
        .contains("nothing was kept of a table 'readings'")
        .endsWith("a table keeps its readings with 'keep' = '7 d'");
  }

  @Test
  void twoJobsThatHaveKeptATableOfOneNameHaveToBeToldApart() throws IOException {
    write(new Random(10), 3, 3);
    Path other = StoreFiles.directory(context.data(), "other", "readings", "all");
    Files.createDirectories(other);
    // Of a job whose readings were all too old there may be a directory left.
    try (SourceReader reader = open(Simulation.SCHEMA, ALL)) {
      assertThat(read(reader, Integer.MAX_VALUE)).hasSize(9);
    }
    Files.copy(
        StoreFiles.segment(StoreFiles.directory(context.data(), "plant", "readings", "s1"), 1, 1),
        StoreFiles.segment(other, 1, 1));
    assertThatThrownBy(() -> open(Simulation.SCHEMA, ALL))
        .hasMessage(
            "table past: several jobs have kept a table 'readings'; say which with 'job' = '…', one"
                + " of other, plant");
    assertThatThrownBy(() -> HistoryReader.open(wanted(Optional.empty()), context.ofJob("neither")))
        .hasMessageEndingWith("one of other, plant");
    try (SourceReader reader = HistoryReader.open(wanted(Optional.of("plant")), context)) {
      assertThat(read(reader, Integer.MAX_VALUE)).hasSize(9);
    }
    // What a script says is more than whose it is, and that is more than nothing.
    context.ofJob("other");
    try (SourceReader reader = HistoryReader.open(wanted(Optional.of("plant")), context)) {
      assertThat(read(reader, Integer.MAX_VALUE)).hasSize(9);
    }
    try (SourceReader reader = open(Simulation.SCHEMA, ALL)) {
      assertThat(read(reader, Integer.MAX_VALUE)).hasSize(3);
    }
  }

  @Test
  void aJobThatHasKeptNothingOfATableReadsWhatTheOnlyOtherHasAndSaysSo() throws IOException {
    write(new Random(10), 3, 3);
    context.ofJob("other");
    try (SourceReader reader = open(Simulation.SCHEMA, ALL)) {
      assertThat(read(reader, Integer.MAX_VALUE)).hasSize(9);
    }
    String said =
        "table past: this job has kept no table 'readings' on this device, so what job plant has"
            + " kept is read; write 'job' = 'plant' if that is meant";
    assertThat(context.reports()).singleElement().asString().endsWith(said);
    context.ofJob("plant");
    HistoryReader.open(wanted(Optional.empty()), context).close();
    context.ofJob("other");
    HistoryReader.open(wanted(Optional.of("plant")), context).close();
    assertThat(context.reports()).hasSize(1);
  }

  private static HistoryReader.Wanted wanted(Optional<String> job) {
    return new HistoryReader.Wanted("past", job, "readings", Simulation.SCHEMA, ALL, List.of());
  }
}
