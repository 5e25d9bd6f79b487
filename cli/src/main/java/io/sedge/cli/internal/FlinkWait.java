package io.sedge.cli.internal;

import io.sedge.flink.cluster.FlinkCluster;
import io.sedge.flink.cluster.FlinkJob;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits until all operators of a job on a cluster of Flink's run. */
final class FlinkWait {
  /** Flink itself gives a job up that has had no slot for five minutes. */
  private static final Duration LONGEST = Duration.ofMinutes(6);

  /** As long as a JobManager takes that is started anew, or a proxy. */
  private static final int MOST_LOST_LOOKS = 40;

  private static final Duration SILENCE = Duration.ofSeconds(5);
  private static final long LOOK_MILLIS = 250;

  private final Surroundings surroundings;

  FlinkWait(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /**
   * Waits until it runs or has done its work, or Ctrl-C, which leaves the job alone.
   *
   * @param batch whether its operators run one after the other, so that one is enough
   * @throws JobException JOB_NOT_FINISHED if it fails, or is waited for no longer
   */
  FlinkJob until(FlinkCluster cluster, String id, boolean batch)
      throws JobException, InterruptedException {
    CountDownLatch stopped = new CountDownLatch(1);
    surroundings.interruptions().onInterrupt(stopped::countDown);
    long begin = surroundings.nanoClock().getAsLong();
    boolean said = false;
    int lost = 0;
    while (true) {
      FlinkJob job;
      try {
        job = find(cluster, id);
      } catch (JobException e) {
        if (e.code() != FailureCode.CONNECTION_FAILED
            || ++lost > MOST_LOST_LOOKS
            || stopped.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
          throw e;
        }
        continue;
      }
      lost = 0;
      if (batch ? job.hasBegun() : job.isUp()) {
        return job;
      }
      if (job.hasFailed()) {
        throw new JobException(
            FailureCode.JOB_NOT_FINISHED,
            "job %s is %s: %s; %s"
                .formatted(
                    id,
                    job.state(),
                    cluster.failure(id).orElse("the cluster does not say why"),
                    cluster.page(id)));
      }
      long waited = surroundings.nanoClock().getAsLong() - begin;
      if (!said && waited > SILENCE.toNanos()) {
        said = true;
        surroundings
            .err()
            .println(
                "sedge: job %s is %s, and %d operators wait for a slot; %s"
                    .formatted(id, job.state(), job.waiting(), cluster.slots()));
      }
      if (stopped.await(LOOK_MILLIS, TimeUnit.MILLISECONDS) || waited > LONGEST.toNanos()) {
        throw new JobException(
            FailureCode.JOB_NOT_FINISHED,
            "job %s is %s, and nobody waits for it any longer; %s"
                .formatted(id, job.state(), cluster.page(id)));
      }
    }
  }

  private static FlinkJob find(FlinkCluster cluster, String id)
      throws JobException, InterruptedException {
    Optional<FlinkJob> job = cluster.job(id);
    return job.orElseThrow(
        () ->
            new JobException(
                FailureCode.UNKNOWN_NAME,
                "the cluster does not know job %s: its JobManager may have been started anew"
                    .formatted(id)));
  }
}
