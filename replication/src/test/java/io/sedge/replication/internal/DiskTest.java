package io.sedge.replication.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Command;
import io.sedge.replication.LedgerException;
import io.sedge.replication.LedgerMember;
import io.sedge.replication.MemberOptions;
import io.sedge.replication.testkit.Await;
import io.sedge.replication.testkit.Members;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that is full, a last write that is torn, a log that is damaged, a log that grows. */
class DiskTest {
  @TempDir Path directory;
  private final List<String> reports = new CopyOnWriteArrayList<>();

  private MemberOptions options(Path where, long reserveBytes, long snapshotBytes) {
    return new MemberOptions(
        where,
        "a",
        Members.HOST,
        Members.freePort(),
        java.util.Optional.empty(),
        MemberOptions.DEFAULT_ELECTION_TIMEOUT,
        MemberOptions.DEFAULT_OUTSTANDING_BYTES,
        reserveBytes,
        snapshotBytes,
        (severity, message) -> reports.add(severity + " " + message));
  }

  private static Command job(int i) {
    return new Command.SubmitJob("job", Integer.toString(i) + "x".repeat(20_000));
  }

  private static long submit(RatisMember member, int i) throws Exception {
    return value(member.submit(job(i)));
  }

  private static long value(CompletableFuture<Answer> answer) throws Exception {
    Answer got = answer.get(40, TimeUnit.SECONDS);
    assertThat(got).isInstanceOf(Answer.Done.class);
    return ((Answer.Done) got).value();
  }

  private static long version(RatisMember member) {
    return member.read(state -> state.job("job").orElseThrow().version());
  }

  @Test
  void commitsWaitWhileTheDiskIsFullAndGoOnWhenThereIsRoom() throws Exception {
    AtomicLong free = new AtomicLong(1 << 30);
    MemberOptions options = options(directory.resolve("a"), 100 << 20, 1 << 20);
    LedgerMember.found(options).close();
    RatisMember member = RatisMember.open(options, free::get);
    try {
      assertThat(submit(member, 1)).isEqualTo(1);
      free.set(50 << 20);
      Await.until("it is said", () -> reports.stream().anyMatch(said -> said.contains("50 MB")));
      CompletableFuture<Answer> waits = member.submit(job(2));
      free.set(110 << 20);
      Await.until(
          "the refusal is said",
          () -> reports.stream().anyMatch(said -> said.contains("no room on the leader's disk")));
      assertThat(waits).as("with less than a quarter above the reserve").isNotDone();
      free.set(126 << 20);
      assertThat(value(waits)).isEqualTo(2);
      Await.until(
          "it is said that there is room",
          () ->
              reports.stream()
                  .anyMatch(said -> said.startsWith("INFO ledger: 126 MB are free again in ")));
      assertThat(reports)
          .anyMatch(
              said ->
                  said.startsWith("ERROR ledger: 50 MB are free in ")
                      && said.endsWith(
                          ", 100 MB must be: commits wait until there is room, nothing is lost"));
    } finally {
      member.close();
    }
  }

