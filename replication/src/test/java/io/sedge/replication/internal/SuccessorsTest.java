package io.sedge.replication.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.junit.jupiter.api.Test;

final class SuccessorsTest {
  private static RaftPeer voter(String id) {
    return RaftPeer.newBuilder().setId(id).setAddress("127.0.0.1:1").build();
  }

  @Test
  void whoLacksLeastIsFirstAndThoseThatLackAsMuchTakeTurns() {
    List<RaftPeer> voters = List.of(voter("b"), voter("c"), voter("d"), voter("e"));
    Map<RaftPeerId, Long> committed =
        Map.of(
            RaftPeerId.valueOf("a"), 1_000L, // Who leads.
            RaftPeerId.valueOf("b"), 995L,
            RaftPeerId.valueOf("c"), 700L,
            RaftPeerId.valueOf("d"), 995L); // Of e nothing is known.
    Set<String> first = new HashSet<>();
    for (int turn = 0; turn < 4; turn++) {
      List<String> order =
          LocalServer.inTurn(voters, committed, turn).stream()
              .map(peer -> peer.getId().toString())
              .toList();
      assertThat(order.subList(0, 2)).containsExactlyInAnyOrder("b", "d");
      assertThat(order.subList(2, 4)).containsExactly("c", "e");
      first.add(order.getFirst());
    }
    assertThat(first).containsExactlyInAnyOrder("b", "d");
  }

  @Test
  void aLeaderWithoutOthersHasNone() {
    assertThat(LocalServer.inTurn(List.of(), Map.of(), 3)).isEmpty();
  }
}
