package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.ledger.JobState;
import io.sedge.site.api.InputProgress;
import io.sedge.site.api.JobStatus;
import io.sedge.site.api.SiteException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When the waiting for a job ends, and what it says meanwhile. */
@Timeout(60)
class JobWaitTest {
  private final CommandRunner runner = new CommandRunner(Path.of("."));
  private final Deque<JobStatus> coming = new ArrayDeque<>();

  private static JobStatus job(JobState state, int partsDone, long waitingRows) {
    return job(state, partsDone, waitingRows, state == JobState.FAILED ? "the disk is full" : "");
  }

  private static JobStatus job(JobState state, int partsDone, long waitingRows, String detail) {
    return new JobStatus(
        "history",
        state,
        detail,
        1,
        0,
        4,
        4,
        1_000,
        0,
        70,
        waitingRows,
        new InputProgress(40, partsDone, 4_000, partsDone * 100L, 12));
  }

  /** Lets the job be so one after the other, and the last one for ever. */
  private JobStatus await(JobStatus... states) throws SiteException, InterruptedException {
    coming.addAll(List.of(states));
    return new JobWait(runner.surroundings())
        .until(
            () -> List.of(coming.size() > 1 ? coming.removeFirst() : coming.getFirst()), "history");
  }

  @Test
  void itEndsWhenTheJobIsFinishedAndItsRowsAreDelivered() throws Exception {
    JobStatus last =
        await(
            job(JobState.RUNNING, 0, 0),
            job(JobState.RUNNING, 3, 0),
            job(JobState.RUNNING, 20, 0),
            job(JobState.FINISHED, 40, 7),
            job(JobState.FINISHED, 40, 0));
    assertThat(last).isEqualTo(job(JobState.FINISHED, 40, 0));
    assertThat(runner.err().lines())
        .containsExactly(
            "sedge: job history is running  [........................] 0 %  0 of 40 parts  0 B of"
                + " 4.0 kB  1,000 readings/s  12 s left",
            "sedge: job history is running  [############............] 50 %  20 of 40 parts  2.0 kB"
                + " of 4.0 kB  1,000 readings/s  12 s left",
            "sedge: job history is finished  [########################] 100 %  40 of 40 parts  4.0"
                + " kB of 4.0 kB  1,000 readings/s  12 s left");
  }

  /** Else people would look at a bar that stands still. */
  @Test
  void whatHindersTheJobIsSaidOnceThoughItsNumbersGoOn() throws Exception {
    await(
        job(JobState.RUNNING, 0, 0, "task all on a: no key; tried again in 8 s"),
        job(JobState.RUNNING, 0, 0, "task all on a: no key; tried again in 7 s"),
        job(JobState.RUNNING, 0, 0),
        job(JobState.RUNNING, 0, 0, "task all on a: no key; tried again in 16 s"),
        job(JobState.RUNNING, 0, 0, "task all on b: the broker is away"),
        job(JobState.FINISHED, 40, 0));
    assertThat(runner.err().lines().filter(line -> !line.contains("  [")))
        .containsExactly(
            "sedge: job history: task all on a: no key; tried again in 8 s",
            "sedge: job history: task all on b: the broker is away");
  }

  /** Its rows may never be delivered: what failed may be their delivery. */
  @Test
  void itEndsAtOnceWhenTheJobHasFailedOrWasStopped() {
    assertThatThrownBy(() -> await(job(JobState.FAILED, 3, 7)))
        .isInstanceOf(SiteException.class)
        .hasMessage("job history failed: the disk is full");
    coming.clear();
    assertThatThrownBy(() -> await(job(JobState.STOPPED, 3, 7)))
        .isInstanceOf(SiteException.class)
        .hasMessage("job history was stopped");
  }

  /** A script that waits must not go on as if the job were done. */
  @Test
  void whoWaitsNoLongerIsNotToldThatItIsFinished() throws Exception {
    Thread ctrlC = Thread.ofPlatform().start(runner::interrupt);
    assertThatThrownBy(() -> await(job(JobState.RUNNING, 3, 0)))
        .isInstanceOf(SiteException.class)
        .hasMessage("job history goes on; nobody waits for it any longer");
    ctrlC.join();
  }

  @Test
  void aJobThatThereIsNotIsSaid() {
    assertThatThrownBy(() -> new JobWait(runner.surroundings()).until(List::of, "history"))
        .isInstanceOf(SiteException.class)
        .hasMessageContaining("there is no job called history");
  }
}
