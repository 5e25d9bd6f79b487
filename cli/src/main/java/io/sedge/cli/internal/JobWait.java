package io.sedge.cli.internal;

import io.sedge.cli.internal.output.Quantities;
import io.sedge.site.api.InputProgress;
import io.sedge.site.api.JobStatus;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for a job to end and shows how it gets on: in a terminal a bar that is redrawn. */
final class JobWait {
  private static final long LOOK_MILLIS = 250;
  private static final int BAR_CELLS = 24;
  private static final int PERCENT = 100;

  /** Elsewhere a line is written each time that so much more is done. */
  private static final int STEP_PERCENT = 10;

  /** Hindrances that are told, at most. */
  private static final int MAX_HINDRANCES = 100;

  private static final String CLEAR_LINE = "\u001b[K";

  private final Surroundings surroundings;
  private int said = -1;

  /** What hindered the job, without the numbers, which go on. */
  private final Set<String> hindrances = new HashSet<>();

  /** The jobs of a site. */
  @FunctionalInterface
  interface Jobs {
    List<JobStatus> now() throws SiteException;
  }

  JobWait(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /**
   * Waits until the job has ended and its rows are delivered, or Ctrl-C, which leaves the job
   * alone.
   *
   * @return the job, finished
   * @throws SiteException JOB_NOT_FINISHED if it failed, was stopped, or is waited for no longer;
   *     UNKNOWN_NAME if there is none
   */
  JobStatus until(Jobs site, String name) throws SiteException, InterruptedException {
    CountDownLatch stopped = new CountDownLatch(1);
    surroundings.interruptions().onInterrupt(stopped::countDown);
    JobStatus job = find(site, name);
    while (!isOver(job)) {
      show(job);
      if (stopped.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        break;
      }
      job = find(site, name);
    }
    end(job);
    return job;
  }

  /** One that has not finished may never be delivered. */
  private static boolean isOver(JobStatus job) {
    return switch (job.state()) {
      case FAILED, STOPPED -> true;
      case FINISHED -> job.waitingRows() == 0;
      case RUNNING, PAUSED -> false;
    };
  }

  private static JobStatus find(Jobs site, String name) throws SiteException {
    return site.now().stream()
        .filter(job -> job.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new SiteException(
                    FailureCode.UNKNOWN_NAME,
                    "there is no job called %s; `sedge job list` shows those there are"
                        .formatted(name)));
  }

  private void show(JobStatus job) {
    showHindrance(job);
    int percent = (int) (job.input().fraction() * PERCENT);
    if (surroundings.errIsTerminal()) {
      surroundings.err().print("\r" + line(job) + CLEAR_LINE);
      surroundings.err().flush();
    } else if (percent / STEP_PERCENT > said / STEP_PERCENT || said < 0) {
      said = percent;
      surroundings.err().println("sedge: " + line(job));
    }
  }

  /** Once each, in a line of its own: it may be too long for one that is redrawn. */
  private void showHindrance(JobStatus job) {
    String kind = job.detail().replaceAll("\\d+", "");
    if (!kind.isEmpty() && hindrances.size() < MAX_HINDRANCES && hindrances.add(kind)) {
      String line = "sedge: job %s: %s".formatted(job.name(), job.detail());
      surroundings.err().println(surroundings.errIsTerminal() ? "\r" + line + CLEAR_LINE : line);
    }
  }

  /** One line of what is known. */
  static String line(JobStatus job) {
    InputProgress input = job.input();
    String state = job.state().name().toLowerCase(Locale.ROOT);
    StringBuilder line = new StringBuilder("job %s is %s".formatted(job.name(), state));
    if (input.parts() > 0) {
      int cells = (int) (input.fraction() * BAR_CELLS);
      line.append(
          "  [%s%s] %d %%  %,d of %,d parts  %s of %s"
              .formatted(
                  "#".repeat(cells),
                  ".".repeat(BAR_CELLS - cells),
                  (int) (input.fraction() * PERCENT),
                  input.partsDone(),
                  input.parts(),
                  Quantities.bytes(input.bytesDone()),
                  Quantities.bytes(input.bytes())));
    }
    if (job.readingsPerSecond() > 0) {
      line.append(String.format(Locale.ROOT, "  %,.0f readings/s", job.readingsPerSecond()));
    }
    if (input.secondsLeft() >= 0) {
      line.append(String.format(Locale.ROOT, "  %,.0f s left", input.secondsLeft()));
    }
    return line.toString();
  }

  private void end(JobStatus job) throws SiteException {
    if (surroundings.errIsTerminal()) {
      surroundings.err().println("\r" + line(job) + CLEAR_LINE);
    }
    switch (job.state()) {
      case FAILED ->
          throw new SiteException(
              FailureCode.JOB_NOT_FINISHED,
              "job %s failed: %s".formatted(job.name(), job.detail()));
      case STOPPED ->
          throw new SiteException(
              FailureCode.JOB_NOT_FINISHED, "job %s was stopped".formatted(job.name()));
      case RUNNING, PAUSED ->
          throw new SiteException(
              FailureCode.JOB_NOT_FINISHED,
              "job %s goes on; nobody waits for it any longer".formatted(job.name()));
      case FINISHED -> {
        if (job.waitingRows() > 0) {
          throw new SiteException(
              FailureCode.JOB_NOT_FINISHED,
              "job %s is finished; %,d of its rows are still to be delivered"
                  .formatted(job.name(), job.waitingRows()));
        }
      }
    }
  }
}
