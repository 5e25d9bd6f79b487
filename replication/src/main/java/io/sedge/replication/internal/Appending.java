package io.sedge.replication.internal;

import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.grpc.server.GrpcLogAppender;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.server.raftlog.RaftLogIOException;
import org.apache.ratis.util.Timestamp;

/**
 * Ratis's gRPC, but for what makes a new leader slow (Ratis 3.3.0), its first message to each
 * member and how it waits for one that has died, and for when members hear that an entry is
 * committed. Ratis makes it by its name.
 */
final class Appending implements RpcType {
  @Override
  public String name() {
    return Appending.class.getName();
  }

  @Override
  public GrpcFactory newFactory(Parameters parameters) {
    return new GrpcFactory(parameters) {
      @Override
      public LogAppender newLogAppender(
          RaftServer.Division server, LeaderState state, FollowerInfo follower) {
        return new Appender(server, state, follower);
      }
    };
  }

  /** Sends a leader's log to one member. */
  private static final class Appender extends GrpcLogAppender {
    /** An entry that follows within this part of the shortest election timeout says it as well. */
    private static final int NOTICE_DIVISOR = 18;

    /** So much later than the leader's first entry is its first heartbeat. */
    private static final int FIRST_DIVISOR = 4;

    private final Timestamp begin = Timestamp.currentTime();

    /** How far the log is committed, as the member was told; of the appender's thread. */
    private long toldCommit = getRaftLog().getLastCommittedIndex();

    /** Whether a heartbeat was sent; of the appender's thread. */
    private boolean isBeating;

    Appender(RaftServer.Division server, LeaderState state, FollowerInfo follower) {
      super(server, state, follower);
    }

    /**
     * Heartbeats have a connection of their own, so that they do not wait behind entries. It is
     * made with the first heartbeat, which Ratis sends before all else, and the entry with which
     * the leader's term begins would wait for a TLS handshake with every member at once. So that
     * entry goes first, over the connection by which the member was asked for its vote, and tells
     * the member who leads as well; heartbeats begin when one is due after it.
     */
    @Override
    public long getHeartbeatWaitTimeMs() {
      long wait = super.getHeartbeatWaitTimeMs();
      long interval = electionMillis() / 2;
      long silence = getFollower().getLastRpcSendTime().elapsedTimeMs();
      if (hasAppendEntries() || silence < interval) {
        wait = Math.max(wait, electionMillis() / FIRST_DIVISOR - begin.elapsedTimeMs());
      }
      long notice = electionMillis() / NOTICE_DIVISOR - silence;
      return isCommitUntold() ? Math.min(wait, notice) : wait;
    }

    private long electionMillis() {
      return getServer().properties().minRpcTimeoutMs();
    }

    /**
     * Whether it takes another message until the member knows that all it has is committed. Ratis
     * is woken up for that, and then sends nothing before the next entry or heartbeat: until then a
     * device does not see the tasks that it was given. A member that has not answered yet would
     * make nothing of it. It goes where heartbeats go, so not before the first of them, or soon
     * after it was due.
     */
    private boolean isCommitUntold() {
      boolean mayBeat = isBeating || begin.elapsedTimeMs() > electionMillis() / 2;
      return mayBeat
          && getRaftLog().getLastCommittedIndex() > toldCommit
          && !hasAppendEntries()
          && !hasPendingDataRequests();
    }

    @Override
    public AppendEntriesRequestProto newAppendEntriesRequest(long callId, boolean heartbeat)
        throws RaftLogIOException {
      AppendEntriesRequestProto request = super.newAppendEntriesRequest(callId, heartbeat);
      if (request != null) {
        isBeating |= request.getEntriesCount() == 0;
        // Without the entry before, the member does not know of which it is told.
        toldCommit = request.hasPreviousLog() ? request.getLeaderCommit() : toldCommit;
      }
      return request;
    }

    /**
     * That there is no stream to the member is no reason: it is made with what is to be sent. Ratis
     * takes it for one (RATIS-1831), and while a member that has died has all that there is, its
     * appender turns round without a pause until the next heartbeat, ten thousands of times; the
     * virtual machine compiles all of that just when the new leader needs the processors.
     */
    @Override
    public boolean shouldSendAppendEntries() {
      return hasAppendEntries() || getHeartbeatWaitTimeMs() <= 0;
    }
  }
}
