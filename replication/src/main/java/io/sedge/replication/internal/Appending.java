package io.sedge.replication.internal;

import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.grpc.server.GrpcLogAppender;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.util.Timestamp;

/**
 * Ratis's gRPC, but for what makes a new leader slow (Ratis 3.3.0): its first message to each
 * member, and how it waits for one that has died. Ratis makes it by its name.
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
    private final Timestamp begin = Timestamp.currentTime();

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
      long interval = getServer().properties().minRpcTimeoutMs() / 2;
      boolean spoken =
          hasAppendEntries() || getFollower().getLastRpcSendTime().elapsedTimeMs() < interval;
      return spoken ? Math.max(wait, interval - begin.elapsedTimeMs()) : wait;
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
