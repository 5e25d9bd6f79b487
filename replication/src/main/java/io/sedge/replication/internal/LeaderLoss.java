package io.sedge.replication.internal;

import io.sedge.replication.LedgerListener.Severity;
import io.sedge.replication.PortCheck;
import io.sedge.replication.internal.Reports.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.proto.RaftProtos.CommitInfoProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.ProtoUtils;
import org.jspecify.annotations.Nullable;

/**
 * Has another member lead as soon as the leader's process has ended, long before its silence would
 * tell: its system closes its connections, and refuses new ones. A leader that is only slow, is
 * stopped, or has lost its power or its network, does neither, and is waited for as Raft does.
 *
 * <p>The voters that are left take turns, in the order of their ids, as elections that begin
 * together take the votes from each other. Raft stays safe whoever calls an election and when; it
 * is called as by the leader itself when it hands its lead over. An election that is lost costs the
 * others their patience once more, so a voter that is known to lack entries calls none, nor one
 * whose leader's port is open again. Where a firewall lets nobody connect to the leader any more,
 * this member could not commit either, and it is elected as well. Any thread.
 */
final class LeaderLoss {
  /** The port of a process that has ended may still be open for a moment. */
  private static final int CHECKS = 3;

  private static final Duration PAUSE = Duration.ofMillis(20);

  private final RaftServer server;
  private final RaftGroupId group;
  private final PortCheck ports;
  private final Duration turn;
  private final Reports reports;

  /** Connections that have ended and were not looked into yet. */
  private final AtomicInteger ends = new AtomicInteger();

  /**
   * @param turn in this time an election is decided as a rule
   */
  LeaderLoss(
      RaftServer server, RaftGroupId group, PortCheck ports, Duration turn, Reports reports) {
    this.server = server;
    this.group = group;
    this.ports = ports;
    this.turn = turn;
    this.reports = reports;
  }

  /** Whom this voter follows, in which term, and how many others call an election before it. */
  private record Lead(RaftPeer leader, long term, int turn) {}

  /** A connection that some member had made to this one has ended; returns at once. */
  void connectionEnded() {
    if (ends.getAndIncrement() == 0) {
      Thread.ofVirtual().name("sedge-ledger-leader-loss").start(this::checkAll);
    }
  }

  private void checkAll() {
    int seen = ends.get();
    while (seen > 0) {
      try {
        check();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        seen = ends.addAndGet(-seen);
      }
    }
  }

  /** Calls an election if the leader's process has ended, when it is this member's turn. */
  void check() throws InterruptedException {
    try {
      Lead lead = lead();
      if (lead != null && hasEnded(lead.leader(), CHECKS)) {
        Thread.sleep(turn.multipliedBy(lead.turn()));
        if (lead.equals(lead()) && hasEnded(lead.leader(), 1)) {
          elect(lead);
        }
      }
    } catch (IOException e) {
      // The server is being closed, or follows no more.
    } catch (RuntimeException e) {
      if (server.getLifeCycleState().isClosingOrClosed()) {
        return; // It says so in several ways.
      }
      reports.seldom(Kind.FAILURE, Severity.WARNING, "no election could be called: " + e);
    }
  }

  private boolean hasEnded(RaftPeer leader, int checks) throws InterruptedException {
    for (int i = 0; i < checks; i++) {
      if (i > 0) {
        Thread.sleep(PAUSE);
      }
      if (ports.refuses(leader.getAddress()).join()) {
        return true;
      }
    }
    return false;
  }

  /** Null if this member follows nobody, has no vote, or has less than the leader has committed. */
  private @Nullable Lead lead() throws IOException {
    RaftServer.Division division = server.getDivision(group);
    DivisionInfo info = division.getInfo();
    RaftPeerId id = info.getLeaderId();
    RaftPeer leader = id == null ? null : division.getRaftConf().getPeer(id);
    List<String> others =
        division.getRaftConf().getAllPeers(RaftPeerRole.FOLLOWER).stream()
            .map(RaftPeer::getId)
            .filter(peer -> !peer.equals(id))
            .map(RaftPeerId::toString)
            .sorted()
            .toList();
    int before = others.indexOf(server.getId().toString());
    return leader == null || before < 0 || !info.isFollower() || lacksEntries(division, leader)
        ? null
        : new Lead(leader, info.getCurrentTerm(), before);
  }

  private static boolean lacksEntries(RaftServer.Division division, RaftPeer leader) {
    long committed =
        division.getCommitInfos().stream()
            .filter(each -> each.getServer().getId().equals(leader.getId().toByteString()))
            .mapToLong(CommitInfoProto::getCommitIndex)
            .max()
            .orElse(0);
    return division.getRaftLog().getNextIndex() <= committed;
  }

  /** Refused, so left to the leader's silence, where the log has nothing of the present term. */
  private void elect(Lead lead) throws IOException {
    var _ =
        server.startLeaderElection(
            StartLeaderElectionRequestProto.newBuilder()
                .setServerRequest(
                    RaftRpcRequestProto.newBuilder()
                        .setRequestorId(lead.leader().getId().toByteString())
                        .setReplyId(server.getId().toByteString())
                        .setRaftGroupId(ProtoUtils.toRaftGroupIdProtoBuilder(group)))
                .setLeaderLastEntry(TermIndexProto.newBuilder().setTerm(lead.term()))
                .build());
  }
}
