package io.sedge.site.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Each entry of the ledger is a write and a flush on every device, whoever's commits are in it. */
final class CommitBeatTest {
  private static final long MILLI = 1_000_000;
  private static final long INTERVAL = 2_000 * MILLI;

  /** A monotonic clock that knows nothing of the time of day. */
  private long now = 77_000_000_123L;

  private long wallMillis = 1_770_000_000_500L;
  private final CommitBeat beat = new CommitBeat(INTERVAL, () -> Instant.ofEpochMilli(wallMillis));

  private void pass(long millis) {
    now += millis * MILLI;
    wallMillis += millis;
  }

  @Test
  void whatComesWhereNothingCameGoesAtOnceAndOthersOfThatMomentGoWithIt() {
    assertThat(beat.untilDue(now, now)).isZero();
    beat.commit(now);
    pass(5);
    assertThat(beat.untilDue(now, now)).as("company").isZero();
    beat.commit(now);
    pass(100);
    assertThat(beat.untilDue(now, now)).as("the end of the interval").isEqualTo(1_395 * MILLI);
    pass(1_395);
    assertThat(beat.untilDue(now - 10, now)).isZero();
  }

  /** Its thread may run late; what it has must not wait for a whole interval more. */
  @Test
  void whoComesLateMayStillCommitWhatCameBefore() {
    long news = now;
    pass(1_500);
    beat.commit(now);
    pass(300);
    assertThat(beat.untilDue(news, now)).isZero();
    assertThat(beat.untilDue(now, now)).isPositive();
  }

  @Test
  void aClockThatIsSetBackOrStandsStillKeepsNobodyForLongerThanAnInterval() {
    beat.commit(now);
    long news = now + 50 * MILLI;
    now += 100 * MILLI;
    wallMillis -= 3_600_000;
    assertThat(beat.untilDue(news, now)).isBetween(0L, INTERVAL);
    now += INTERVAL;
    assertThat(beat.untilDue(news, now)).isZero();
  }

  /** Nine tasks that get thirty readings a second each, in threads that wake when they can. */
  @Test
  void manyTasksMakeOneEntryAnIntervalAsARule() {
    Random random = new Random(5);
    int tasks = 9;
    long[] news = new long[tasks];
    List<Long> commits = new ArrayList<>();
    for (int millis = 0; millis < 60_000; millis++) {
      pass(1);
      for (int task = 0; task < tasks; task++) {
        boolean reading = random.nextInt(33) == 0;
        boolean wakes = reading || random.nextInt(10) == 0;
        news[task] = reading && news[task] == 0 ? now : news[task];
        if (wakes && news[task] != 0 && beat.untilDue(news[task], now) == 0) {
          beat.commit(now);
          news[task] = 0;
          commits.add(now);
        }
      }
    }
    long entries = 1;
    long begun = commits.getFirst();
    for (long commit : commits) {
      if (commit - begun > 10 * MILLI) { // As the sender gathers them.
        entries++;
        begun = commit;
      }
    }
    assertThat(commits).as("commits").hasSizeGreaterThan(30 * tasks);
    assertThat(entries).as("entries in 30 intervals").isLessThanOrEqualTo(90);
  }
}
