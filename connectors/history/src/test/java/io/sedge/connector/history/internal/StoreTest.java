package io.sedge.connector.history.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Keep;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What becomes of what is kept: when the disk is full, when it is old, when the clock jumps.
 *
 * <p>Long because each of these ends in the others: what is full is made room in by age.
 */
class StoreTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @TempDir private Path directory;
  private Simulation simulation;

  @BeforeEach
  void simulate() {
    simulation = new Simulation(directory);
  }

  private static List<Long> ids(long from, long to) {
    return LongStream.rangeClosed(from, to).boxed().toList();
  }

  private StoreFiles files() throws IOException {
    return StoreFiles.in(simulation.directory("all"));
  }

  @Test
  void whatIsNotCommittedIsNotReadAndIsForgottenAtTheEnd() throws IOException {
    try (Store store = simulation.open(Simulation.keep())) {
      Simulation.keepRows(store, 1, 10);
      store.append(Simulation.rows(11, 10));
      long unused = store.mark();
      assertThat(unused).isEqualTo(2);
      assertThat(simulation.ids()).isEqualTo(ids(1, 10));
    }
    try (Store store = simulation.open(Simulation.keep())) {
      assertThat(simulation.ids()).isEqualTo(ids(1, 10));
      Simulation.keepRows(store, 11, 5);
    }
    assertThat(simulation.ids()).isEqualTo(ids(1, 15));
  }

  /**
   * The disk is a gateway's, and others write to it too: a plant's results must not stop for it.
   */
  @Test
  void whileTheDiskIsFullTheJobGoesOnAndWhatIsNotKeptIsCounted() throws IOException {
    try (Store store = simulation.open(Simulation.keep())) {
      Simulation.keepRows(store, 1, 10);
      simulation.disk.usable = 100 << 20;
      simulation.pass(store, SECOND);
      Simulation.keepRows(store, 11, 5);
      Simulation.keepRows(store, 16, 5);
      assertThat(store.unkept()).isEqualTo(10);
      simulation.disk.usable = 200 << 20;
      simulation.pass(store, SECOND);
      Simulation.keepRows(store, 21, 5);
    }
    assertThat(simulation.ids())
        .isEqualTo(
            LongStream.concat(LongStream.rangeClosed(1, 10), LongStream.rangeClosed(21, 25))
                .boxed()
                .toList());
    assertThat(simulation.context.reports())
        .anyMatch(
            report ->
                report.startsWith("WARNING table readings: readings are not kept in ")
                    && report.endsWith(
                        "(100 MB are free, 'keep.reserve' is 128 MB); the job goes on"))
        .contains("INFO table readings: readings are kept again; 10 were not, 10 in all");
  }

  /** Rows that come all the time must not keep it from keeping again. */
  @Test
  void onceThereIsRoomKeepingGoesOnAfterTheNextCommit() throws IOException {
    try (Store store = simulation.open(Simulation.keep())) {
      Simulation.keepRows(store, 1, 10);
      simulation.disk.usable = 100 << 20;
      simulation.pass(store, SECOND);
      simulation.disk.usable = 200 << 20;
      store.append(Simulation.rows(11, 5));
      simulation.pass(store, SECOND);
      store.committed(store.mark());
      store.append(Simulation.rows(16, 5));
      store.committed(store.mark());
      assertThat(store.unkept()).isEqualTo(5);
    }
    assertThat(simulation.ids())
        .isEqualTo(
            LongStream.concat(LongStream.rangeClosed(1, 10), LongStream.rangeClosed(16, 20))
                .boxed()
                .toList());
  }

  /** A commit is kept whole or not at all, and a torn write leaves nothing behind. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 30, 100, 188})
  void aDiskThatIsFullToTheLastByteCostsWholeCommits(int bytes) throws IOException {
    try (Store store = simulation.open(Simulation.keep())) {
      Simulation.keepRows(store, 1, 10);
      simulation.disk.writable = bytes;
      store.append(Simulation.rows(11, 10));
      store.committed(store.mark());
      assertThat(store.unkept()).isEqualTo(10);
      simulation.disk.writable = Long.MAX_VALUE;
      simulation.pass(store, SECOND);
      Simulation.keepRows(store, 21, 5);
    }
    assertThat(simulation.ids())
        .isEqualTo(
            LongStream.concat(LongStream.rangeClosed(1, 10), LongStream.rangeClosed(21, 25))
                .boxed()
                .toList());
  }

  @Test
  void aTableMaySayThatTheJobFailsInstead() throws IOException {
    Keep keep = Simulation.keep(Duration.ofDays(7), 1L << 30, Keep.WhenFull.FAIL);
    try (Store store = simulation.open(keep)) {
      Simulation.keepRows(store, 1, 10);
      simulation.disk.writable = 3;
      store.append(Simulation.rows(11, 10));
      assertThatThrownBy(store::mark)
          .isInstanceOf(ConnectorException.class)
          .hasMessageContaining("No space left on device")
          .hasMessageEndingWith("let the job go on without with 'keep.when-full' = 'skip'");
    }
    simulation.disk.writable = Long.MAX_VALUE;
    assertThat(simulation.ids()).isEqualTo(ids(1, 10));
  }

  /** A system says once that what was written has not come to the disk, and then never again. */
  @ParameterizedTest
  @EnumSource(Keep.WhenFull.class)
  void aSyncThatFailsIsNotLost(Keep.WhenFull whenFull) throws IOException {
    Keep keep = Simulation.keep(Duration.ofDays(7), 1L << 30, whenFull);
    String said = "a loss of power would cost it: Input/output error";
    try (Store store = simulation.open(keep)) {
      Simulation.keepRows(store, 1, 10);
      simulation.disk.failsToForceOnce = true;
      simulation.pass(store, SECOND);
      if (whenFull == Keep.WhenFull.FAIL) {
        assertThatThrownBy(() -> simulation.pass(store, SECOND))
            .isInstanceOf(ConnectorException.class)
            .hasMessageContaining(said);
      } else {
        simulation.pass(store, SECOND);
        assertThat(simulation.context.reports()).anyMatch(report -> report.contains(said));
        simulation.pass(store, SECOND);
        Simulation.keepRows(store, 11, 10);
      }
    }
    assertThat(simulation.ids()).isEqualTo(ids(1, whenFull == Keep.WhenFull.FAIL ? 10 : 20));
  }

  @Test
  void aSyncForWhichThereIsNoRoomOnTheWorkerComesAgain() throws IOException {
    try (Store store = simulation.open(Simulation.keep())) {
      simulation.pass(store, SECOND);
      Simulation.keepRows(store, 1, 10);
      simulation.workerIsFull = true;
      simulation.pass(store, SECOND);
      int before = simulation.disk.forced;
      simulation.workerIsFull = false;
      simulation.pass(store, SECOND);
      assertThat(simulation.disk.forced).isEqualTo(before + 1);
      simulation.pass(store, SECOND);
      assertThat(simulation.disk.forced).isEqualTo(before + 1);
    }
  }

  /** Leaves a closed journal of which no segment was made. */
  private void abandonWithAClosedJournal() throws IOException {
    Keep small = Simulation.keep(Duration.ofDays(7), 1L << 20, Keep.WhenFull.SKIP);
    StoreLock lock = StoreLock.tryTake(simulation.directory("all"));
    Store store = simulation.open(simulation.setting(small), lock, null);
    Simulation.keepRows(store, 1, 5_000);
    assertThat(files().journals()).hasSize(2);
    simulation.work.clear();
    lock.close();
  }

  /** Its lock is given back then, so the next task would make the same segment beside. */
  @Test
  void aStoreThatCannotBeOpenedLeavesNothingUnderWay() throws IOException {
    abandonWithAClosedJournal();
    simulation.disk.usable = 0;
    Keep keep = Simulation.keep(Duration.ofDays(7), 1L << 20, Keep.WhenFull.FAIL);
    Thread opener = Thread.currentThread();
    AtomicBoolean opened = new AtomicBoolean();
    // Does its work once the opener waits for it, or has not waited.
    Worker slow =
        new Worker(
            task ->
                Thread.ofVirtual()
                    .name("slow worker")
                    .start(
                        () -> {
                          while (opener.getState() != Thread.State.WAITING && !opened.get()) {
                            Thread.onSpinWait();
                          }
                          task.run();
                        }));
    try (StoreLock lock = StoreLock.tryTake(simulation.directory("all"))) {
      assertThatThrownBy(() -> simulation.open(keep, lock, slow))
          .isInstanceOf(ConnectorException.class)
          .hasMessageContaining("0 MB are free");
      StoreFiles left = files();
      opened.set(true);
      assertThat(left.segments()).hasSize(1);
      assertThat(left.parts()).isEmpty();
    }
  }

  @Test
  void aJournalThatAnotherTaskHasMadeASegmentOfIsDone() throws IOException {
    abandonWithAClosedJournal();
    Keep keep = Simulation.keep(Duration.ofDays(7), 1L << 20, Keep.WhenFull.SKIP);
    try (Store store = simulation.open(keep)) {
      Path journal = files().journals().getFirst().file();
      Files.move(journal, StoreFiles.segment(simulation.directory("all"), 1, 1));
      simulation.pass(store, SECOND);
      Simulation.keepRows(store, 5_001, 10);
      assertThat(simulation.context.reports()).isEmpty();
      assertThat(files().journals()).hasSize(1);
    }
  }

  @Test
  void segmentsThatCannotBeMadeAreTriedAgainAndNothingIsLost() throws IOException {
    Keep keep = Simulation.keep(Duration.ofDays(7), 1L << 20, Keep.WhenFull.SKIP);
    try (Store store = simulation.open(keep)) {
      // A directory where the segment's part is to be written.
      Path part =
          StoreFiles.part(
              StoreFiles.segment(
                  simulation.directory("all"), 1, simulation.context.clock().millis()));
      Files.createDirectories(part.resolve("x"));
      Simulation.keepRows(store, 1, 5_000);
      simulation.runWork();
      simulation.pass(store, SECOND);
      assertThat(files().segments()).isEmpty();
      assertThat(simulation.ids()).isEqualTo(ids(1, 5_000));
      assertThat(simulation.context.reports())
          .anyMatch(report -> report.contains("no segment could be made of"));
      Files.delete(part.resolve("x"));
      Files.deleteIfExists(part);
      simulation.pass(store, Duration.ofSeconds(11));
      assertThat(files().segments()).hasSize(1);
      assertThat(simulation.ids()).isEqualTo(ids(1, 5_000));
    }
  }

  @Test
  void segmentsOlderThanTheTableSaysAreDeletedWhole() throws IOException {
    Keep keep = Simulation.keep(Duration.ofHours(24), 1L << 30, Keep.WhenFull.SKIP);
    try (Store store = simulation.open(keep)) {
      for (int hour = 0; hour < 48; hour++) {
        Simulation.keepRows(store, 1 + hour * 10, 10);
        simulation.pass(store, Duration.ofHours(1));
      }
      List<Long> left = simulation.ids();
      assertThat(left).endsWith(480L).doesNotContain(200L).contains(260L);
      assertThat(files().segments().size() + files().journals().size()).isBetween(23, 28);
    }
  }

  @Test
  void theOldestSegmentsAreDeletedWhenTheyAreTooManyBytes() throws IOException {
    Keep keep = Simulation.keep(Duration.ofDays(7), 1L << 20, Keep.WhenFull.SKIP);
    try (Store store = simulation.open(keep)) {
      Random random = new Random(1);
      for (int commit = 0; commit < 400; commit++) {
        store.append(new RandomRows(random).batch(Simulation.SCHEMA, 1000));
        store.committed(store.mark());
        simulation.pass(store, SECOND);
      }
      simulation.pass(store, Duration.ofSeconds(31));
      long bytes = 0;
      for (Path file : files(simulation.directory("all"))) {
        bytes += Files.size(file);
      }
      assertThat(bytes).isBetween(1L << 18, 1L << 20);
      assertThat(files().segments().getFirst().number()).isGreaterThan(1);
    }
  }

  private static List<Path> files(Path directory) throws IOException {
    try (var files = Files.list(directory)) {
      return files.toList();
    }
  }

  /** A gateway that was off for a day must not take yesterday's readings for today's. */
  @Test
  void whatWasKeptBeforeALongPauseIsAsOldAsItIs() throws IOException {
    Keep keep = Simulation.keep(Duration.ofHours(24), 1L << 30, Keep.WhenFull.SKIP);
    try (Store store = simulation.open(keep)) {
      Simulation.keepRows(store, 1, 10);
    }
    long keptMs = simulation.context.clock().millis();
    Files.setLastModifiedTime(files().journals().getLast().file(), FileTime.fromMillis(keptMs));
    simulation.context.pass(Duration.ofHours(20).toMillis());
    try (Store store = simulation.open(keep)) {
      Simulation.keepRows(store, 11, 10);
      simulation.pass(store, SECOND);
      assertThat(files().segments())
          .extracting(StoreFiles.Segment::stampMs)
          .containsExactly(keptMs);
      simulation.pass(store, Duration.ofHours(5));
      assertThat(simulation.ids()).isEqualTo(ids(11, 20));
    }
  }

  /** A job was removed: its readings must not stay for ever, nor go before their time. */
  @Test
  void whatAJobThatWasRemovedHasKeptGoesWhenItIsOld() throws IOException {
    Keep keep = Simulation.keep(Duration.ofHours(24), 1L << 30, Keep.WhenFull.SKIP);
    Path gone = StoreFiles.directory(simulation.context.data(), "removed", "readings", "all");
    Store.Setting setting = new Store.Setting(gone, "readings", keep, Simulation.SHAPE);
    try (Store store = simulation.open(setting, StoreLock.tryTake(gone), null)) {
      Simulation.keepRows(store, 1, 10);
      simulation.pass(store, Duration.ofHours(2));
      Simulation.keepRows(store, 11, 10);
    }
    long keptMs = simulation.context.clock().millis();
    for (StoreFiles.Journal journal : StoreFiles.in(gone).journals()) {
      Files.setLastModifiedTime(journal.file(), FileTime.fromMillis(keptMs));
    }
    try (Store store = simulation.open(Simulation.keep())) {
      simulation.pass(store, Duration.ofHours(20));
      assertThat(StoreFiles.in(gone).segments()).hasSize(1);
      simulation.pass(store, Duration.ofHours(5));
      assertThat(StoreFiles.in(gone).segments()).isEmpty();
      assertThat(StoreFiles.in(gone).journals()).isEmpty();
    }
  }

  /** One store that cannot be read must not keep those of all other jobs. */
  @Test
  void whatCannotBeSweptIsSaidAndAllElseIsAndEmptyDirectoriesGo() throws IOException {
    Path data = simulation.context.data();
    Path first = StoreFiles.directory(data, "a", "readings", "all");
    Files.createDirectories(first.resolve("0000000001.journal"));
    Keep keep = Simulation.keep(Duration.ofHours(24), 1L << 30, Keep.WhenFull.SKIP);
    Path gone = StoreFiles.directory(data, "b", "readings", "all");
    Store.Setting setting = new Store.Setting(gone, "readings", keep, Simulation.SHAPE);
    try (Store store = simulation.open(setting, StoreLock.tryTake(gone), null)) {
      Simulation.keepRows(store, 1, 10);
    }
    Path last = StoreFiles.directory(data, "c", "readings", "all");
    Files.createDirectories(last.resolve("0000000001.journal"));
    long keptMs = simulation.context.clock().millis();
    Files.setLastModifiedTime(StoreFiles.journal(gone, 1), FileTime.fromMillis(keptMs));
    try (Store store = simulation.open(Simulation.keep())) {
      simulation.pass(store, Duration.ofHours(20));
      assertThat(StoreFiles.journal(gone, 1)).exists();
      simulation.pass(store, Duration.ofHours(5));
      assertThat(StoreFiles.root(data)).isDirectoryNotContaining("glob:**/b");
      assertThat(simulation.context.reports())
          .anyMatch(report -> report.contains("what is too old cannot be deleted"));
    }
    assertThat(first).isNotEmptyDirectory();
    assertThat(last).isNotEmptyDirectory();
  }

  @Test
  void ofAllStoresOneAtATimeSweeps() {
    long tenMinutes = Duration.ofMinutes(10).toNanos();
    assertThat(simulation.worker.isToSweep(-5)).isTrue();
    assertThat(simulation.worker.isToSweep(tenMinutes - 6)).isFalse();
    assertThat(simulation.worker.isToSweep(tenMinutes - 5)).isTrue();
    assertThat(simulation.worker.isToSweep(tenMinutes)).isFalse();
  }

  /** The system's locks are a process's: whoever closes the file in it gives them back. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aLockStaysTakenForOtherProcessesHoweverOftenItIsTriedHere() throws IOException {
    try (StoreLock lock = StoreLock.tryTake(simulation.directory("all"))) {
      assertThat(lock).isNotNull();
      assertThat(StoreLock.tryTake(simulation.directory("all"))).isNull();
      Object inode = Files.getAttribute(simulation.directory("all").resolve("lock"), "unix:ino");
      assertThat(Files.readAllLines(Path.of("/proc/locks")))
          .anyMatch(line -> line.contains("POSIX") && line.contains(":" + inode + " "));
    }
  }

  /** A store is deleted while the next task, or another process, is about to write it. */
  @Test
  void aLockIsThatOfTheFileThatIsThere() throws Exception {
    Path store = simulation.directory("all");
    AtomicInteger holders = new AtomicInteger();
    AtomicInteger taken = new AtomicInteger();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> tasks = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        tasks.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 200; i++) {
                    try (StoreLock lock = StoreLock.tryTake(store)) {
                      if (lock != null) {
                        assertThat(holders.incrementAndGet()).isOne();
                        assertThat(store.resolve("lock")).exists();
                        taken.incrementAndGet();
                        holders.decrementAndGet();
                        lock.deleteEmptyStore();
                      }
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> task : tasks) {
        task.get(30, TimeUnit.SECONDS);
      }
    }
    assertThat(taken.get()).isPositive();
    assertThat(store).doesNotExist();
  }

  /** Someone sets a year that is wrong: that must not cost the history of the plant. */
  @Test
  void aClockThatJumpsDeletesNothingForAnHour() throws IOException {
    Keep keep = Simulation.keep(Duration.ofHours(24), 1L << 30, Keep.WhenFull.SKIP);
    try (Store store = simulation.open(keep)) {
      Simulation.keepRows(store, 1, 10);
      simulation.pass(store, Duration.ofHours(2));
      Simulation.keepRows(store, 11, 10);
      simulation.pass(store, Duration.ofHours(2));
      int segments = files().segments().size();
      assertThat(segments).isPositive();
      simulation.context.setBack(-Duration.ofDays(365).toMillis());
      simulation.pass(store, SECOND);
      simulation.pass(store, Duration.ofMinutes(50));
      assertThat(simulation.ids()).isEqualTo(ids(1, 20));
      assertThat(simulation.context.reports())
          .anyMatch(report -> report.contains("the clock jumped by 31536000 s"));
      simulation.context.setBack(Duration.ofDays(365).toMillis());
      simulation.pass(store, SECOND);
      simulation.pass(store, Duration.ofHours(2));
      assertThat(simulation.ids()).isEqualTo(ids(1, 20));
    }
  }

  /** Without a clock of its own a device wakes up in 1970 until the network tells the time. */
  @Test
  void aClockThatWasSetBackDoesNotMakeNewReadingsOld() throws IOException {
    Keep keep = Simulation.keep(Duration.ofHours(24), 1L << 30, Keep.WhenFull.SKIP);
    try (Store store = simulation.open(keep)) {
      Simulation.keepRows(store, 1, 10);
      simulation.pass(store, Duration.ofHours(2));
      long nowMs = simulation.context.clock().millis();
      simulation.context.setBack(nowMs);
      simulation.pass(store, SECOND);
      Simulation.keepRows(store, 11, 10);
      simulation.pass(store, Duration.ofHours(2));
      simulation.context.setBack(-nowMs);
      simulation.pass(store, SECOND);
      simulation.pass(store, Duration.ofHours(3));
      assertThat(simulation.ids()).isEqualTo(ids(1, 20));
      assertThat(files().segments()).allMatch(segment -> segment.stampMs() > nowMs - 10_800_000);
    }
  }

  @Test
  void anotherTaskThatKeepsTheSameIsRefused() throws Exception {
    try (Store store = simulation.open(Simulation.keep())) {
      assertThat(store.id()).isNotZero();
      assertThatThrownBy(
              () -> StoreLock.take(simulation.directory("all"), "readings", Duration.ofMillis(60)))
          .isInstanceOf(ConnectorException.class)
          .hasMessageContaining("another task keeps its readings in");
    }
    StoreLock.take(simulation.directory("all"), "readings", Duration.ZERO).close();
  }

  /** A job is stopped and submitted anew with one more column: the old readings stay readable. */
  @Test
  void aTableThatHasChangedBeginsAnotherJournal() throws IOException {
    try (Store store = simulation.open(Simulation.keep())) {
      Simulation.keepRows(store, 1, 10);
    }
    Schema more = Schema.builder().addAll(Simulation.SCHEMA).add("unit", Type.STRING).build();
    Store.Setting changed =
        new Store.Setting(
            simulation.directory("all"), "readings", Simulation.keep(), new Shape(more, 1));
    StoreLock lock = StoreLock.tryTake(simulation.directory("all"));
    try (Store store = simulation.open(changed, lock, null)) {
      var builder = new io.sedge.engine.column.BatchBuilder(more);
      builder.addRow(11L, Simulation.BEGIN_MICROS + 11_000_000, "bar");
      store.append(builder.build());
      store.committed(store.mark());
      simulation.pass(store, SECOND);
      assertThat(files().segments()).hasSize(1);
    }
    assertThat(simulation.ids()).isEqualTo(ids(1, 11));
  }

  /** A journal that is damaged in its middle gives what is before, and nothing that is not so. */
  @Test
  void damagedBytesEndAJournal() throws IOException {
    try (Store store = simulation.open(Simulation.keep())) {
      for (int commit = 0; commit < 10; commit++) {
        Simulation.keepRows(store, 1 + commit * 10, 10);
      }
    }
    Path journal = files().journals().getLast().file();
    byte[] bytes = Files.readAllBytes(journal);
    bytes[bytes.length / 2] ^= 1;
    Files.write(journal, bytes);
    List<Long> left = simulation.ids();
    assertThat(left.size()).isBetween(30, 60);
    assertThat(left).isEqualTo(ids(1, left.size()));
    try (Store store = simulation.open(Simulation.keep())) {
      Simulation.keepRows(store, 101, 1);
    }
    assertThat(simulation.ids()).startsWith(1L).endsWith(101L).hasSize(left.size() + 1);
  }

  /** Nobody but who runs the plant may say that readings are of no use any more. */
  @Test
  void aJournalWithoutAHeadIsPutAsideAndSaidUntilItIsOld() throws IOException {
    Keep keep = Simulation.keep(Duration.ofHours(24), 1L << 30, Keep.WhenFull.SKIP);
    try (Store store = simulation.open(keep)) {
      Simulation.keepRows(store, 1, 1_000);
    }
    Path journal = files().journals().getLast().file();
    byte[] bytes = Files.readAllBytes(journal);
    bytes[20] ^= 1;
    Files.write(journal, bytes);
    assertThatThrownBy(simulation::ids)
        .isInstanceOf(ConnectorException.class)
        .hasMessageContaining("0000000001.journal is damaged; move it away to read the others");
    Path aside = journal.resolveSibling("0000000001.journal.damaged");
    try (Store store = simulation.open(keep)) {
      assertThat(aside).hasBinaryContent(bytes);
      assertThat(simulation.context.reports())
          .contains(
              "WARNING table readings: %s cannot be read, and what was kept in it is missing"
                  .formatted(aside));
      Simulation.keepRows(store, 1_001, 10);
      assertThat(simulation.ids()).isEqualTo(ids(1_001, 1_010));
      Files.setLastModifiedTime(aside, FileTime.fromMillis(simulation.context.clock().millis()));
      simulation.pass(store, Duration.ofHours(23));
      assertThat(aside).exists();
      simulation.pass(store, Duration.ofHours(2));
      assertThat(aside).doesNotExist();
      assertThat(files().lastNumber()).isGreaterThan(1);
    }
  }

  @Test
  void everyCutOfAJournalGivesWholeCommits() throws IOException {
    try (Store store = simulation.open(Simulation.keep())) {
      for (int commit = 0; commit < 4; commit++) {
        Simulation.keepRows(store, 1 + commit * 3, 3);
      }
    }
    Path journal = files().journals().getLast().file();
    byte[] whole = Files.readAllBytes(journal);
    for (int length = 0; length < whole.length; length++) {
      Files.write(journal, Arrays.copyOf(whole, length));
      List<Long> left = simulation.ids();
      assertThat(left.size() % 3).isZero();
      assertThat(left).isEqualTo(ids(1, left.size()));
      try (Store store = simulation.open(Simulation.keep())) {
        assertThat(store.unkept()).isZero();
      }
      assertThat(simulation.ids()).isEqualTo(left);
      for (StoreFiles.Journal each : files().journals()) {
        Files.delete(each.file());
      }
    }
  }

  @Test
  void namesOfAnyCharactersMakeDirectoriesThatDoNotLeaveTheRoot() {
    Path root = StoreFiles.root(directory);
    for (String name : List.of("..", ".", "a/b", "ü", "x".repeat(500), "\u0000", "~", "%2e")) {
      Path made = StoreFiles.directory(directory, name, name, name);
      assertThat(made.normalize()).isEqualTo(made);
      assertThat(made.startsWith(root)).isTrue();
      assertThat(root.relativize(made).getNameCount()).isEqualTo(3);
      assertThat(made.getFileName().toString().length()).isLessThan(150);
    }
    assertThat(StoreFiles.escaped("pump-1_a.b")).isEqualTo("pump-1_a.b");
    assertThat(StoreFiles.escaped("x".repeat(500)))
        .isNotEqualTo(StoreFiles.escaped("x".repeat(501)));
  }
}
