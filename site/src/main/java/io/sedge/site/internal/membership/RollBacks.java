package io.sedge.site.internal.membership;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.learning.training.Recipe;
import io.sedge.ledger.Format;
import io.sedge.ledger.Job;
import io.sedge.ledger.JobState;
import io.sedge.ledger.ModelVersion;
import io.sedge.ledger.SiteState;
import io.sedge.replication.LedgerMember;
import io.sedge.site.api.ModelDrift;
import io.sedge.site.api.SiteException;
import io.sedge.site.internal.device.SiteNode;
import io.sedge.task.FailureCode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Takes the live version of a model back where the rows that it scores are too far from those of
 * its training, on the device that leads: the version that was live before scores again.
 *
 * <p>That happens once to a version. The job has its file from then on, by the same entry of the
 * ledger that makes the other one live, so no device that leads later does it again. No version is
 * taken back either that is older: only a new one is watched again. A thread of its own looks each
 * {@link #PAUSE}, and asks the devices only for models that may be taken back.
 */
public final class RollBacks implements AutoCloseable {
  static final Duration PAUSE = Duration.ofSeconds(5);

  /**
   * A job that could not be replaced is left alone for so long: its scripts are compiled for it.
   */
  private static final long AFTER_FAILURE_NANOS = Duration.ofMinutes(1).toNanos();

  private final LedgerMember member;
  private final LedgerMembership membership;
  private final SiteNode node;
  private final SiteReports reports;
  private final JobReplacing replacing;
  private final CountDownLatch ending = new CountDownLatch(1);
  private final Thread thread = Thread.ofVirtual().name("sedge-roll-back").unstarted(this::run);

  /** What kept a job from being replaced last, and when that was. */
  private final Map<String, Hindrance> hindrances = new HashMap<>();

  private record Hindrance(FailureCode code, long nanos) {}

  /** A version that may be taken back, and the one that was live before. */
  record Pair(ModelVersion live, ModelVersion earlier) {}

  /** A pair, and the psi from which on it is taken back. */
  private record Watched(Pair pair, double bound) {}

  RollBacks(
      LedgerMember member,
      LedgerMembership membership,
      SiteNode node,
      SiteReports reports,
      JobReplacing replacing) {
    this.member = member;
    this.membership = membership;
    this.node = node;
    this.reports = reports;
    this.replacing = replacing;
  }

  /** Begins to look. */
  public void start() {
    thread.start();
  }

  private void run() {
    try {
      while (!ending.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
        try {
          look();
        } catch (RuntimeException | Error e) {
          warn("a fault in Sedge while it is looked whether models fit: " + e);
        }
      }
    } catch (InterruptedException _) {
      // It is closed.
    }
  }

  private void look() {
    boolean leads = membership.isLeader() && member.read(SiteState::format) >= Format.SHADOWS;
    List<Job> jobs = leads ? member.read(SiteState::jobs) : List.of();
    for (Job job : jobs) {
      Hindrance before = hindrances.get(job.name());
      boolean isDue = before == null || System.nanoTime() - before.nanos() > AFTER_FAILURE_NANOS;
      if (job.state() == JobState.RUNNING && isDue) {
        try {
          look(job);
          hindrances.remove(job.name());
        } catch (SiteException e) {
          hindrances.put(job.name(), new Hindrance(e.code(), System.nanoTime()));
          if (ending.getCount() > 0 && (before == null || before.code() != e.code())) {
            warn(
                "no model of job %s can be rolled back now: %s"
                    .formatted(job.name(), e.getMessage()));
          }
        }
      }
    }
  }

  private void look(Job job) throws SiteException {
    List<Watched> watched = watched(job);
    if (watched.isEmpty()) {
      return;
    }
    List<ModelDrift> drifts = reports.drifts(job.name(), node.holders(job.name())).drifts();
    for (Watched one : watched) {
      Optional<ModelDrift> drift = above(one.pair().live(), one.bound(), drifts);
      if (drift.isPresent()) {
        if (!hindrances.containsKey(job.name())) {
          warn(said(one, drift.get())); // Before it is done: who leads may die then.
        }
        replacing.rollBack(job, one.pair().live(), one.pair().earlier());
        return; // The job is another now.
      }
    }
  }

  /**
   * What may be taken back; where the script says which version is live, it stays.
   *
   * @throws SiteException if the job has versions, and is not compiled here
   */
  private List<Watched> watched(Job job) throws SiteException {
    List<ModelVersion> known =
        member.read(SiteState::models).stream()
            .filter(version -> version.job().equals(job.name()))
            .toList();
    List<Watched> watched = new ArrayList<>();
    List<io.sedge.sql.Job.Training> trainings =
        known.isEmpty() ? List.of() : node.awaited(job).trainings();
    for (io.sedge.sql.Job.Training training : trainings) {
      Recipe recipe = Recipe.of(training.model());
      if (recipe.rollBack().isPresent() && recipe.version().isEmpty()) {
        List<ModelVersion> versions =
            known.stream()
                .filter(version -> version.model().equals(training.model().name()))
                .filter(version -> SiteNode.what(version).equals(recipe.what()))
                .toList();
        pair(job, versions)
            .ifPresent(pair -> watched.add(new Watched(pair, recipe.rollBack().getAsDouble())));
      }
    }
    return watched;
  }

  private void warn(String text) {
    node.log().add(Severity.WARNING, "", text);
  }

  private static String said(Watched watched, ModelDrift drift) {
    Pair pair = watched.pair();
    return "model %s of job %s: version %d is rolled back to version %d: psi of %s was %.3f until %s, above %s"
        .formatted(
            pair.live().model(),
            pair.live().job(),
            pair.live().number(),
            pair.earlier().number(),
            drift.feature(),
            Objects.requireNonNull(drift.psi()),
            Instant.ofEpochMilli(drift.untilMillis()),
            watched.bound());
  }

  /**
   * The version that may be taken back, if there is one that was live before and none was taken
   * back that is as new.
   *
   * @param versions of the model
   */
  static Optional<Pair> pair(Job job, List<ModelVersion> versions) {
    Optional<ModelVersion> found =
        versions.stream().filter(version -> version.isLive(job)).findFirst();
    if (found.isEmpty()) {
      return Optional.empty();
    }
    ModelVersion live = found.get();
    boolean isNew =
        versions.stream()
            .noneMatch(known -> known.isRolledBack(job) && known.number() >= live.number());
    return versions.stream()
        .filter(known -> isNew && known.job().equals(job.name()))
        .filter(known -> known.live() > 0 && known.number() < live.number())
        .filter(known -> !known.isRolledBack(job))
        .max(Comparator.comparingLong(ModelVersion::live))
        .map(earlier -> new Pair(live, earlier));
  }

  /** What shows most that a version does not fit, if it is above the bound and no chance. */
  static Optional<ModelDrift> above(ModelVersion live, double bound, List<ModelDrift> drifts) {
    return drifts.stream()
        .filter(drift -> drift.model().equals(live.model()) && drift.isOf(live.file().sha256()))
        .filter(drift -> isAbove(drift.psi(), bound) && isAbove(drift.psi(), drift.byChance()))
        .max(Comparator.comparingDouble(drift -> Objects.requireNonNull(drift.psi())));
  }

  private static boolean isAbove(@Nullable Double value, @Nullable Double bound) {
    return value != null && bound != null && value > bound;
  }

  @Override
  public void close() {
    ending.countDown();
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
