package io.sedge.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Change;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.RowBlock;
import io.sedge.ledger.Rows;
import io.sedge.ledger.TaskId;
import io.sedge.replication.testkit.Await;
import io.sedge.replication.testkit.MemberProcess;
import io.sedge.replication.testkit.Members;
import io.sedge.replication.testkit.RunningMember;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three members in processes of their own, of 64 MB of heap each; a fourth one in this process
 * commits without a pause, each commit a row with its number. Members are killed with -9, any of
 * the three, all of them. At the end each number stands in the outbox once, in order, and all
 * members agree.
 */
class KilledMembersTest {
  private static final TaskId TASK = new TaskId("plant", "hall");
  private static final List<String> NAMES = List.of("a", "b", "c");
  private static final int OUTSTANDING = 8;

  /** At most some 500 commits a second, so that the outbox of a minute fits. */
  private static final long PAUSE_NANOS = 2_000_000;

  @TempDir Path directory;
  private final List<RunningMember> voters = new ArrayList<>();
  private final List<Integer> ports = new ArrayList<>();
  private Members here;
  private LedgerMember member;
  private long epoch;
  private Writer writer;
  private long taken;

  @BeforeEach
  void start() throws Exception {
    NAMES.forEach(_ -> ports.add(Members.freePort()));
    voters.add(RunningMember.start(directory.resolve("a"), "a", ports.getFirst(), "found"));
    RunningMember first = voters.getFirst();
    Await.until("the first leads", first::leads);
    for (int i = 1; i < NAMES.size(); i++) {
      String name = NAMES.get(i);
      voters.add(
          RunningMember.start(
              directory.resolve(name), name, ports.get(i), "join", first.site(), "true"));
      add(first, voters.get(i).id(), ports.get(i), true);
    }
    here = new Members(directory);
    member = here.start("t", new Invitation(UUID.fromString(first.site()), false));
    add(first, member.self().id(), here.options("t").port(), false);
    Members.done(member, new Command.RegisterDevice("t", "", Map.of()));
    Members.done(member, new Command.SubmitJob("plant", ""));
    epoch = Members.done(member, new Command.AssignTask(TASK, "t", 0)).value();
  }

  private static void add(RunningMember through, String id, int port, boolean voter)
      throws IOException {
    assertThat(through.ask("add %s %s:%d %s".formatted(id, Members.HOST, port, voter)))
        .isEqualTo("added");
  }

  @AfterEach
  void stop() throws InterruptedException {
    if (writer != null) {
      writer.stop();
    }
    for (RunningMember voter : voters) {
      voter.kill();
    }
    here.close();
  }

  private void restart(int i) throws IOException {
    String name = NAMES.get(i);
    voters.set(i, RunningMember.start(directory.resolve(name), name, ports.get(i), "open"));
  }

  /**
   * Which of the three leads; the fourth one votes as well, and hands the lead over if it has it.
   */
  private int leader() throws Exception {
    AtomicReference<Integer> found = new AtomicReference<>();
    Await.until(
        "one of the three leads",
        () -> {
          member.handOver();
          for (int i = 0; i < voters.size(); i++) {
            if (voters.get(i).isAlive() && voters.get(i).leads()) {
              found.set(i);
            }
          }
          return found.get() != null;
        });
    return found.get();
  }

  /** Commits until it is stopped. */
  private final class Writer {
    private final AtomicLong answered = new AtomicLong();
    private final AtomicReference<Answer> wrong = new AtomicReference<>();
    private final Semaphore room = new Semaphore(OUTSTANDING);
    private final Thread thread = Thread.ofPlatform().name("writer").unstarted(this::run);
    private volatile boolean stopped;
    private long sent;

    Writer() {
      thread.start();
    }

    private void run() {
      while (!stopped) {
        room.acquireUninterruptibly();
        LockSupport.parkNanos(PAUSE_NANOS);
        sent++;
        var _ = member.submit(commit(sent)).thenAccept(this::take);
      }
    }

    private void take(Answer answer) {
      if (answer instanceof Answer.Done) {
        answered.incrementAndGet();
      } else {
        wrong.compareAndSet(null, answer);
      }
      room.release();
    }

    private Command.Commit commit(long number) {
      byte[] bytes = ByteBuffer.allocate(2_000).putLong(number).array();
      return new Command.Commit(
          TASK,
          epoch,
          number,
          Map.of("numbers", ByteBuffer.allocate(Long.BYTES).putLong(number).array()),
          List.of(new Change(new byte[] {(byte) number}, bytes)),
          List.of(
              new Rows(
                  Channel.OUTBOX,
                  "kept",
                  1,
                  ByteBuffer.allocate(Long.BYTES).putLong(number).array())));
    }

