package io.sedge.replication;

import static io.sedge.replication.testkit.Members.TIMEOUT;
import static io.sedge.replication.testkit.Members.ask;
import static io.sedge.replication.testkit.Members.done;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Change;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.Device;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.Limits;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.Rows;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.TaskId;
import io.sedge.replication.testkit.Await;
import io.sedge.replication.testkit.Members;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members in one process: growing, shrinking, starting again. */
class LedgerMemberTest {
  @TempDir Path directory;
  private Members members;

  @BeforeEach
  void make() {
    members = new Members(directory);
  }

  @AfterEach
  void close() {
    members.close();
  }

  private static Command device(String name) {
    return new Command.RegisterDevice(name, "host:1", Map.of());
  }

  private static List<String> devices(Ledger ledger) {
    return ledger.read(state -> state.devices().stream().map(Device::name).toList());
  }

  private static List<String> devicesAt(Ledger ledger, long index) throws Exception {
    return ledger
        .<List<String>>readAt(index, state -> state.devices().stream().map(Device::name).toList())
        .get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void aSiteOfOneGoesOnWhereItWasWhenItIsStartedAgain() throws Exception {
    LedgerMember first = members.found("a");
    done(first, device("one"));
    done(first, device("two"));
    assertThat(devices(first)).containsExactly("one", "two");
    Member before = first.self();
    members.close(first);
    LedgerMember again = members.open("a");
    Answer.Done third = done(again, device("three"));
    assertThat(devicesAt(again, third.index())).containsExactly("one", "three", "two");
    assertThat(again.self()).isEqualTo(before);
  }

  /** Operators read the wear of a flash card from it. */
  @Test
  void whatIsWrittenToTheLogIsCounted() throws Exception {
    LedgerMember first = members.found("a");
    LogCounts before = first.logCounts();
    for (int i = 0; i < 5; i++) {
      done(first, device("d" + i));
    }
    LogCounts after = first.logCounts();
    assertThat(after.entries() - before.entries()).isBetween(5L, 10L);
    assertThat(after.syncs() - before.syncs()).isBetween(5L, 10L);
    members.close(first);
    assertThat(members.open("a").logCounts().entries()).as("since it was opened").isLessThan(5);
  }

  @Test
  void aSiteGrowsOneByOneToFiveThatVoteAndFurtherOnesThatFollow() throws Exception {
    LedgerMember first = members.found("a");
    Answer.Done last = done(first, device("device-1"));
    List<LedgerMember> all = new ArrayList<>(List.of(first));
    for (String name : List.of("b", "c", "d", "e", "f", "g")) {
      LedgerMember newcomer = members.join(name, members.leader());
      last = done(newcomer, device("device-of-" + name));
      assertThat(devicesAt(newcomer, last.index())).contains("device-1", "device-of-" + name);
      all.add(newcomer);
    }
    for (LedgerMember member : all) {
      assertThat(devicesAt(member, last.index())).as("what a later one told").hasSize(7);
      Await.until("each knows all", () -> member.members().size() == 7);
      assertThat(member.members()).filteredOn(Member::voter).hasSize(5);
    }
  }

  /** A member that did not know of another's change when it asked for its own asks again. */
  @Test
  void membersThatAreAddedAtTheSameTimeAreAllAdded() throws Exception {
    LedgerMember first = members.found("a");
    LedgerMember second = members.join("b", first);
    List<LedgerMember> all = new ArrayList<>(List.of(first, second));
    for (String name : List.of("c", "d", "e")) {
      all.add(members.start(name, first.invite()));
    }
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<LedgerMember>> added = new ArrayList<>();
      for (LedgerMember newcomer : all.subList(2, all.size())) {
        LedgerMember through = added.size() % 2 == 0 ? second : first;
        added.add(
            threads.submit(
                () -> {
                  through.add(newcomer.self(), TIMEOUT);
                  return newcomer;
                }));
      }
      for (Future<LedgerMember> each : added) {
        each.get();
      }
    }
    for (LedgerMember member : all) {
      Await.until("each knows all", () -> member.members().size() == 5);
    }
  }

