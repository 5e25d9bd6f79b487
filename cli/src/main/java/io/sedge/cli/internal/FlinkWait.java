package io.sedge.cli.internal;

import io.sedge.flink.cluster.FlinkCluster;
import io.sedge.flink.cluster.FlinkJob;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Waits until all operators of a job on a cluster of Flink's run. An interrupt of the thread ends
 * the waiting, and leaves the job alone. Used once.
 */
final class FlinkWait {
  /** Flink itself gives a job up that has had no slot for five minutes. */
  private static final Duration LONGEST = Duration.ofMinutes(6);

  /** As long as a JobManager takes that is started anew, or a proxy. */
  private static final int MOST_LOST_LOOKS = 40;

  /** Flink begins a job again and again, after longer and longer. */
  private static final int MOST_TOLD_RESTARTS = 10;

  private static final Duration SILENCE = Duration.ofSeconds(5);
  private static final long LOOK_MILLIS = 250;

  private final Surroundings surroundings;
  private final FlinkCluster cluster;
  private final String id;
  private FlinkJob last;
  private int restarts;
  private int lost;
  private boolean said;

  FlinkWait(Surroundings surroundings, FlinkCluster cluster, String id) {
    this.surroundings = surroundings;
    this.cluster = cluster;
    this.id = id;
    this.last = new FlinkJob(id, "UNKNOWN", Map.of());
  }

  /**
   * How the job is; {@code UNKNOWN} if the cluster does not know it yet.
   *
   * @throws JobException JOB_NOT_FINISHED if the thread is interrupted
   */
  FlinkJob atOnce() throws JobException {
    try {
      return cluster.job(id).orElse(last);
    } catch (InterruptedException e) {
      throw givenUp();
    }
  }

  /**
   * Waits until it runs or has done its work. A job that Flink begins anew is waited for.
   *
   * @param batch whether its operators run one after the other, so that one is enough
   * @throws JobException JOB_NOT_FINISHED if it fails, or is waited for no longer
   */
  FlinkJob untilUp(boolean batch) throws JobException {
    try {
      long begin = surroundings.nanoClock().getAsLong();
      while (!(look() && (batch ? last.hasBegun() : last.isUp()))) {
        long waited = surroundings.nanoClock().getAsLong() - begin;
        if (waited > LONGEST.toNanos()) {
          throw givenUp();
        }
        sayWhatIsMissing(waited);
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      }
      return last;
    } catch (InterruptedException e) {
      throw givenUp();
    }
  }

  /**
   * Looks how the job is.
   *
   * @return whether the cluster has answered
   */
  private boolean look() throws JobException, InterruptedException {
    String before = last.state();
    try {
      last =
          cluster
              .job(id)
              .orElseThrow(
                  () ->
                      new JobException(
                          FailureCode.UNKNOWN_NAME,
                          "the cluster does not know job %s: its JobManager may have been started anew"
                              .formatted(id)));
      lost = 0;
      if (last.hasFailed()) {
        throw new JobException(
            FailureCode.JOB_NOT_FINISHED,
            "job %s is %s: %s; %s".formatted(id, last.state(), why(), cluster.page(id)));
      }
      if (last.isRestarting() && !last.state().equals(before) && restarts++ < MOST_TOLD_RESTARTS) {
        say("job %s has failed, and Flink begins it anew: %s".formatted(id, why()));
      }
      return true;
    } catch (JobException e) {
      if (e.code() != FailureCode.CONNECTION_FAILED || ++lost > MOST_LOST_LOOKS) {
        throw e;
      }
      return false;
    }
  }

  private String why() throws JobException, InterruptedException {
    return cluster.failure(id).orElse("the cluster does not say why");
  }

  private void sayWhatIsMissing(long waitedNanos) throws JobException, InterruptedException {
    if (!said && lost == 0 && !last.isRestarting() && waitedNanos > SILENCE.toNanos()) {
      said = true;
      say(
          "job %s is %s, and %d operators wait for a slot; %s"
              .formatted(id, last.state(), last.waiting(), cluster.slots()));
    }
  }

  private JobException givenUp() {
    return new JobException(
        FailureCode.JOB_NOT_FINISHED,
        "job %s is %s, and nobody waits for it any longer; %s"
            .formatted(id, last.state(), cluster.page(id)));
  }

  private void say(String what) {
    surroundings.err().println("sedge: " + what);
  }
}
