package io.sedge.task.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.task.Commit;
import io.sedge.task.CommitLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Keeps commits; refuses at random; makes them durable when asked some times. */
final class FakeCommitLog implements CommitLog {
  private final Random random;
  private final double refusal;
  private final List<Commit> commits = new ArrayList<>();
  private int durable;
  private boolean ahead;
  private boolean hurriesRows;
  private long leastGapNanos;

  FakeCommitLog(Random random, double refusal) {
    this.random = random;
    this.refusal = refusal;
  }

  @Override
  public boolean keepsContents() {
    return true;
  }

  @Override
  public boolean offer(Commit commit) {
    if (ahead || random.nextDouble() < refusal) {
      return false;
    }
    assertThat(commit.sequence()).as("without gaps").isEqualTo(commits.size() + 1L);
    commits.add(commit);
    return true;
  }

  @Override
  public long durable() {
    if (durable < commits.size() && random.nextDouble() >= refusal) {
      durable++;
    }
    return durable;
  }

  /** From now on nothing is taken until others have gone on. */
  void letWait(boolean forOthers) {
    ahead = forOthers;
  }

  /** From now on a commit costs others something. */
  void space(long gapNanos) {
    leastGapNanos = gapNanos;
  }

  /** From now on rows are waited for. */
  void hurryRows() {
    hurriesRows = true;
  }

  @Override
  public long untilDue(long newsNanos, long rowsNanos, long nowNanos) {
    if (hurriesRows && rowsNanos != NO_ROWS) {
      return 0;
    }
    return Math.max(0, newsNanos + leastGapNanos - nowNanos);
  }

  @Override
  public boolean waitsForOthers() {
    return ahead;
  }

  List<Commit> durableCommits() {
    return commits.subList(0, durable);
  }

  List<Commit> commits() {
    return commits;
  }
}
