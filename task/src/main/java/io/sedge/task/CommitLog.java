package io.sedge.task;

import java.util.Set;

/**
 * Where a task's commits go. Called by the task's thread alone; must not wait.
 *
 * <p>The task lets a source forget its readings only when the commit that covers them is durable
 * here and the sinks have flushed the rows that came of them.
 */
public interface CommitLog {
  /** In place of when rows came: there are none. */
  long NO_ROWS = Long.MIN_VALUE;

  /** Whether commits are to carry state changes and rows, or positions only. Does not change. */
  boolean keepsContents();

  /**
   * Whether each table goes through the task on its own, to the sink of its name, and the commit is
   * no more than the moment: then what one sink has not written holds up no other table. Does not
   * change.
   */
  default boolean separatesTables() {
    return false;
  }

  /**
   * Takes a commit.
   *
   * @return false if there is no room: the same commit is offered again later
   */
  boolean offer(Commit commit);

  /**
   * For how long a commit is to wait for others to go with it; for a log in which each entry costs
   * something. Not asked for a task's first commit, nor when a task cannot go on without one.
   *
   * @param newsNanos when what would be committed began to come, by a monotonic clock
   * @param rowsNanos when the first of its rows for a sink came; {@link #NO_ROWS} if it has none,
   *     and always where commits have no contents
   * @param nowNanos by the same clock
   * @return 0 if it is not to wait
   */
  default long untilDue(long newsNanos, long rowsNanos, long nowNanos) {
    return 0;
  }

  /**
   * Names what is to be called, from any thread, when there is something new to ask for: {@link
   * #durable} has grown, or a commit that was not taken may be.
   */
  default void onChange(Runnable change) {}

  /**
   * How many bytes a commit should have at most, as far as can be told before it is made; one that
   * has many times more may never be taken. May change.
   */
  default long commitBytes() {
    return Long.MAX_VALUE;
  }

  /** The same of its rows. */
  default long rowBytes() {
    return Long.MAX_VALUE;
  }

  /**
   * The sinks of which a task that falls idle gives what it has of windows that are not over, since
   * somebody adds it up.
   */
  default Set<String> partialResults() {
    return Set.of();
  }

  /** What commits wait for that somebody can do something about, in words; empty if nothing. */
  default String waitsFor() {
    return "";
  }

  /**
   * Whether the last commit offered was not taken until others have gone on, however long that
   * takes.
   */
  default boolean waitsForOthers() {
    return false;
  }

  /** The sequence up to which commits are durable; 0 before the first. Never falls. */
  long durable();
}
