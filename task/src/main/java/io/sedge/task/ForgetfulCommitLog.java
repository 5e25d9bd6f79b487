package io.sedge.task;

/**
 * The log of a job that is run on its own: a commit counts as durable at once, and nothing is kept.
 * When such a job is started again, it starts afresh; sources that can (MQTT) give it what was not
 * acknowledged.
 */
public final class ForgetfulCommitLog implements CommitLog {
  private long durable;

  @Override
  public boolean keepsContents() {
    return false;
  }

  @Override
  public boolean offer(Commit commit) {
    durable = commit.sequence();
    return true;
  }

  @Override
  public long durable() {
    return durable;
  }
}
