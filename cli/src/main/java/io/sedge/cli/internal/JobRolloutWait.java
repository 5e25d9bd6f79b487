package io.sedge.cli.internal;

import io.sedge.center.CenterClient;
import io.sedge.center.CenterException;
import io.sedge.center.api.JobVersion;
import java.util.concurrent.TimeUnit;

/** Waits until a version of a job is at its end, and tells on standard error how it gets on. */
final class JobRolloutWait {
  private static final long LOOK_MILLIS = 500;

  private final Surroundings surroundings;

  JobRolloutWait(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /** The version as it is then. */
  JobVersion until(CenterClient center, JobVersion version)
      throws CenterException, InterruptedException {
    JobVersion now = version;
    String said = "";
    while (!now.ended()) {
      String text = "%s %s".formatted(now.state(), now.counts());
      if (!text.equals(said)) {
        surroundings
            .err()
            .println("sedge: job %s, version %d: %s".formatted(now.job(), now.version(), text));
        said = text;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      now = center.jobVersion(version.job(), version.version());
    }
    return now;
  }
}
