package io.sedge.site.internal.device;

import io.sedge.division.Fragment;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.TaskId;
import io.sedge.site.internal.commit.TaskStart;
import io.sedge.task.JobCounters;
import io.sedge.task.JobException;
import io.sedge.task.LeftOut;
import java.util.List;
import java.util.Optional;

/** Runs tasks on this device. */
interface TaskHost {
  /**
   * Starts a task; returns at once.
   *
   * @param fragment that it runs
   * @param fragments all of the job's
   */
  Running start(TaskId id, Fragment fragment, JobFragments fragments, TaskStart start);

  /** A task that was started. Any thread; nothing waits. */
  interface Running {
    JobCounters counters();

    /** What it has left out so far, by the reasons. */
    List<LeftOut> leftOut();

    boolean hasEnded();

    /** Why it has failed, once it has. */
    Optional<JobException> failure();

    /** Why the ledger takes no more commits of it, if so. */
    Optional<Refusal> refusal();

    /** Ends it after a last commit. */
    void stop();

    /** Ends it where it is. */
    void abort();

    /** Ends it where it is, for good: nobody will go on with it. */
    void retire();
  }
}
