package io.sedge.replication.internal;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.util.ProtoUtils;

/**
 * Keeps the connections to the other voters open while this member follows. Followers have nothing
 * to say to each other until their leader is gone; then they ask each other for votes, within an
 * election timeout, and a connection that is made only then costs a TLS handshake of two processes
 * that may never have made one. Worse are connections that somebody else has cut meanwhile, without
 * a word: what is sent over them is waited for in vain.
 *
 * <p>What is asked is Raft's read index, which a member that does not lead answers at once, from
 * nothing. A connection over which no answer came is made anew when it is its turn again, if this
 * member still follows then: a leader has use for it. Of one thread at a time.
 */
final class PeerConnections {
  private static final long INTERVAL_NANOS = Duration.ofSeconds(5).toNanos();

  private final RaftServerRpc rpc;
  private final RaftGroupMemberId self;
  private final Set<RaftPeerId> asked = ConcurrentHashMap.newKeySet();
  private final Set<RaftPeerId> silent = ConcurrentHashMap.newKeySet();
  private Set<RaftPeerId> known = Set.of();
  private long lastNanos = System.nanoTime() - INTERVAL_NANOS;

  /**
   * @param rpc of this member's server, whose connections they are
   */
  PeerConnections(RaftServerRpc rpc, RaftGroupMemberId self) {
    this.rpc = rpc;
    this.self = self;
  }

  /**
   * Asks each of them, unless that was done lately: who has come is asked at once.
   *
   * @param others the other voters that do not lead
   * @param nowNanos a monotonic clock
   */
  void keepOpen(Collection<RaftPeerId> others, long nowNanos) {
    if (known.containsAll(others) && nowNanos - lastNanos < INTERVAL_NANOS) {
      return;
    }
    known = Set.copyOf(others);
    lastNanos = nowNanos;
    silent.retainAll(others); // A leader is not asked, and whoever has left has no connection.
    for (RaftPeerId other : others) {
      if (asked.add(other)) {
        if (silent.remove(other)) {
          renew(other);
        } else {
          ask(other);
        }
      }
    }
  }

  private void ask(RaftPeerId other) {
    ReadIndexRequestProto request =
        ReadIndexRequestProto.newBuilder()
            .setServerRequest(
                RaftRpcRequestProto.newBuilder()
                    .setRequestorId(self.getPeerId().toByteString())
                    .setReplyId(other.toByteString())
                    .setRaftGroupId(ProtoUtils.toRaftGroupIdProtoBuilder(self.getGroupId())))
            .build();
    try {
      var _ =
          rpc.async()
              .readIndexAsync(request)
              .whenComplete(
                  (_, failure) -> {
                    if (failure != null) {
                      silent.add(other);
                    }
                    asked.remove(other);
                  });
    } catch (IOException | RuntimeException e) {
      asked.remove(other); // The server is being closed, or does not know the member any more.
    }
  }

  /** In a thread of its own, as closing the old connection may take seconds. */
  private void renew(RaftPeerId other) {
    Thread.ofVirtual()
        .name("sedge-ledger-renew")
        .start(
            () -> {
              try {
                rpc.handleException(other, new IOException("no answer"), true);
                ask(other);
              } catch (RuntimeException e) {
                asked.remove(other); // The server is being closed.
              }
            });
  }
}
