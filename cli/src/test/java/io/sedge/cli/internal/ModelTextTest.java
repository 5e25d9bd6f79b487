package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.site.api.ModelStatus;
import io.sedge.site.api.ModelVersionStatus;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is said of a version. */
class ModelTextTest {
  private static ModelVersionStatus version(
      boolean live, boolean shadow, boolean rolledBack, long wasLive) {
    return new ModelVersionStatus(
        1,
        0,
        live,
        shadow,
        rolledBack,
        wasLive,
        "linear",
        Map.of(),
        Map.of(),
        Map.of(),
        Map.of(),
        0,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        "ab",
        1,
        "");
  }

  private static String stage(ModelVersionStatus version) {
    ModelStatus model = new ModelStatus("plant", "wear", "linear", 0, false, List.of(version));
    return ModelText.version(model, version)
        .getFirst()
        .replace("model wear of job plant, version 1: linear, ", "");
  }

  /** Who has made a version live again that the site took back sees both. */
  @Test
  void theStageHasBothFactsOfAVersionThatWasRolledBackAndIsUsedAgain() {
    assertThat(stage(version(true, false, true, 2))).isEqualTo("live, was rolled back");
    assertThat(stage(version(false, true, true, 2))).isEqualTo("shadow, was rolled back");
    assertThat(stage(version(false, false, true, 2))).isEqualTo("rolled back");
    assertThat(stage(version(true, false, false, 2))).isEqualTo("live");
    assertThat(stage(version(false, true, false, 0))).isEqualTo("shadow");
    assertThat(stage(version(false, false, false, 2))).isEqualTo("was live");
    assertThat(stage(version(false, false, false, 0))).isEqualTo("candidate");
  }
}
