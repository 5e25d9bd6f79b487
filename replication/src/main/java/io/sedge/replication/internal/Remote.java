package io.sedge.replication.internal;

import io.sedge.replication.MemberOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.AlreadyClosedException;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.retry.RetryPolicy;
import org.apache.ratis.util.TimeDuration;
import org.jspecify.annotations.Nullable;

/**
 * Reaches the leader over the network. The connection is made anew after a failure, with the
 * members known then. Of one thread at a time, but for {@link #ask}.
 */
final class Remote implements AutoCloseable {
  private static final TimeDuration PAUSE = TimeDuration.valueOf(100, TimeUnit.MILLISECONDS);

  /** After so long without an answer a change of who belongs is asked for again. */
  private static final Duration LONGEST_ATTEMPT = Duration.ofSeconds(5);

  /** How often it is looked whether the one who is asked is still to be asked. */
  private static final int LOOK_MILLIS = 20;

  private final RaftGroupId group;
  private final Parameters security;
  private @Nullable RaftClient client;
  private @Nullable RaftPeerId asked;
  private long calls;

  Remote(RaftGroupId group, MemberOptions options) {
    this.group = group;
    this.security = Settings.security(options);
  }

  /** Something that is asked of the leader. */
  interface Call {
    RaftClientReply on(RaftClient client) throws IOException;
  }

  /**
   * Asks something of a member, once. It is given up when it is wanted no more, as another leads: a
   * leader whose machine has lost its power or its network says nothing, and the next one would be
   * asked only after a timeout.
   *
   * @param wanted whether the answer is still to be waited for
   */
  RaftClientReply send(
      Message what,
      RaftClientRequest.Type type,
      Collection<RaftPeer> voters,
      RaftPeerId member,
      BooleanSupplier wanted)
      throws IOException, InterruptedException {
    RaftClient open = client;
    boolean kept = open != null && member.equals(asked);
    if (open == null || !kept) {
      close();
      open = build(Settings.client(), voters, member, RetryPolicies.noRetry());
      client = open;
      asked = member;
    }
    try {
      return await(
          open.getClientRpc().sendRequestAsyncUnordered(request(open, what, type, member)),
          member,
          wanted);
    } catch (AlreadyClosedException e) {
      close();
      if (kept) { // Between two commits, as a rule; members know those that come twice.
        return send(what, type, voters, member, wanted);
      }
      throw e;
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Past the client's own queue, which would repeat it and number it once more. */
  private RaftClientRequest request(
      RaftClient open, Message what, RaftClientRequest.Type type, RaftPeerId member) {
    return RaftClientRequest.newBuilder()
        .setClientId(open.getId())
        .setServerId(member)
        .setGroupId(group)
        .setCallId(++calls)
        .setRepliedCallIds(List.of(calls - 1))
        .setMessage(what)
        .setType(type)
        .build();
  }

  private static RaftClientReply await(
      Future<RaftClientReply> call, RaftPeerId member, BooleanSupplier wanted)
      throws IOException, InterruptedException {
    while (true) {
      try {
        return call.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        if (!wanted.getAsBoolean()) {
          throw new IOException("member %s does not lead any more".formatted(member), e);
        }
      } catch (ExecutionException e) {
        throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
      }
    }
  }

  /**
   * Asks the leader over a connection of its own, again and again until the time is over: a leader
   * that has just been elected, or is about another change, refuses.
   */
  RaftClientReply ask(
      Call call, Collection<RaftPeer> voters, @Nullable RaftPeerId leader, Duration timeout)
      throws IOException {
    RaftProperties properties = Settings.client();
    Duration half = timeout.dividedBy(2);
    Duration attempt = half.compareTo(LONGEST_ATTEMPT) < 0 ? half : LONGEST_ATTEMPT;
    RaftClientConfigKeys.Rpc.setRequestTimeout(properties, Settings.time(attempt));
    long begin = System.nanoTime();
    RetryPolicy retry =
        _ ->
            System.nanoTime() - begin < timeout.toNanos()
                ? () -> PAUSE
                : RetryPolicy.NO_RETRY_ACTION;
    try (RaftClient asking = build(properties, voters, leader, retry)) {
      return call.on(asking);
    }
  }

  private RaftClient build(
      RaftProperties properties,
      Collection<RaftPeer> voters,
      @Nullable RaftPeerId leader,
      RetryPolicy retry) {
    return RaftClient.newBuilder()
        .setProperties(properties)
        .setParameters(security)
        .setRaftGroup(RaftGroup.valueOf(group, voters))
        .setLeaderId(leader)
        .setRetryPolicy(retry)
        .build();
  }

  /** Lets go of the connection; what ends it may take seconds, and nobody waits for that. */
  @Override
  public void close() {
    RaftClient open = client;
    client = null;
    if (open != null) {
      Thread.ofVirtual().name("sedge-ledger-close").start(() -> closeQuietly(open));
    }
  }

  private static void closeQuietly(RaftClient client) {
    try {
      client.close();
    } catch (IOException | RuntimeException ignored) {
      // It is being given up; what was wrong with it was told when it failed.
    }
  }
}
