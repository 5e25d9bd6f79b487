package io.sedge.replication.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.replication.testkit.Await;
import io.sedge.replication.testkit.Certificates;
import io.sedge.replication.testkit.Members;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.ratis.proto.RaftProtos.CommitInfoProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.raftlog.RaftLog;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Of a site of a, b and c, as one of them sees it; a leads. */
final class LeaderLossTest {
  private static final RaftGroupId GROUP = RaftGroupId.valueOf(new UUID(1, 2));
  private static final long LEADERS_COMMIT = 7;
  private static final Reports REPORTS =
      new Reports(
          (_, message) -> {
            throw new AssertionError(message);
          },
          System::nanoTime);

  @TempDir private Path directory;
  private final List<RaftPeer> voters = new ArrayList<>(List.of(peer("c"), peer("b"), peer("a")));
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<StartLeaderElectionRequestProto> elections = new ArrayList<>();
  private @Nullable String leader = "a";
  private boolean refuses = true;
  private boolean follows = true;
  private long term = 5;
  private long nextIndex = LEADERS_COMMIT + 1;

  /** While somebody waits for its turn. */
  private Runnable meanwhile = () -> {};

  private static RaftPeer peer(String id) {
    return LocalServer.peer(id, id + ":7410");
  }

  private void check(String self, Duration turn) throws InterruptedException {
    new LeaderLoss(
            server(self),
            GROUP,
            address -> {
              asked.add(address);
              meanwhile.run();
              return CompletableFuture.completedFuture(refuses);
            },
            turn,
            REPORTS)
        .check();
  }

  private RaftServer server(String self) {
    RaftServer.Division division =
        Played.of(
            RaftServer.Division.class,
            (method, _) ->
                switch (method.getName()) {
                  case "getInfo" -> info();
                  case "getRaftConf" -> configuration();
                  case "getCommitInfos" ->
                      List.of(commitOf("b", 99), commitOf("a", LEADERS_COMMIT));
                  case "getRaftLog" -> Played.of(RaftLog.class, (_, _) -> nextIndex);
                  default -> throw new AssertionError(method);
                });
    return Played.of(
        RaftServer.class,
        (method, arguments) ->
            switch (method.getName()) {
              case "getDivision" -> division;
              case "getId" -> RaftPeerId.valueOf(self);
              case "startLeaderElection" -> {
                elections.add((StartLeaderElectionRequestProto) arguments[0]);
                yield null;
              }
              default -> throw new AssertionError(method);
            });
  }

  private DivisionInfo info() {
    return Played.of(
        DivisionInfo.class,
        (method, _) ->
            switch (method.getName()) {
              case "getLeaderId" -> leader == null ? null : RaftPeerId.valueOf(leader);
              case "isFollower" -> follows;
              case "getCurrentTerm" -> term;
              default -> throw new AssertionError(method);
            });
  }

  private RaftConfiguration configuration() {
    return Played.of(
        RaftConfiguration.class,
        (method, arguments) ->
            method.getName().equals("getAllPeers")
                ? List.copyOf(voters)
                : peer(String.valueOf(arguments[0])));
  }

  private static CommitInfoProto commitOf(String id, long index) {
    return CommitInfoProto.newBuilder()
        .setServer(RaftPeerProto.newBuilder().setId(RaftPeerId.valueOf(id).toByteString()))
        .setCommitIndex(index)
        .build();
  }

  @Test
  void theFirstCallsAnElectionAtOnceAsTheLeaderWould() throws Exception {
    check("b", Duration.ofDays(1));
    assertThat(asked).containsOnly("a:7410");
    assertThat(elections)
        .singleElement()
        .satisfies(
            request -> {
              assertThat(request.getServerRequest().getRequestorId().toStringUtf8()).isEqualTo("a");
              assertThat(request.getServerRequest().getReplyId().toStringUtf8()).isEqualTo("b");
              assertThat(request.getLeaderLastEntry().getTerm()).isEqualTo(5);
            });
  }

