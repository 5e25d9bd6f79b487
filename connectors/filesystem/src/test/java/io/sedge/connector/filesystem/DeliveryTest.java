package io.sedge.connector.filesystem;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Delivery;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.testkit.Feed;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rows that are delivered again after a death: the directory has each once. A row is its sequence
 * and the zone whose directory it goes to, so that each batch goes to several files.
 */
final class DeliveryTest {
  private static final Schema SCHEMA =
      Schema.builder().add("n", Type.BIGINT).add("zone", Type.STRING).build();
  private static final Delivery.Writer WRITER =
      new Delivery.Writer("plant", "job", "delivery", "results");
  private static final int ROWS = 10;

  /** Its records are long, so that the test is short. */
  private static final Delivery.Writer LONG =
      new Delivery.Writer("plant", "j".repeat(20_000), "delivery", "results");

  @TempDir private Path directory;

  private static SinkFactory factory(Path path, String format, String size) {
    return new FilesystemConnector()
        .sink(
            Tables.partitioned(
                SCHEMA,
                List.of("zone"),
                Map.of(
                    "path",
                    path.toString(),
                    "format",
                    format,
                    "sink.rolling-policy.file-size",
                    size)),
            new TestContext(path))
        .orElseThrow();
  }

  private Feed open(Path path, long recoveryPoint) {
    return Feed.open(factory(path, "csv", "1 mb"), Delivery.of(WRITER, 1, recoveryPoint));
  }

  /** The batch with this number: always the same rows. */
  private static NumberedBatch batch(int number) {
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    long first = (long) number * ROWS + 1;
    for (long n = first; n < first + ROWS; n++) {
      builder.addRow(n, "z" + n % 3);
    }
    return new NumberedBatch(first, builder.build());
  }

  private static void give(Feed sink, int from, int to) {
    for (int number = from; number < to; number++) {
      sink.give(batch(number));
    }
  }