  /** Each entry costs all of them a write to the disk, also while nothing happens. */
  @Test
  void whatMembersTellIsNoEntryAndAllLearnIt() throws Exception {
    List<LedgerMember> all = new ArrayList<>(List.of(members.found("a")));
    all.add(members.join("b", all.getFirst()));
    all.add(members.join("c", all.getFirst()));
    for (String name : List.of("a", "b", "c")) {
      done(all.getFirst(), device(name));
    }
    Set<Long> indices = new HashSet<>();
    for (int round = 1; round <= 20; round++) {
      for (int i = 0; i < all.size(); i++) {
        CompletableFuture<Answer> answer =
            all.get(i).tell(new Command.ReportDevice("abc".substring(i, i + 1), round, false));
        assertThat(answer.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
            .isInstanceOfSatisfying(Answer.Done.class, done -> indices.add(done.index()));
      }
    }
    assertThat(indices).as("last entries of sixty reports").hasSize(1);
    for (LedgerMember member : all) {
      List<Long> heard = member.read(state -> state.devices().stream().map(Device::heard).toList());
      assertThat(heard)
          .as("the last round may not have come to those who reported first")
          .allMatch(count -> count >= 19);
    }
  }

  /** They have learned from the last leader; a device that is silent since is found by them. */
  @Test
  void whoeverLeadsNextGoesOnWithWhatWasTold() throws Exception {
    List<LedgerMember> all = new ArrayList<>(List.of(members.found("a")));
    all.add(members.join("b", all.getFirst()));
    all.add(members.join("c", all.getFirst()));
    for (String name : List.of("a", "b", "c")) {
      done(all.getFirst(), device(name));
    }
    LedgerMember leader = all.stream().filter(LedgerMember::isLeader).findFirst().orElseThrow();
    List<LedgerMember> others = all.stream().filter(member -> member != leader).toList();
    for (int round = 1; round <= 3; round++) {
      for (LedgerMember member : all) {
        assertThat(member.tell(new Command.ReportDevice("a", round, false)))
            .succeedsWithin(TIMEOUT);
      }
    }
    leader.close();
    LedgerMember other = others.getFirst();
    assertThat(other.tell(new Command.ReportDevice("b", 1, false))).succeedsWithin(TIMEOUT);
    List<Long> heard = other.read(state -> state.devices().stream().map(Device::heard).toList());
    assertThat(heard.get(0)).as("reports of a").isGreaterThanOrEqualTo(7);
    assertThat(heard.get(1)).as("reports of b").isEqualTo(1);
  }

  @Test
  void threeGoOnWithoutOneAndTheOneCatchesUp() throws Exception {
    LedgerMember first = members.found("a");
    LedgerMember second = members.join("b", first);
    LedgerMember third = members.join("c", first);
    done(third, device("before"));
    members.close(first);
    Answer.Done during = done(second, device("during"));
    assertThat(devicesAt(third, during.index())).containsExactly("before", "during");
    LedgerMember again = members.open("a");
    assertThat(devicesAt(again, during.index())).containsExactly("before", "during");
  }

  /** What it lacks has been removed from the log, for a newcomer and for one that was away. */
  @Test
  void aMemberThatIsFarBehindIsSentASnapshot() throws Exception {
    members.withSnapshotBytes(32 << 10); // After a megabyte at once.
    LedgerMember first = members.found("a");
    members.join("b", first);
    LedgerMember away = members.join("c", first);
    members.close(away);
    Answer.Done last = null;
    for (int i = 0; i < 600; i++) {
      last = done(first, new Command.SubmitJob("job", i + "x".repeat(20_000)));
    }
    LedgerMember newcomer = members.join("d", first);
    LedgerMember back = members.open("c");
    for (LedgerMember member : List.of(newcomer, back)) {
      long version =
          member
              .<Long>readAt(last.index(), state -> state.job("job").orElseThrow().version())
              .get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      assertThat(version).isEqualTo(600);
    }
    Answer.Done after = done(back, device("after"));
    assertThat(devicesAt(newcomer, after.index())).containsExactly("after");
  }

  @Test
  void allAreStartedAgainInAnyOrder() throws Exception {
    LedgerMember first = members.found("a");
    LedgerMember second = members.join("b", first);
    LedgerMember third = members.join("c", first);
    done(second, device("before"));
    members.close(first);
    members.close(third);
    members.close(second);
    third = members.open("c");
    second = members.open("b");
    Answer.Done after = done(third, device("after"));
    assertThat(devicesAt(second, after.index())).containsExactly("after", "before");
    assertThat(third.members()).hasSize(3);
  }

  @Test
  void aRemovedMemberKnowsItAndADeviceWithAWipedDiskComesBackAsAnother() throws Exception {
    LedgerMember first = members.found("a");
    LedgerMember second = members.join("b", first);
    LedgerMember third = members.join("c", first);
    String removed = third.self().id();
    second.remove(removed, TIMEOUT);
    Await.until("two are left", () -> first.members().size() == 2);
    assertThat(devices(first)).isEmpty();
    members.close(third);
    Members elsewhere = new Members(directory.resolve("new-disk"));
    try (elsewhere) {
      LedgerMember again = elsewhere.join("c", first);
      assertThat(again.self().id()).isNotEqualTo(removed).startsWith("c-");
      Answer.Done after = done(again, device("after"));
      assertThat(devicesAt(again, after.index())).containsExactly("after");
      Await.until("three are there", () -> first.members().size() == 3);
    }
  }

  /**
   * The first entry of the next leader may be taken by the one before it, which ends before it has
   * answered; nobody sends it again. Of two members that are restarted at once this is so often.
   */
  @Test
  void twoMembersGoOnAfterTheirLeaderWasRestarted() throws Exception {
    members.join("b", members.found("a"));
    for (int i = 0; i < 6; i++) {
      LedgerMember leader = members.leader();
      String name = leader.self().id().substring(0, 1);
      members.close(leader);
      done(members.open(name), device("device-" + i));
    }
  }

  @Test
  void aFollowerBecomesAVoterWhenOneIsRemoved() throws Exception {
    LedgerMember first = members.found("a");
    for (String name : List.of("b", "c", "d", "e")) {
      members.join(name, first);
    }
    LedgerMember follower = members.join("f", first);
    String removed =
        first.members().stream()
            .filter(member -> member.voter() && !member.id().equals(first.self().id()))
            .findFirst()
            .orElseThrow()
            .id();
    Await.until("the follower knows all", () -> follower.members().size() == 6);
    follower.remove(removed, TIMEOUT);
    Await.until(
        "five vote",
        () -> first.members().size() == 5 && first.members().stream().allMatch(Member::voter));
    assertThat(first.members()).extracting(Member::id).contains(follower.self().id());
  }

  /** It was invited while its dead predecessor's vote counted. */
  @Test
  void aVoterThatComesBackWithAnEmptyDiskVotesAgain() throws Exception {
    LedgerMember first = members.found("a");
    for (String name : List.of("b", "c", "d")) {
      members.join(name, first);
    }
    LedgerMember dead = members.join("e", first);
    Member before = dead.self();
    members.close(dead);
    LedgerMember again = members.start("e-again", first.invite());
    assertThat(again.self().voter()).isFalse();
    first.remove(before.id(), TIMEOUT);
    first.add(again.self(), TIMEOUT);
    Await.until("five vote", () -> again.members().size() == 5 && again.self().voter());
    assertThat(again.members()).allMatch(Member::voter).doesNotContain(before);
    Answer.Done last = done(again, device("e"));
    assertThat(devicesAt(first, last.index())).contains("e");
  }

  @Test
  void leadershipIsHandedOver() throws Exception {
    LedgerMember first = members.found("a");
    List<LedgerMember> others =
        new ArrayList<>(List.of(members.join("b", first), members.join("c", first)));
    first.handOver();
    Await.until("another one leads", () -> others.stream().anyMatch(LedgerMember::isLeader));
    others.sort(Comparator.comparing(member -> !member.isLeader()));
    LedgerMember second = others.getFirst();
    LedgerMember third = others.getLast();
    assertThat(second.hasLed(first.self().address())).isTrue();
    Await.until("the first follows", () -> first.hasLed(second.self().address()));
    assertThat(first.hasLed(third.self().address())).isFalse();
    Await.until("the third answers", () -> second.answers(third.self().address()));
    assertThat(second.answers(second.self().address())).isFalse();
    assertThat(third.answers(second.self().address())).as("it does not lead").isFalse();
    done(first, device("after"));
  }

  @Test
  void aLeaderThatIsClosedHandsTheLeadOverBeforeTheOthersMissIt() throws Exception {
    LedgerMember first = members.found("a");
    members.withElectionTimeout(Duration.ofMinutes(10));
    List<LedgerMember> others = List.of(members.join("b", first), members.join("c", first));
    String leader = first.self().id();
    members.close(first);
    Await.until(
        "another one leads, without an election for want of a leader",
        () ->
            others.stream()
                .allMatch(other -> other.leader().filter(id -> !id.equals(leader)).isPresent()));
    done(others.getFirst(), device("after"));
  }

  @Test
  void aCommitLargerThanAnEntryIsTakenWhole() throws Exception {
    LedgerMember first = members.found("a");
    done(first, device("a"));
    done(first, new Command.SubmitJob("plant", "SELECT 1"));
    TaskId task = new TaskId("plant", "0");
    long epoch = done(first, new Command.AssignTask(task, "a", 0)).value();
    byte[] large = new byte[3_500_000];
    Answer.Done done =
        done(
            first,
            new Command.Commit(
                task,
                epoch,
                1,
                Map.of(),
                List.of(new Change(new byte[] {1}, large)),
                List.of(new Rows(Channel.OUTBOX, "kept", 1, new byte[] {5}))));
    assertThat(done.value()).isEqualTo(1);
    assertThat(first.<Long>read(SiteState::stateBytes)).isGreaterThan(3_500_000L);
    assertThat(
            ask(
                first,
                new Command.Commit(
                    task,
                    epoch,
                    2,
                    Map.of(),
                    List.of(new Change(new byte[] {1}, new byte[5_000_000])),
                    List.of())))
        .isEqualTo(new Answer.Refused(Refusal.TOO_LARGE, Limits.DEFAULT.commitBytes()));
    done(first, new Command.Commit(task, epoch, 2, Map.of(), List.of(), List.of()));
  }

  @Test
  void whatDoesNotFitIsRefusedAtOnceAndWhatIsUnderWayIsAnswered() throws Exception {
    LedgerMember first = members.found("a");
    String script = "x".repeat(100_000);
    int refused = 0;
    java.util.concurrent.CompletableFuture<Answer> last = null;
    for (int i = 0; i < 500; i++) {
      var answer = first.submit(new Command.SubmitJob("job", script));
      if (answer.isDone() && answer.get() instanceof Answer.Refused(Refusal reason, long _)) {
        assertThat(reason).isEqualTo(Refusal.BUSY);
        refused++;
      } else {
        last = answer;
      }
    }
    assertThat(refused).isPositive();
    assertThat(last.get(30, TimeUnit.SECONDS))
        .isInstanceOfSatisfying(Answer.Done.class, done -> assertThat(done.value()).isPositive());
    members.close(first);
    assertThat(first.submit(device("late")).get()).isEqualTo(new Answer.Refused(Refusal.CLOSED, 0));
  }

  /** What a snapshot holds that is installed is in no segment of the log. */
  @Test
  void aMemberHasBegunThoughASnapshotIsAllItHas() throws Exception {
    Path ledger = members.options("a").directory();
    assertThat(LedgerMember.hasBegunIn(ledger)).isFalse();
    members.close(members.found("a"));
    assertThat(LedgerMember.hasBegunIn(ledger)).isTrue();
    try (Stream<Path> files = Files.walk(ledger)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (file.getFileName().toString().startsWith("log_")) {
          Files.delete(file);
        }
      }
    }
    assertThat(LedgerMember.hasBegunIn(ledger)).isTrue();
  }

