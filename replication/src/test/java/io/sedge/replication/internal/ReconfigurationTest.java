package io.sedge.replication.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sedge.replication.LedgerException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.ratis.protocol.RaftPeer;
import org.junit.jupiter.api.Test;

class ReconfigurationTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final List<Roles> attempts = new ArrayList<>();

  /** What comes of each attempt: an empty one is carried out, else it fails for that. */
  private final Queue<String> failures = new ArrayDeque<>();

  /** What this member knows after each pause; the last one stays. */
  private final Queue<Optional<Roles>> views = new ArrayDeque<>();

  private long nanos;
  private boolean ended;

  private final Reconfiguration.Group group =
      new Reconfiguration.Group() {
        @Override
        public Optional<Roles> roles() {
          return views.size() > 1 ? views.remove() : views.element();
        }

        @Override
        public void set(Roles from, Roles to, String what, Duration timeout)
            throws LedgerException {
          assertThat(timeout).isPositive();
          attempts.add(to);
          String failure = failures.isEmpty() ? "" : failures.remove();
          if (!failure.isEmpty()) {
            throw new LedgerException(what + ": " + failure);
          }
        }

        @Override
        public boolean pause(Duration time) {
          nanos += time.toNanos();
          return !ended;
        }
      };

  private static RaftPeer peer(String id) {
    return RaftPeer.newBuilder().setId(id).setAddress(id + ":1").build();
  }

  private static Set<RaftPeer> peers(String ids) {
    return Stream.of(ids.split(""))
        .filter(id -> !id.isEmpty())
        .map(id -> peer(id))
        .collect(Collectors.toSet());
  }

  private static Roles roles(String voters, String followers) {
    return new Roles(peers(voters), peers(followers));
  }

  private Roles add(String id, boolean votes) throws LedgerException {
    return new Reconfiguration(group, TIMEOUT, () -> nanos)
        .carryOut(
            "adding " + id, now -> now.peer(id).isPresent() ? now : now.with(peer(id), votes));
  }

  @Test
  void allWhoBelongAreNamed() throws Exception {
    views.add(Optional.of(roles("abcde", "f")));
    assertThat(add("g", false)).isEqualTo(roles("abcde", "fg"));
    assertThat(attempts).containsExactly(roles("abcde", "fg"));
  }

  @Test
  void anAttemptThatWasOvertakenIsMadeAgainFromWhatIsKnownThen() throws Exception {
    views.add(Optional.of(roles("ab", "")));
    views.add(Optional.of(roles("ab", "")));
    views.add(Optional.empty());
    views.add(Optional.of(roles("abc", "")));
    failures.addAll(List.of("it is not as said", "it is not as said"));
    assertThat(add("d", true)).isEqualTo(roles("abcd", ""));
    assertThat(attempts).containsExactly(roles("abd", ""), roles("abd", ""), roles("abcd", ""));
  }

  @Test
  void anAttemptWhoseAnswerWasLostIsNotMadeAgain() throws Exception {
    views.add(Optional.of(roles("ab", "")));
    views.add(Optional.of(roles("abc", "")));
    failures.add("timeout");
    assertThat(add("c", true)).isEqualTo(roles("abc", ""));
    assertThat(attempts).hasSize(1);
  }

  @Test
  void whatIsNotDoneInTimeFailsWithTheLastReason() {
    views.add(Optional.of(roles("ab", "")));
    for (int i = 0; i < 1_000; i++) {
      failures.add("no majority " + i);
    }
    assertThatExceptionOfType(LedgerException.class)
        .isThrownBy(() -> add("c", true))
        .withMessage("adding c: no majority 99");
    assertThat(attempts).hasSize((int) (TIMEOUT.toNanos() / Reconfiguration.PAUSE.toNanos()));
  }

  @Test
  void aMemberThatEndsMeanwhileWaitsNoLonger() {
    views.add(Optional.empty());
    ended = true;
    assertThatExceptionOfType(LedgerException.class)
        .isThrownBy(() -> add("c", true))
        .withMessage("adding c: who belongs is being changed by another");
    assertThat(nanos).isEqualTo(Reconfiguration.PAUSE.toNanos());
  }

  @Test
  void oneFollowerVotesWhereThereAreTooFew() {
    assertThat(roles("abcd", "fe").filled(5)).isEqualTo(roles("abcde", "f"));
    assertThat(roles("abcde", "f").filled(5)).isEqualTo(roles("abcde", "f"));
    assertThat(roles("ab", "").filled(5)).isEqualTo(roles("ab", ""));
    assertThat(roles("ab", "c").without("c")).isEqualTo(roles("ab", ""));
  }
}