    /** Waits until it has got some further, which takes a leader. */
    void goesOn() throws Exception {
      long before = answered.get();
      Await.until("commits are answered", () -> answered.get() > before + 3 * OUTSTANDING);
    }

    long end() throws Exception {
      stopped = true;
      thread.join();
      Await.until("all are answered", () -> room.availablePermits() == OUTSTANDING);
      assertThat(wrong.get()).as("an answer that is not Done").isNull();
      return sent;
    }

    void stop() throws InterruptedException {
      stopped = true;
      room.release();
      thread.join();
    }
  }

  private void check(long sent) throws Exception {
    assertThat(sent).isPositive();
    Await.until("this member has all", () -> sequence() == sent);
    take();
    assertThat(taken).isEqualTo(sent);
    for (int i = 0; i < voters.size(); i++) {
      if (!voters.get(i).isAlive()) {
        restart(i);
      }
    }
    for (RunningMember voter : voters) {
      AtomicReference<String> theirs = new AtomicReference<>();
      Await.until(
          () ->
              "member %s has %s, %s has %s"
                  .formatted(
                      voter.id(),
                      theirs.get(),
                      member.self().id(),
                      member.<String>read(MemberProcess::checksum)),
          () -> {
            theirs.set(voter.ask("state"));
            return sumOf(theirs.get()).equals(sumOf(member.<String>read(MemberProcess::checksum)));
          });
    }
  }

  /** What the center does: each number comes once, in order; then the rows are acknowledged. */
  private void take() throws Exception {
    List<RowBlock> rows =
        member.read(state -> state.rows("plant", Channel.OUTBOX, taken, Integer.MAX_VALUE));
    for (RowBlock row : rows) {
      taken++;
      assertThat(row.sequence()).isEqualTo(taken);
      assertThat(ByteBuffer.wrap(row.rows().bytes()).getLong()).isEqualTo(taken);
    }
    Members.done(member, new Command.AcknowledgeRows("plant", Channel.OUTBOX, taken));
  }

  private static String sumOf(String state) {
    return state.split(" ", -1)[2];
  }

  private long sequence() {
    return member.read(state -> state.task(TASK).orElseThrow().sequence());
  }

  @Test
  @Timeout(120)
  void aLeaderAFollowerAndThenAllAreKilledAndNothingIsLostOrDoubled() throws Exception {
    writer = new Writer();
    writer.goesOn();
    int leader = leader();
    voters.get(leader).kill();
    writer.goesOn();
    restart(leader);
    writer.goesOn();
    int other = (leader() + 1) % voters.size();
    voters.get(other).kill();
    writer.goesOn();
    restart(other);
    for (RunningMember voter : voters) {
      voter.kill();
    }
    for (int i = 0; i < voters.size(); i++) {
      restart(i);
    }
    writer.goesOn();
    check(writer.end());
  }

  /** A suspended leader is not dead: when it wakes up it must not answer anything by itself. */
  @Test
  @Timeout(120)
  void aSuspendedLeaderIsReplacedAndFollowsWhenItWakesUp() throws Exception {
    writer = new Writer();
    writer.goesOn();
    int leader = leader();
    voters.get(leader).signal("STOP");
    writer.goesOn();
    voters.get(leader).signal("CONT");
    writer.goesOn();
    check(writer.end());
  }

  @Test
  @Tag("long")
  @Timeout(900)
  void membersAreKilledAtRandomForFiveMinutes() throws Exception {
    long seed = System.nanoTime();
    System.err.println("seed " + seed);
    Random random = new Random(seed);
    long end = System.nanoTime() + Duration.ofMinutes(5).toNanos();
    int kills = 0;
    List<Long> recoveries = new ArrayList<>();
    writer = new Writer();
    while (System.nanoTime() < end) {
      int victims = random.nextInt(5) == 0 ? voters.size() : 1;
      int first = random.nextInt(voters.size());
      long begin = System.nanoTime();
      for (int i = 0; i < victims; i++) {
        voters.get((first + i) % voters.size()).kill();
        kills++;
      }
      if (victims == 1) {
        writer.goesOn();
        recoveries.add(System.nanoTime() - begin);
      }
      for (int i = 0; i < victims; i++) {
        restart((first + i) % voters.size());
      }
      writer.goesOn();
      take();
    }
    check(writer.end());
    recoveries.sort(null);
    System.err.printf(
        "%d kills; with one dead, %d commits later: p50 %d ms, most %d ms%n",
        kills,
        3 * OUTSTANDING,
        recoveries.get(recoveries.size() / 2) / 1_000_000,
        recoveries.getLast() / 1_000_000);
  }
}
