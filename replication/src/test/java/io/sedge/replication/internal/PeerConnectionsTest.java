package io.sedge.replication.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.replication.testkit.Await;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexReplyProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.server.protocol.RaftServerAsynchronousProtocol;
import org.junit.jupiter.api.Test;

final class PeerConnectionsTest {
  private static final RaftPeerId B = RaftPeerId.valueOf("b");
  private static final RaftPeerId C = RaftPeerId.valueOf("c");
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final Map<RaftPeerId, CompletableFuture<ReadIndexReplyProto>> open = new HashMap<>();
  private final List<RaftPeerId> asked = new ArrayList<>();
  private final List<RaftPeerId> renewed = new CopyOnWriteArrayList<>();
  private final PeerConnections connections =
      new PeerConnections(
          rpc(),
          RaftGroupMemberId.valueOf(RaftPeerId.valueOf("a"), RaftGroupId.valueOf(new UUID(1, 2))));
  private final long begin = System.nanoTime();

  /** Answers nothing by itself, and takes note of what is asked and made anew. */
  private RaftServerRpc rpc() {
    RaftServerAsynchronousProtocol async =
        new RaftServerAsynchronousProtocol() {
          @Override
          public CompletableFuture<AppendEntriesReplyProto> appendEntriesAsync(
              AppendEntriesRequestProto request) throws IOException {
            throw new IOException("a follower has nothing to append");
          }

          @Override
          public CompletableFuture<ReadIndexReplyProto> readIndexAsync(
              ReadIndexRequestProto request) {
            RaftPeerId other = RaftPeerId.valueOf(request.getServerRequest().getReplyId());
            asked.add(other);
            CompletableFuture<ReadIndexReplyProto> reply = new CompletableFuture<>();
            open.put(other, reply);
            return reply;
          }
        };
    return (RaftServerRpc)
        Proxy.newProxyInstance(
            RaftServerRpc.class.getClassLoader(),
            new Class<?>[] {RaftServerRpc.class},
            (_, method, arguments) -> {
              if (method.getName().equals("async")) {
                return async;
              }
              assertThat(method.getName()).isEqualTo("handleException");
              renewed.add((RaftPeerId) arguments[0]);
              return null;
            });
  }

  private void answer(RaftPeerId other) {
    open.get(other).complete(ReadIndexReplyProto.getDefaultInstance());
  }

  @Test
  void eachIsAskedAtOnceAndThenNowAndThen() {
    connections.keepOpen(List.of(B, C), begin);
    assertThat(asked).containsExactlyInAnyOrder(B, C);
    answer(B);
    answer(C);
    connections.keepOpen(List.of(B, C), begin + SECOND);
    assertThat(asked).as("not each time that it is looked").hasSize(2);
    connections.keepOpen(List.of(B, C), begin + 6 * SECOND);
    assertThat(asked).hasSize(4);
    assertThat(renewed).isEmpty();
  }

  /** It may be asked for its vote at once. */
  @Test
  void whoHasComeIsAskedAtOnce() {
    connections.keepOpen(List.of(), begin);
    connections.keepOpen(List.of(B), begin + SECOND);
    assertThat(asked).containsExactly(B);
    answer(B);
    connections.keepOpen(List.of(B, C), begin + 2 * SECOND);
    assertThat(asked).contains(C);
  }

  @Test
  void nobodyIsAskedTwiceAtATime() {
    connections.keepOpen(List.of(B, C), begin);
    answer(C);
    connections.keepOpen(List.of(B, C), begin + 6 * SECOND);
    assertThat(asked).filteredOn(B::equals).hasSize(1);
    assertThat(asked).filteredOn(C::equals).hasSize(2);
  }

  @Test
  void aConnectionWithoutAnswerIsMadeAnewAndAskedAgain() throws Exception {
    AtomicLong now = new AtomicLong(begin);
    connections.keepOpen(List.of(B), begin);
    open.get(B).completeExceptionally(new IOException("deadline"));
    Await.until(
        "it is asked again",
        () -> {
          connections.keepOpen(List.of(B), now.addAndGet(6 * SECOND));
          return asked.size() == 2;
        });
    assertThat(renewed).containsExactly(B);
  }
}
