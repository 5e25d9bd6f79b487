package io.sedge.task.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.SourceCounters;
import io.sedge.engine.column.Batch;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SourceInputTest {
  private static final long SECOND = 1_000_000_000;
  private static final long TIMEOUT = 5 * SECOND;

  /** Has nothing to give. */
  private static class Silent extends NumberReader {
    Silent() {
      super(1);
    }

    @Override
    public @Nullable Batch poll(long nowNanos) {
      return null;
    }

    @Override
    public SourceCounters counters() {
      return new SourceCounters(0, 0, 0, 0);
    }
  }

  private final SourceInput input =
      new SourceInput("readings", new Silent(), Optional.of(Duration.ofNanos(TIMEOUT)));

  /** Whether it is idle in the end, when it is polled ten times a second. */
  private boolean isIdleAfter(long fromNanos, long untilNanos) {
    boolean idle = false;
    for (long now = fromNanos; now <= untilNanos; now += SECOND / 10) {
      input.poll(now);
      idle = input.becomesIdle(now);
    }
    return idle;
  }

  @Test
  void aTableIsIdleOnceNothingHasComeForItsTimeout() {
    assertThat(isIdleAfter(0, TIMEOUT - SECOND / 10)).isFalse();
    assertThat(isIdleAfter(TIMEOUT, TIMEOUT)).isTrue();
  }

  /** A process that was stopped finds what came meanwhile only when it has polled for a while. */
  @Test
  void aPauseOfTheProcessIsNoSilence() {
    assertThat(isIdleAfter(0, SECOND)).isFalse();
    long after = SECOND + 100 * TIMEOUT;
    assertThat(isIdleAfter(after, after)).isFalse();
    assertThat(isIdleAfter(after, after + 3 * SECOND - SECOND / 10)).isFalse();
    assertThat(isIdleAfter(after + 3 * SECOND, after + 3 * SECOND)).isTrue();
  }

  /** However long it could be left alone otherwise. */
  @Test
  void whoWaitsForItsTimeoutIsNotLate() {
    long now = 0;
    input.poll(now);
    while (!input.becomesIdle(now)) {
      now += input.untilIdle(now, 2 * SECOND);
      input.poll(now);
    }
    assertThat(now).isEqualTo(TIMEOUT);
    input.transitionToIdle();
    assertThat(input.untilIdle(now, 2 * SECOND)).as("nothing is waited for").isEqualTo(2 * SECOND);
  }

  /** Else the next reader would begin elsewhere, and what came between them would be lost. */
  @Test
  void whereReadingBeginsIsCommittedThoughNothingWasRead() {
    boolean[] found = new boolean[1];
    SourceInput begins =
        new SourceInput(
            "readings",
            new Silent() {
              @Override
              public boolean hasNewPosition() {
                return found[0];
              }

              @Override
              public byte[] position() {
                found[0] = false;
                return super.position();
              }
            },
            Optional.empty());
    assertThat(begins.hasMoved()).isFalse();
    found[0] = true;
    assertThat(begins.hasMoved()).isTrue();
    var _ = begins.commit();
    assertThat(begins.hasMoved()).isFalse();
  }
}
