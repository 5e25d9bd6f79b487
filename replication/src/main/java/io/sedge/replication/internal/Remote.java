package io.sedge.replication.internal;

import io.sedge.replication.MemberOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.retry.RetryPolicy;
import org.apache.ratis.util.TimeDuration;
import org.jspecify.annotations.Nullable;

/**
 * Reaches the leader over the network. The connection is made anew after a failure, with the
 * members known then. Of one thread at a time, but for {@link #close}.
 */
final class Remote implements AutoCloseable {
  private static final int PAUSE_MILLIS = 100;
  private static final Duration A_SECOND = Duration.ofSeconds(1);

  private final RaftGroupId group;
  private final Parameters security;
  private volatile @Nullable RaftClient client;

  Remote(RaftGroupId group, MemberOptions options) {
    this.group = group;
    this.security = Settings.security(options);
  }

  /** Something that is asked of the leader. */
  interface Call {
    RaftClientReply on(RaftClient client) throws IOException;
  }

  /** Sends a command to the leader, asking some times for about a second. */
  RaftClientReply send(Message message, Collection<RaftPeer> voters, @Nullable RaftPeerId leader)
      throws IOException {
    RaftClient open = client;
    if (open == null) {
      open = build(Settings.client(), voters, leader, A_SECOND);
      client = open;
    }
    try {
      RaftClientReply reply = open.io().send(message);
      if (!reply.isSuccess()) {
        close();
      }
      return reply;
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Asks the leader over a connection of its own, again and again until the time is over: a leader
   * that has just been elected, or is about another change, refuses.
   */
  RaftClientReply ask(Call call, Collection<RaftPeer> voters, Duration timeout) throws IOException {
    RaftProperties properties = Settings.client();
    RaftClientConfigKeys.Rpc.setRequestTimeout(properties, Settings.time(timeout));
    try (RaftClient asking = build(properties, voters, null, timeout)) {
      return call.on(asking);
    }
  }

  private RaftClient build(
      RaftProperties properties,
      Collection<RaftPeer> voters,
      @Nullable RaftPeerId leader,
      Duration patience) {
    RetryPolicy retry =
        RetryPolicies.retryUpToMaximumCountWithFixedSleep(
            (int) Math.max(1, patience.toMillis() / PAUSE_MILLIS),
            TimeDuration.valueOf(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
    return RaftClient.newBuilder()
        .setProperties(properties)
        .setParameters(security)
        .setRaftGroup(RaftGroup.valueOf(group, voters))
        .setLeaderId(leader)
        .setRetryPolicy(retry)
        .build();
  }

  @Override
  public void close() throws IOException {
    RaftClient open = client;
    client = null;
    if (open != null) {
      open.close();
    }
  }
}
