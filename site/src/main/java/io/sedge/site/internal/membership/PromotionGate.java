package io.sedge.site.internal.membership;

import io.sedge.learning.ModelDescriptor;
import io.sedge.learning.training.Metrics;
import io.sedge.learning.training.Recipe;
import io.sedge.ledger.Format;
import io.sedge.ledger.Job;
import io.sedge.ledger.ModelVersion;
import io.sedge.site.api.SiteException;
import io.sedge.site.internal.device.SiteNode;
import io.sedge.site.internal.training.SiteTraining;
import io.sedge.task.FailureCode;
import java.util.List;
import java.util.Optional;

/** Which stage a version of a model may have, and gets by itself. Pure functions. */
final class PromotionGate {
  /** What a version is to its job. */
  enum Stage {
    CANDIDATE("a candidate"),
    SHADOW("the shadow"),
    LIVE("live");

    private final String text;

    Stage(String text) {
      this.text = text;
    }

    /** For people, after "it is". */
    String text() {
      return text;
    }

    static Stage of(ModelVersion version, Job job) {
      if (version.isLive(job)) {
        return LIVE;
      }
      return version.isShadow(job) ? SHADOW : CANDIDATE;
    }
  }

  private PromotionGate() {}

  /**
   * What a new version is compared with: the live one, or, where a better one becomes the shadow,
   * the shadow if there is one.
   *
   * @param versions of the model
   */
  static Optional<ModelVersion> before(
      Job job, List<ModelVersion> versions, Recipe.Promotion promotion) {
    return versions.stream()
        .filter(version -> promotion == Recipe.Promotion.SHADOW && version.isShadow(job))
        .findFirst()
        .or(() -> versions.stream().filter(version -> version.isLive(job)).findFirst());
  }

  /**
   * The stage that a new version is to have by itself.
   *
   * @param before what it was compared with
   * @param notes gets the reason, for people
   */
  static Stage stage(
      Job job,
      Recipe.Promotion promotion,
      SiteTraining.Outcome outcome,
      Optional<ModelVersion> before,
      List<String> notes) {
    Stage better =
        switch (promotion) {
          case BETTER -> Stage.LIVE;
          case SHADOW -> Stage.SHADOW;
          case BY_HAND -> Stage.CANDIDATE;
        };
    boolean byHand = better == Stage.CANDIDATE;
    if (before.isEmpty()) {
      notes.add(byHand ? "to be promoted by hand" : "the first version");
      return better;
    }
    ModelVersion other = before.get();
    String was = "version %d, which was %s,".formatted(other.number(), Stage.of(other, job).text());
    Optional<Metrics> compared = outcome.before();
    if (compared.isEmpty()) {
      notes.add("%s is %s, so they do not compare".formatted(was, SiteNode.what(other)));
      return Stage.CANDIDATE;
    }
    Metrics fresh = outcome.trained().metrics();
    boolean isBetter = fresh.isBetterThan(compared.get());
    notes.add(
        "on the same %,d rows held out: error %.6g, that of %s %.6g%s"
            .formatted(
                fresh.rows(),
                fresh.error(),
                was,
                compared.get().error(),
                isBetter && byHand ? "; to be promoted by hand" : ""));
    return isBetter ? better : Stage.CANDIDATE;
  }

  /**
   * Refuses a version that is of another model than the script declares by now.
   *
   * @param declared by the job's script
   */
  static void checkFits(Job job, ModelDescriptor declared, ModelVersion version)
      throws SiteException {
    String wanted = Recipe.of(declared).what();
    String trained = SiteNode.what(version);
    if (!wanted.equals(trained)) {
      throw new SiteException(
          FailureCode.NOT_NOW,
          "version %d of model %s is %s, and the script of job %s has %s by now: train it again"
              .formatted(version.number(), version.model(), trained, job.name(), wanted));
    }
  }

  /**
   * Refuses a shadow that cannot be one.
   *
   * @param format the site's
   */
  static void checkShadow(Job job, ModelVersion version, int format) throws SiteException {
    if (version.isLive(job)) {
      throw new SiteException(
          FailureCode.NOT_NOW,
          "version %d of model %s is live: it cannot score beside itself"
              .formatted(version.number(), version.model()));
    }
    if (format < Format.SHADOWS) {
      throw new SiteException(
          FailureCode.NOT_NOW,
          "the site has format %d, and a version scores beside the live one from format %d on: upgrade all devices; the format rises an hour later"
              .formatted(format, Format.SHADOWS));
    }
  }
}
