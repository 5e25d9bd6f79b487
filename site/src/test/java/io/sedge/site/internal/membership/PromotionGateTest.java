package io.sedge.site.internal.membership;

import static io.sedge.site.internal.membership.PlayedModels.job;
import static io.sedge.site.internal.membership.PlayedModels.version;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.learning.training.Algorithm;
import io.sedge.learning.training.FittedModel;
import io.sedge.learning.training.Metrics;
import io.sedge.learning.training.Recipe.Promotion;
import io.sedge.learning.training.Scaling;
import io.sedge.learning.training.Trained;
import io.sedge.ledger.Format;
import io.sedge.ledger.Job;
import io.sedge.ledger.ModelVersion;
import io.sedge.site.api.SiteException;
import io.sedge.site.internal.membership.PromotionGate.Stage;
import io.sedge.site.internal.training.SiteTraining;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which stage a version gets by itself. */
class PromotionGateTest {
  private static final ModelVersion OLD = version(1, 0);
  private static final ModelVersion LIVE = version(2, 0);
  private static final ModelVersion SHADOW = version(3, 0);
  private static final List<ModelVersion> ALL = List.of(OLD, LIVE, SHADOW);
  private static final Job PLAIN = job(LIVE.file());
  private static final Job SHADOWED = job(LIVE.file(), SHADOW.file().asShadowOf("wear"));

  private final List<String> notes = new ArrayList<>();

  private Stage stage(Job job, Promotion promotion, double error, Optional<Double> before) {
    notes.clear();
    Trained trained =
        new Trained(
            FittedModel.of(Algorithm.LINEAR, 1, new double[] {1, 2}),
            1_000,
            new Metrics(200, error, Map.of()),
            new Scaling(new double[] {0}, new double[] {1}),
            Optional.empty(),
            1,
            List.of());
    SiteTraining.Outcome outcome =
        new SiteTraining.Outcome(
            trained,
            before.map(known -> new Metrics(200, known, Map.of())),
            Map.of(),
            Map.of(),
            List.of());
    return PromotionGate.stage(
        job, promotion, outcome, PromotionGate.before(job, ALL, promotion), notes);
  }

  @Test
  void theShadowIsComparedWithWhereABetterOneBecomesTheShadow() {
    assertThat(PromotionGate.before(SHADOWED, ALL, Promotion.SHADOW)).contains(SHADOW);
    assertThat(PromotionGate.before(SHADOWED, ALL, Promotion.BETTER)).contains(LIVE);
    assertThat(PromotionGate.before(SHADOWED, ALL, Promotion.BY_HAND)).contains(LIVE);
    assertThat(PromotionGate.before(PLAIN, ALL, Promotion.SHADOW)).contains(LIVE);
    assertThat(PromotionGate.before(job(), ALL, Promotion.SHADOW)).isEmpty();
    assertThat(ALL)
        .map(version -> Stage.of(version, SHADOWED))
        .containsExactly(Stage.CANDIDATE, Stage.LIVE, Stage.SHADOW);
  }

  @Test
  void onlyABetterVersionGetsAStage() {
    assertThat(stage(SHADOWED, Promotion.SHADOW, 0.1, Optional.of(0.2))).isEqualTo(Stage.SHADOW);
    assertThat(notes)
        .containsExactly(
            "on the same 200 rows held out: error 0.100000, that of version 3, which was the"
                + " shadow, 0.200000");
    assertThat(stage(PLAIN, Promotion.BETTER, 0.1, Optional.of(0.2))).isEqualTo(Stage.LIVE);
    assertThat(notes.getFirst()).contains("that of version 2, which was live, 0.200000");
    assertThat(stage(PLAIN, Promotion.BY_HAND, 0.1, Optional.of(0.2))).isEqualTo(Stage.CANDIDATE);
    assertThat(notes.getFirst()).endsWith("; to be promoted by hand");
    for (Promotion promotion : Promotion.values()) {
      assertThat(stage(SHADOWED, promotion, 0.2, Optional.of(0.2))).isEqualTo(Stage.CANDIDATE);
      assertThat(stage(SHADOWED, promotion, Double.NaN, Optional.of(0.2)))
          .isEqualTo(Stage.CANDIDATE);
    }
  }

  @Test
  void thereMayBeNothingToCompareWith() {
    assertThat(stage(job(), Promotion.SHADOW, 0.1, Optional.empty())).isEqualTo(Stage.SHADOW);
    assertThat(stage(job(), Promotion.BETTER, 0.1, Optional.empty())).isEqualTo(Stage.LIVE);
    assertThat(notes).containsExactly("the first version");
    assertThat(stage(job(), Promotion.BY_HAND, 0.1, Optional.empty())).isEqualTo(Stage.CANDIDATE);
    assertThat(stage(PLAIN, Promotion.BETTER, 0.1, Optional.empty())).isEqualTo(Stage.CANDIDATE);
    assertThat(notes)
        .containsExactly(
            "version 2, which was live, is linear of vibration, label failed, so they do not"
                + " compare");
  }

  /** A device of a version before would drop another version than the others. */
  @Test
  void aShadowWaitsForTheFormatOfTheSite() throws SiteException {
    PromotionGate.checkShadow(PLAIN, SHADOW, Format.SHADOWS);
    assertThatThrownBy(() -> PromotionGate.checkShadow(PLAIN, SHADOW, Format.SHADOWS - 1))
        .isInstanceOf(SiteException.class)
        .hasMessage(
            "the site has format 16, and a version scores beside the live one from format 17 on:"
                + " upgrade all devices; the format rises an hour later");
    assertThatThrownBy(() -> PromotionGate.checkShadow(PLAIN, LIVE, Format.SHADOWS))
        .hasMessage("version 2 of model wear is live: it cannot score beside itself");
  }
}
