package io.sedge.center.internal.fleet;

import io.sedge.center.store.FleetVersion;
import io.sedge.center.store.Orders.Told;
import io.sedge.center.store.Rollout;
import io.sedge.uplink.SiteCondition.OfJob;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Whether a version is well at a site, by what the site tells. It is when, after the gate's time,
 * all tasks run and results are not too late, and nothing that could not be read and no failure of
 * a task came in between. A site has {@link #GRACE} longer to get there; what has grown fails at
 * once.
 */
final class HealthGate {
  /** How much longer than the gate a site may take. */
  static final Duration GRACE = Duration.ofMinutes(2);

  private static final String RUNNING = "RUNNING";
  private static final String FINISHED = "FINISHED";

  private final FleetVersion version;
  private final Instant started;
  private final Instant now;

  /**
   * @param started since when the center runs: a site is not blamed for what it could not tell
   */
  HealthGate(FleetVersion version, Instant started, Instant now) {
    this.version = version;
    this.started = started;
    this.now = now;
  }

  /** What a gate says. */
  sealed interface Verdict {
    /** Look again later. */
    record Wait(Rollout rollout) implements Verdict {}

    record Well() implements Verdict {}

    record Unwell(String why) implements Verdict {}
  }

  /** What is to be said of a site that runs the version since {@link Rollout#stateAt}. */
  Verdict look(Rollout rollout, Told told) {
    if (told.at().isBefore(rollout.stateAt())) {
      return new Verdict.Wait(rollout);
    }
    Optional<OfJob> found =
        told.condition().jobs().stream()
            .filter(job -> job.name().equals(version.job()) && job.given() == version.version())
            .findFirst();
    if (found.isEmpty()) {
      return waitOr(rollout, "the site does not have it");
    }
    OfJob job = found.get();
    if (job.state().equals(FINISHED)) {
      return new Verdict.Well();
    }
    if (!job.state().equals(RUNNING) && !job.state().equals("PAUSED")) {
      return new Verdict.Unwell("it is %s%s".formatted(job.state(), detail(job)));
    }
    if (rollout.gateAt().isEmpty()) {
      return new Verdict.Wait(rollout.watched(now, job.malformed(), job.failures()));
    }
    if (grew(rollout.malformed(), job.malformed())) {
      return new Verdict.Unwell(
          "malformed readings went from %,d to %,d"
              .formatted(rollout.malformed(), job.malformed()));
    }
    if (grew(rollout.failures(), job.failures())) {
      return new Verdict.Unwell(
          "failures of its tasks went from %,d to %,d%s"
              .formatted(rollout.failures(), job.failures(), detail(job)));
    }
    Instant end = begin(rollout).plus(version.gate());
    if (now.isBefore(end) || told.at().isBefore(end)) {
      return new Verdict.Wait(rollout);
    }
    String hindrance = hindrance(job);
    return hindrance.isEmpty() ? new Verdict.Well() : waitOr(rollout, hindrance);
  }

  private String hindrance(OfJob job) {
    if (!job.state().equals(RUNNING)) {
      return "it is %s".formatted(job.state());
    }
    if (job.tasks() == 0 || job.runningTasks() < job.tasks()) {
      return "%d of %d tasks run%s".formatted(job.runningTasks(), job.tasks(), detail(job));
    }
    if (job.lagSeconds() > version.maxLag().toMillis() / 1_000.0) {
      return "its results are %.0f s late, more than %d s"
          .formatted(job.lagSeconds(), version.maxLag().toSeconds());
    }
    return "";
  }

  private Verdict waitOr(Rollout rollout, String why) {
    return now.isAfter(begin(rollout).plus(version.gate()).plus(GRACE))
        ? new Verdict.Unwell(why)
        : new Verdict.Wait(rollout);
  }

  private Instant begin(Rollout rollout) {
    Instant watched = rollout.gateAt().orElse(rollout.stateAt());
    return watched.isAfter(started) ? watched : started;
  }

  /** A device that was started anew counts from nothing. */
  private static boolean grew(long before, long after) {
    return before >= 0 && after > before;
  }

  private static String detail(OfJob job) {
    return job.detail().isEmpty() ? "" : ": " + job.detail();
  }
}
