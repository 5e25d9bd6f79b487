package io.sedge.replication.internal;

import java.util.Comparator;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.ratis.protocol.RaftPeer;

/** Who votes and who follows; peers are told apart by their ids. */
record Roles(Set<RaftPeer> voters, Set<RaftPeer> followers) {
  /** The one with an id, whatever its role. */
  Optional<RaftPeer> peer(String id) {
    return Stream.concat(voters.stream(), followers.stream())
        .filter(peer -> peer.getId().toString().equals(id))
        .findFirst();
  }

  /** These and another one. */
  Roles with(RaftPeer peer, boolean votes) {
    return votes
        ? new Roles(and(voters, peer), followers)
        : new Roles(voters, and(followers, peer));
  }

  /** All but one. */
  Roles without(String id) {
    return new Roles(not(voters, id), not(followers, id));
  }

  /** With a follower that votes now, if fewer than so many do. */
  Roles filled(int count) {
    Optional<RaftPeer> next =
        voters.size() < count
            ? followers.stream().min(Comparator.comparing(peer -> peer.getId().toString()))
            : Optional.empty();
    return next.map(peer -> without(peer.getId().toString()).with(peer, true)).orElse(this);
  }

  private static Set<RaftPeer> and(Set<RaftPeer> peers, RaftPeer peer) {
    Set<RaftPeer> more = new HashSet<>(peers);
    more.add(peer);
    return more;
  }

  private static Set<RaftPeer> not(Set<RaftPeer> peers, String id) {
    return peers.stream()
        .filter(peer -> !peer.getId().toString().equals(id))
        .collect(Collectors.toSet());
  }
}
