package io.sedge.connector.mqtt.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.mqtt.internal.Backlog.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BacklogTest {
  private final Backlog backlog = new Backlog();
  private final List<Change> changes = new ArrayList<>();

  private void poll(double atSeconds, double waitedSeconds) {
    Duration waited = Duration.ofNanos((long) (waitedSeconds * 1e9));
    backlog.polled((long) (atSeconds * 1e9), waited).ifPresent(changes::add);
  }

  @Test
  void aBurstIsNotABacklog() {
    for (int i = 0; i < 100; i++) {
      poll(i, i % 3);
    }
    assertThat(changes).isEmpty();
  }

  @Test
  void messagesThatWaitLongAreABacklogUntilNoneHasWaitedForAWhile() {
    poll(9.99, 4);
    poll(10, 3);
    assertThat(changes).containsExactly(Change.BEHIND);
    poll(10.01, 0);
    poll(11, 0);
    poll(12, 1);
    poll(14, 0);
    poll(16.9, 0);
    assertThat(changes).hasSize(1);
    poll(17.1, 0);
    poll(30, 0);
    assertThat(changes).containsExactly(Change.BEHIND, Change.CAUGHT_UP);
  }

  /** A machine that stood still has not kept a message waiting that came when it went on. */
  @Test
  void aPauseOfTheTaskIsNoBacklog() {
    for (double at = 0; at < 100; at += 20) {
      poll(at + 10, 10);
      for (double after = 0.1; after < 10; after += 0.1) {
        poll(at + 10 + after, 0);
      }
    }
    assertThat(changes).isEmpty();
  }

  /** The window of what may be unacknowledged makes them come in bursts. */
  @Test
  void aJobThatTakesBurstsFromCommitToCommitHasNotCaughtUp() {
    for (int i = 0; i < 100; i++) {
      poll(16 * i, i == 0 ? 0 : 15.9);
      poll(16 * i + 0.05, 0);
      poll(16 * i + 0.1, 0);
    }
    assertThat(changes).isNotEmpty().containsOnly(Change.BEHIND);
  }

  @Test
  void aLongBacklogIsSaidFewTimes() {
    for (int i = 0; i < 24 * 3600; i++) {
      poll(i, 5);
    }
    assertThat(changes).hasSizeBetween(24, 32);
  }
}