  @Test
  void theSecondCallsOneInItsTurnIfTheFirstHasNot() throws Exception {
    long begin = System.nanoTime();
    check("c", Duration.ofMillis(50));
    assertThat(elections).hasSize(1);
    assertThat(System.nanoTime() - begin)
        .as("what it has waited at least")
        .isGreaterThanOrEqualTo(Duration.ofMillis(50).toNanos());
  }

  /** Else the two take the votes from each other. */
  @Test
  void theSecondCallsNoneIfAnotherOneLeadsMeanwhile() throws Exception {
    meanwhile = () -> leader = "b";
    check("c", Duration.ofMillis(1));
    assertThat(elections).isEmpty();
  }

  @Test
  void theSecondCallsNoneIfThereWasAnElectionMeanwhile() throws Exception {
    meanwhile = () -> term++;
    check("c", Duration.ofMillis(1));
    assertThat(elections).isEmpty();
  }

  /** The leader has been started again. */
  @Test
  void theSecondCallsNoneIfThePortIsOpenAgain() throws Exception {
    meanwhile = () -> refuses = asked.size() == 1;
    check("c", Duration.ofMillis(1));
    assertThat(asked).hasSize(2);
    assertThat(elections).isEmpty();
  }

  @Test
  void aPortThatIsOpenCallsNone() throws Exception {
    refuses = false;
    check("b", Duration.ZERO);
    assertThat(asked).as("it may close a moment later").hasSizeGreaterThan(1);
    assertThat(elections).isEmpty();
  }

  /** It would not be voted for, and the others would wait for it. */
  @Test
  void whoLacksEntriesCallsNone() throws Exception {
    nextIndex = LEADERS_COMMIT;
    check("b", Duration.ZERO);
    assertThat(elections).isEmpty();
  }

  @Test
  void whoLeadsOrKnowsNoLeaderOrHasNoVoteAsksNobody() throws Exception {
    check("d", Duration.ZERO);
    leader = null;
    check("b", Duration.ZERO);
    leader = "b";
    follows = false;
    check("b", Duration.ZERO);
    assertThat(asked).isEmpty();
  }

  /** What ends while it looks may be the leader. */
  @Test
  void anEndWhileItLooksIsLookedInto() throws Exception {
    refuses = false;
    CompletableFuture<Void> second = new CompletableFuture<>();
    LeaderLoss loss =
        new LeaderLoss(
            server("b"),
            GROUP,
            _ -> {
              asked.add("");
              second.join();
              return CompletableFuture.completedFuture(refuses);
            },
            Duration.ZERO,
            REPORTS);
    loss.connectionEnded();
    Await.until("it looks", () -> !asked.isEmpty());
    loss.connectionEnded();
    loss.connectionEnded();
    second.complete(null);
    Await.until("it looks again", () -> asked.size() == 6);
    loss.connectionEnded();
    Await.until("it looks once more", () -> asked.size() == 9);
  }

  /**
   * As when a process ends: nobody hands the lead over. The others wait for silence for minutes.
   */
  @Test
  @Timeout(150)
  void underTlsTooAnotherOneLeadsWithoutWaitingUntilSilenceTells() throws Exception {
    Members options =
        new Members(directory)
            .withTls(new Certificates(directory, "site").sign("member"))
            .withElectionTimeout(Duration.ofMinutes(3));
    try (Opened a = new Opened(RatisMember.found(options.options("a")))) {
      Await.until("the first leads", a.member()::isLeader);
      try (Opened b =
              new Opened(RatisMember.join(options.options("b"), a.member().membership().invite()));
          Opened c =
              new Opened(
                  RatisMember.join(options.options("c"), a.member().membership().invite()))) {
        a.member().membership().add(b.member().membership().self(), Members.TIMEOUT);
        a.member().membership().add(c.member().membership().self(), Members.TIMEOUT);
        Await.until("both know of all", () -> b.knowsOfAll() && c.knowsOfAll());
        a.member().mustStop("a test");
        Await.until("one of the two leads", () -> b.member().isLeader() || c.member().isLeader());
      }
    }
  }

  private record Opened(RatisMember member) implements AutoCloseable {
    boolean knowsOfAll() {
      return member.membership().members().size() == 3;
    }

    @Override
    public void close() {
      member.close();
    }
  }
}