  @Test
  void whatCannotBeSaysWhy() throws Exception {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MemberOptions.of(directory, "a", "0.0.0.0", 1, (_, _) -> {}))
        .withMessage(
            "host=0.0.0.0 is no loopback address, so certificates are needed: nothing is sent or"
                + " taken without mutual TLS");
    assertThatExceptionOfType(LedgerException.class)
        .isThrownBy(() -> members.open("nobody"))
        .withMessageEndingWith("nobody has no ledger; found a site there, or join one");
    LedgerMember first = members.found("a");
    assertThatExceptionOfType(LedgerException.class)
        .isThrownBy(() -> members.found("a"))
        .withMessageContaining("has a ledger already");
    assertThatExceptionOfType(LedgerException.class)
        .isThrownBy(() -> first.remove(first.self().id(), TIMEOUT))
        .withMessageContaining("is the last one that votes");
    MemberOptions taken = members.options("a");
    assertThatExceptionOfType(LedgerException.class)
        .isThrownBy(
            () ->
                LedgerMember.found(
                    MemberOptions.of(
                        directory.resolve("x"), "x", Members.HOST, taken.port(), (_, _) -> {})))
        .withMessageContaining("cannot listen at 127.0.0.1:" + taken.port());
  }

  @Test
  void whatIsNotDoneForWantOfAMajoritySaysSo() throws Exception {
    LedgerMember first = members.found("a");
    LedgerMember away = members.join("b", first);
    String id = away.self().id();
    members.close(away);
    assertThatExceptionOfType(LedgerException.class)
        .isThrownBy(() -> first.remove(id, Duration.ofSeconds(3)))
        .withMessageStartingWith("removing member " + id + ": ")
        .withMessageContaining("too few members that vote answer")
        .withMessageNotContaining("Exception");
  }
}