  private static List<Path> files(Path path, Predicate<String> name) throws IOException {
    try (Stream<Path> files = Files.walk(path)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> name.test(file.getFileName().toString()))
          .sorted()
          .toList();
    }
  }

  private static boolean isInProgress(String name) {
    return name.endsWith(".inprogress");
  }

  /** What readers see. */
  private static List<Long> rows(Path path) throws IOException {
    List<Long> rows = new ArrayList<>();
    for (Path file : files(path, name -> !name.startsWith("."))) {
      Files.readAllLines(file).forEach(line -> rows.add(Long.parseLong(line)));
    }
    return rows;
  }

  private static List<Long> upTo(int batches) {
    return IntStream.rangeClosed(1, batches * ROWS).mapToObj(n -> (long) n).toList();
  }

  /** The directory as a process leaves it that is killed now: nobody holds its locks. */
  private Path killed(Path path) throws IOException {
    Path left = Files.createTempDirectory(directory, "killed");
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.toList()) {
        if (!file.equals(path)) {
          Files.copy(file, left.resolve(path.relativize(file).toString()));
        }
      }
    }
    return left;
  }

  private Path out() throws IOException {
    return Files.createDirectories(directory.resolve("out"));
  }

  // It had written and flushed, and died before the ledger knew.
  @Test
  void whatTheLedgerDoesNotKnowYetIsFoundInTheFiles() throws IOException {
    Path left;
    try (Feed sink = open(out(), 0)) {
      give(sink, 0, 5);
      sink.flushAll();
      left = killed(out());
    }
    try (Feed next = open(left, batch(1).last())) {
      assertThat(next.taken()).isEqualTo(batch(4).last());
      give(next, 5, 8);
    }
    assertThat(rows(left)).containsExactlyInAnyOrderElementsOf(upTo(8));
  }

  // Of a batch that was not flushed some files have rows, and some have half of them.
  @Test
  void whatWasNotFlushedIsCutOffWhereverTheFilesEnd() throws IOException {
    for (int cut = 0; cut < 8; cut++) {
      Path left;
      Path out = Files.createTempDirectory(directory, "out");
      try (Feed sink = open(out, 0)) {
        give(sink, 0, 2);
        sink.flushAll();
        give(sink, 2, 4);
        left = killed(out);
      }
      List<Path> files = files(left, DeliveryTest::isInProgress);
      assertThat(files).hasSize(3);
      for (int i = 0; i < files.size(); i++) {
        try (FileChannel file = FileChannel.open(files.get(i), StandardOpenOption.WRITE)) {
          file.truncate(file.size() - (long) cut * i / 2);
        }
      }
      try (Feed next = open(left, 0)) {
        assertThat(next.taken()).isEqualTo(batch(1).last());
        give(next, 2, 6);
      }
      assertThat(rows(left)).containsExactlyInAnyOrderElementsOf(upTo(6));
    }
  }

  // Files of zones that had no rows before: nothing confirmed is in them.
  @Test
  void filesThatWereBegunAfterTheLastFlushAreRemoved() throws IOException {
    Path left;
    try (Feed sink = open(out(), 0)) {
      give(sink, 0, 1);
      left = killed(out());
    }
    assertThat(files(left, DeliveryTest::isInProgress)).hasSize(3);
    try (Feed next = open(left, 0)) {
      assertThat(next.taken()).isZero();
      assertThat(files(left, DeliveryTest::isInProgress)).isEmpty();
      give(next, 0, 2);
    }
    assertThat(rows(left)).containsExactlyInAnyOrderElementsOf(upTo(2));
  }

  // The last record of the journal is torn at any byte: the one before it counts, and what it says.
  @Test
  void aTornJournalCountsUpToItsLastWholeRecord() throws IOException {
    Path left;
    long before;
    try (Feed sink = open(out(), 0)) {
      give(sink, 0, 1);
      sink.flushAll();
      before = Files.size(journal(out()));
      give(sink, 1, 2);
      sink.flushAll();
      left = killed(out());
    }
    long size = Files.size(journal(left));
    assertThat(size).isGreaterThan(before);
    for (long bytes = before; bytes < size; bytes += 7) {
      Path torn = killed(left);
      try (FileChannel file = FileChannel.open(journal(torn), StandardOpenOption.WRITE)) {
        file.truncate(bytes);
      }
      try (Feed next = open(torn, 0)) {
        assertThat(next.taken()).as("cut at %d", bytes).isEqualTo(batch(0).last());
        give(next, 1, 3);
      }
      assertThat(rows(torn)).containsExactlyInAnyOrderElementsOf(upTo(3));
    }
  }

  private static Path journal(Path path) throws IOException {
    return files(path, name -> name.endsWith(".journal")).getFirst();
  }

  // Killed between the record and the new name of a file that has ended: at every rename.
  @Test
  void aFileThatHadEndedGetsItsNameFromTheNext() throws IOException {
    Path left;
    Feed sink = open(out(), 0);
    give(sink, 0, 3);
    sink.flushAll();
    Path before = killed(out());
    sink.close();
    List<Path> hidden = files(before, DeliveryTest::isInProgress);
    for (int named = 0; named <= hidden.size(); named++) {
      left = killed(before);
      Files.copy(journal(out()), journal(left), StandardCopyOption.REPLACE_EXISTING);
      for (Path file : files(left, DeliveryTest::isInProgress).subList(0, named)) {
        String name = file.getFileName().toString();
        Files.move(file, file.resolveSibling(name.substring(1, name.lastIndexOf('.'))));
      }
      try (Feed next = open(left, 0)) {
        assertThat(next.taken()).isEqualTo(batch(2).last());
        assertThat(rows(left)).containsExactlyInAnyOrderElementsOf(upTo(3));
        give(next, 3, 4);
      }
      assertThat(rows(left)).containsExactlyInAnyOrderElementsOf(upTo(4));
    }
  }

  // The older was only slow: it can neither write into the newer's files nor confirm anything.
  @Test
  void aDelivererThatWasTakenForDeadIsShutOut() throws IOException {
    Feed older = open(out(), 0);
    give(older, 0, 2);
    older.flushAll();
    give(older, 2, 3);
    try (Feed newer = open(out(), 0)) {
      assertThat(newer.taken()).isEqualTo(batch(1).last());
      String shutOut = "table readings: .*";
      assertThatThrownBy(older::flushAll)
          .isInstanceOf(ConnectorException.class)
          .hasMessageMatching(shutOut);
      assertThatThrownBy(() -> older.offer(batch(3))).isInstanceOf(ConnectorException.class);
      give(newer, 2, 5);
      newer.flushAll();
      assertThatThrownBy(older::close).isInstanceOf(ConnectorException.class);
    }
    assertThat(rows(out())).containsExactlyInAnyOrderElementsOf(upTo(5));
  }

  // Nothing of it is new, so only the journal's name tells that another has taken over.
  @Test
  void aDelivererThatHasNothingInProgressIsShutOutByTheJournal() throws IOException {
    Feed older = open(out(), 0);
    open(out(), 0).close();
    give(older, 0, 1);
    assertThatThrownBy(older::flushAll)
        .isInstanceOf(ConnectorException.class)
        .hasMessageMatching(
            "table readings: .* cannot be brought to the disk: .*-1\\.journal, taken over by"
                + " another that delivers the rows of plant/job/delivery/results");
    open(out(), 0).close();
    assertThat(rows(out())).isEmpty();
  }

  // As after a failover where the devices have directories of their own.
  @Test
  void aRecoveryPointBeyondTheDirectoryIsBelieved() throws IOException {
    try (Feed sink = open(out(), 0)) {
      give(sink, 0, 1);
    }
    try (Feed sink = open(out(), batch(4).last())) {
      assertThat(sink.taken()).isEqualTo(batch(4).last());
      give(sink, 5, 6);
    }
    try (Feed sink = open(out(), 0)) {
      assertThat(sink.taken()).isEqualTo(batch(5).last());
    }
  }

  // Two tables, or two jobs, in one directory do not know each other's rows.
  @Test
  void writersOfOneDirectoryHaveJournalsOfTheirOwn() throws IOException {
    Delivery other =
        Delivery.of(new Delivery.Writer("plant", "other", "delivery", "results"), 1, 0);
    try (Feed first = open(out(), 0);
        Feed second = Feed.open(factory(out(), "csv", "1 mb"), other)) {
      give(first, 0, 3);
      assertThat(second.taken()).isZero();
      give(second, 0, 1);
    }
    assertThat(rows(out())).hasSize(4 * ROWS);
  }

  // The sink of a run looks after what others have left, but knows less of these files.
  @Test
  void filesThatAJournalKnowsAreLeftToItsWriter() throws IOException {
    Path left;
    try (Feed sink = open(out(), 0)) {
      give(sink, 0, 2);
      sink.flushAll();
      give(sink, 2, 3);
      left = killed(out());
    }
    Feed.open(factory(left, "csv", "1 mb")).close();
    assertThat(files(left, DeliveryTest::isInProgress)).hasSize(3);
    open(left, 0).close();
    assertThat(rows(left)).containsExactlyInAnyOrderElementsOf(upTo(2));
  }

  @Test
  void aLongJournalIsWrittenAnew() throws IOException {
    Path left;
    try (Feed sink = Feed.open(factory(out(), "csv", "1 mb"), Delivery.of(LONG, 1, 0))) {
      int number = 0;
      long longest = 0;
      for (long size = 1; size >= longest; size = Files.size(journal(out()))) {
        longest = size;
        give(sink, number, ++number);
        sink.flushAll();
      }
      assertThat(longest).isGreaterThan(1 << 20);
      give(sink, number, number + 1);
      sink.flushAll();
      left = killed(out());
      try (Feed next = Feed.open(factory(left, "csv", "1 mb"), Delivery.of(LONG, 1, 0))) {
        assertThat(next.taken()).isEqualTo(batch(number).last());
      }
      assertThat(rows(left)).containsExactlyInAnyOrderElementsOf(upTo(number + 1));
    }
  }

  /**
   * A process of its own that is killed again and again while it delivers, at any instruction; what
   * it has confirmed it says, as it would to the ledger.
   */
  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a killed process may hold files for a while")
  void aProcessThatIsKilledAgainAndAgainWritesEachRowOnce() throws Exception {
    long acknowledged = 0;
    for (int kill = 0; kill < 6; kill++) {
      acknowledged = deliver(acknowledged, 3 + 17 * kill);
    }
    int batches;
    try (Feed sink =
        Feed.open(factory(out(), "json", "2 kb"), Delivery.of(WRITER, 1, acknowledged))) {
      batches = Math.toIntExact(sink.taken() / ROWS);
    }
    List<String> lines = new ArrayList<>();
    for (Path file : files(out(), name -> !name.startsWith("."))) {
      lines.addAll(Files.readAllLines(file));
    }
    assertThat(batches).isGreaterThan(50);
    assertThat(lines)
        .containsExactlyInAnyOrderElementsOf(
            upTo(batches).stream().map("{\"n\":%d}"::formatted).toList());
  }

  /** Kills the process after so many confirmations; the last but one that it has said. */
  private long deliver(long acknowledged, int confirmations) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                DeliveryTest.class.getName(),
                out().toString(),
                Long.toString(acknowledged))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    long before = acknowledged;
    long last = acknowledged;
    try (BufferedReader said =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      for (int i = 0; i < confirmations; i++) {
        String line = said.readLine();
        assertThat(line).as("confirmation %d", i).isNotNull();
        before = last;
        last = Long.parseLong(line);
      }
    } finally {
      process.destroyForcibly();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
    return before;
  }

  /** What runs in the process of its own: delivers until it is killed. */
  public static void main(String[] arguments) {
    SinkFactory factory = factory(Path.of(arguments[0]), "json", "2 kb");
    Feed sink = Feed.open(factory, Delivery.of(WRITER, 1, Long.parseLong(arguments[1])));
    for (int number = Math.toIntExact(sink.taken() / ROWS); ; number++) {
      sink.give(batch(number));
      if (number % 3 == 0) {
        sink.flushAll();
        System.out.println(sink.taken());
      }
    }
  }
}