  /** Ratis leaves such a file when its disk is full while it writes a term or a vote. */
  @Test
  void aMemberWhoseVotesAreLostGoesOnInATermAboveAllThatItKnew() throws Exception {
    List<MemberOptions> options = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      options.add(options(directory.resolve(name), 0, 1 << 20));
    }
    List<RatisMember> members = new ArrayList<>();
    members.add(RatisMember.found(options.getFirst()));
    try {
      assertThat(submit(members.getFirst(), 1)).isEqualTo(1);
      for (int i = 1; i < 3; i++) {
        members.add(RatisMember.join(options.get(i), members.getFirst().membership().invite()));
        members
            .getFirst()
            .membership()
            .add(members.getLast().membership().self(), Duration.ofSeconds(30));
      }
      assertThat(submit(members.getFirst(), 2)).isEqualTo(2);
      long term = members.getFirst().term();
      members.removeLast().close();
      Path votes = only(directory.resolve("c"), "raft-meta");
      Files.write(votes, new byte[0]);
      members.add(RatisMember.open(options.getLast()));
      assertThat(reports).anyMatch(said -> said.contains("what it voted for could not be read"));
      assertThat(submit(members.getLast(), 3)).isEqualTo(3);
      assertThat(Files.readString(votes)).contains("term=");
      Await.until(
          "all are in a later term",
          () -> members.stream().allMatch(member -> member.term() >= term + VoteFile.SKIPPED));
      assertThat(submit(members.getFirst(), 4)).isEqualTo(4);
    } finally {
      members.forEach(RatisMember::close);
    }
  }

  private static Path only(Path directory, String name) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.endsWith(name)).findFirst().orElseThrow();
    }
  }

  /** Its log knows no leader any more, nor that another one leads. */
  @Test
  void aLeaderWhoseDiskIsFullSendsCommandsToTheOneThatLeadsNow() throws Exception {
    AtomicLong free = new AtomicLong(1 << 30);
    MemberOptions options = options(directory.resolve("a"), 100 << 20, 1 << 20);
    LedgerMember.found(options).close();
    RatisMember first = RatisMember.open(options, free::get);
    List<LedgerMember> others = new ArrayList<>();
    try {
      assertThat(submit(first, 1)).isEqualTo(1);
      for (String name : List.of("b", "c")) {
        LedgerMember other =
            LedgerMember.join(
                options(directory.resolve(name), 0, 1 << 20), first.membership().invite());
        others.add(other);
        first.membership().add(other.self(), Duration.ofSeconds(30));
      }
      free.set(0);
      first.logFailed(new IOException("made up"));
      assertThat(submit(first, 2)).isEqualTo(2);
      assertThat(first.isLeader()).isFalse();
    } finally {
      first.close();
      others.forEach(LedgerMember::close);
    }
  }

  /** What was opened again reads its log from the start; nobody may see what that shows. */
  @Test
  void aLogThatIsOpenedAgainIsNotReadUntilItIsWhereItWas() throws Exception {
    MemberOptions options = options(directory.resolve("a"), 0, 1 << 20);
    LedgerMember.found(options).close();
    RatisMember member = RatisMember.open(options);
    try {
      assertThat(submit(member, 1)).isEqualTo(1);
      letNoSnapshotBeWritten(options.directory().resolve("log"));
      member.logFailed(new IOException("made up"));
      CompletableFuture<Answer> next = member.submit(job(2));
      while (!next.isDone()) {
        assertThat(version(member)).isBetween(1L, 2L);
      }
      assertThat(value(next)).isEqualTo(2);
      Await.until(
          "it is said", () -> reports.stream().anyMatch(said -> said.contains("was opened again")));
    } finally {
      member.close();
    }
  }

  /** A server that is closed writes one, if it can. */
  private static void letNoSnapshotBeWritten(Path log) throws IOException {
    try (Stream<Path> sites = Files.list(log)) {
      Path snapshots = sites.findFirst().orElseThrow().resolve("sm");
      for (int term = 1; term < 4; term++) {
        for (int index = 0; index < 20; index++) {
          Files.createDirectories(snapshots.resolve("snapshot.%d_%d.tmp".formatted(term, index)));
        }
      }
    }
  }

  /** Others fill the disk to the last byte, faster than the reserve is looked at. */
  @Test
  @Tag("long")
  void aDiskThatIsFullToTheLastByteLosesNothingThatWasAnswered() throws Exception {
    Path mount = directory.resolve("small");
    Files.createDirectories(mount);
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", mount.toString()),
        "mounting a small file system is not permitted here");
    try {
      fillAndEmpty(mount);
    } finally {
      run("umount", "-l", mount.toString());
    }
  }

  private void fillAndEmpty(Path mount) throws Exception {
    MemberOptions options = options(mount.resolve("a"), 1 << 20, 1 << 20);
    LedgerMember.found(options).close();
    RatisMember member = RatisMember.open(options);
    try {
      assertThat(submit(member, 1)).isEqualTo(1);
      Path filler = mount.resolve("filler");
      List<CompletableFuture<Answer>> answers = new ArrayList<>();
      try (OutputStream output = Files.newOutputStream(filler)) {
        byte[] block = new byte[1 << 16];
        for (int i = 2; i < 400; i++) {
          answers.add(member.submit(job(i)));
          output.write(block);
        }
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("No space");
      }
      while (answers.size() < 250) {
        answers.add(member.submit(job(answers.size() + 2)));
      }
      Await.until(
          "it is said",
          () -> reports.stream().anyMatch(said -> said.contains("commits wait until")));
      Files.delete(filler);
      for (int i = 0; i < answers.size(); i++) {
        assertThat(value(answers.get(i))).as("in order, each once").isEqualTo(i + 2L);
      }
      assertThat(submit(member, 0)).isEqualTo(answers.size() + 2L);
    } finally {
      member.close();
    }
    member = RatisMember.open(options);
    try {
      long expected = submit(member, 0);
      assertThat(version(member)).isEqualTo(expected);
    } finally {
      member.close();
    }
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** A copy of the files of a running member is what a crash would have left. */
  private Path crashedWith(int jobs, MemberOptions options) throws Exception {
    Path crashed = directory.resolve("crashed");
    LedgerMember.found(options).close();
    RatisMember member = RatisMember.open(options);
    try {
      for (int i = 1; i <= jobs; i++) {
        submit(member, i);
      }
      copy(options.directory(), crashed);
    } finally {
      member.close();
    }
    return crashed;
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  private static Path openSegment(Path crashed) throws IOException {
    try (Stream<Path> files = Files.walk(crashed)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("log_inprogress"))
          .findFirst()
          .orElseThrow();
    }
  }

  private static long lastByte(Path segment) throws IOException {
    byte[] bytes = Files.readAllBytes(segment);
    int end = bytes.length;
    while (bytes[end - 1] == 0) {
      end--;
    }
    return end;
  }

  /** Of the last entry some bytes are missing: it had not been answered. */
  @Test
  void aTornLastWriteIsCutOffAndSaid() throws Exception {
    Path crashed = crashedWith(5, options(directory.resolve("a"), 1, 1 << 20));
    Path segment = openSegment(crashed);
    long end = lastByte(segment);
    try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "rw")) {
      file.seek(end - 5_000);
      file.write(new byte[5_000]);
    }
    RatisMember member = RatisMember.open(options(crashed, 1, 1 << 20));
    try {
      assertThat(submit(member, 5)).as("the fifth is gone, and comes again").isEqualTo(5);
    } finally {
      member.close();
    }
    assertThat(reports)
        .anyMatch(said -> said.startsWith("WARNING ledger: the last write to the log was torn, "));
  }

  /** What was answered must not be dropped in silence. */
  @Test
  void aLogThatIsDamagedBeforeItsEndIsRefused() throws Exception {
    Path crashed = crashedWith(5, options(directory.resolve("a"), 1, 1 << 20));
    Path segment = openSegment(crashed);
    try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "rw")) {
      file.seek(lastByte(segment) - 50_000);
      file.write(77);
    }
    assertThatExceptionOfType(LedgerException.class)
        .isThrownBy(() -> RatisMember.open(options(crashed, 1, 1 << 20)))
        .withMessageContaining("remove this member and let the device join anew");
  }

  @Test
  void theDirectoryStaysBoundedAndTheSnapshotIsWhatANewProcessGoesOnFrom() throws Exception {
    MemberOptions options = options(directory.resolve("a"), 1, 32 << 10);
    LedgerMember.found(options).close();
    RatisMember member = RatisMember.open(options);
    try {
      submitUntilTheLogIsCut(member, options);
    } finally {
      member.close();
    }
    member = RatisMember.open(options);
    try {
      assertThat(submit(member, 1)).isEqualTo(2_001);
    } finally {
      member.close();
    }
  }

  private void submitUntilTheLogIsCut(RatisMember member, MemberOptions options) throws Exception {
    CompletableFuture<Answer> last = null;
    for (int i = 1; i <= 2_000; i++) {
      last = member.submit(job(i));
      if (i % 100 == 0) {
        value(last);
      }
    }
    assertThat(value(last)).isEqualTo(2_000);
    Await.until("the log is cut", () -> sizeOf(options.directory()) < 16 << 20);
  }

  /** A member that lags a little is sent what it lacks, not the snapshot. */
  @Test
  void theLogIsKeptSinceTheSnapshotBeforeTheLast() throws Exception {
    MemberOptions options = options(directory.resolve("a"), 1, 32 << 10);
    RatisMember member = RatisMember.found(options);
    NavigableSet<Long> snapshots = new TreeSet<>(Set.of(0L));
    long first = 0;
    try {
      for (int i = 1; i <= 400; i++) {
        assertThat(submit(member, i)).isEqualTo(i);
        first = Collections.min(numbers(options.directory(), Pattern.compile("log_.*?(\\d+).*")));
        snapshots.addAll(numbers(options.directory(), Pattern.compile("snapshot\\.\\d+_(\\d+)")));
        Long last = snapshots.last();
        Long before = snapshots.lower(last);
        assertThat(first).isLessThanOrEqualTo(before == null ? 0 : before + 1);
      }
    } finally {
      member.close();
    }
    assertThat(first).as("it is cut, all the same").isPositive();
  }

  private static Set<Long> numbers(Path directory, Pattern name) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .map(file -> name.matcher(file.getFileName().toString()))
          .filter(Matcher::matches)
          .map(matcher -> Long.valueOf(matcher.group(1)))
          .collect(Collectors.toSet());
    } catch (UncheckedIOException e) {
      return numbers(directory, name); // A file was removed meanwhile.
    }
  }

  /**
   * Ratis leaves such a file when its disk is full while it writes who the members are, and goes on
   * without a word. Of that the log tells too, until it is cut.
   */
  @Test
  void aMemberWhoseConfigurationIsLostKnowsTheOthersStill() throws Exception {
    MemberOptions options = options(directory.resolve("a"), 1, 32 << 10);
    LedgerMember.found(options).close();
    RatisMember member = RatisMember.open(options);
    Path configuration = only(options.directory(), "raft-meta").resolveSibling("raft-meta.conf");
    try {
      Await.until("it is written", () -> Files.exists(configuration));
      Files.write(configuration, new byte[0]);
      submitUntilTheLogIsCut(member, options);
    } finally {
      member.close();
    }
    for (int life = 1; life <= 2; life++) {
      member = RatisMember.open(options);
      try {
        assertThat(submit(member, 1)).isEqualTo(2_000 + life);
      } finally {
        member.close();
      }
      Files.write(configuration, new byte[0]);
    }
  }

  private static long sizeOf(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.mapToLong(file -> file.toFile().isFile() ? file.toFile().length() : 0).sum();
    } catch (UncheckedIOException e) {
      return sizeOf(directory); // A file was removed meanwhile.
    }
  }
}
