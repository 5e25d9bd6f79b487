package io.sedge.site.internal.membership;

import static io.sedge.site.internal.membership.PlayedModels.job;
import static io.sedge.site.internal.membership.PlayedModels.version;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.ledger.Job;
import io.sedge.ledger.JobFile;
import io.sedge.ledger.ModelVersion;
import io.sedge.site.api.ModelDrift;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which version is taken back by itself, and when: once each, and never to and fro. */
class RollBacksTest {
  private static final double BOUND = 0.25;

  /** The numbers of the version that may be taken back, and of the one before. */
  private static List<Long> pair(Job job, ModelVersion... versions) {
    return RollBacks.pair(job, List.of(versions)).stream()
        .flatMap(pair -> List.of(pair.live().number(), pair.earlier().number()).stream())
        .toList();
  }

  @Test
  void theOneThatWasLiveBeforeScoresAgain() {
    ModelVersion live = version(4, 30);
    Job job = job(live.file());
    assertThat(pair(job, version(1, 10), version(2, 20), version(3, 0), live))
        .containsExactly(4L, 2L);
    assertThat(pair(job, version(3, 0), live)).isEmpty();
    assertThat(pair(job())).isEmpty();
    assertThat(pair(job(), version(1, 10))).isEmpty();
  }

  @Test
  void thatHappensOnceAndOnlyToANewVersion() {
    ModelVersion first = version(1, 10);
    ModelVersion second = version(2, 40);
    ModelVersion third = version(3, 30);
    JobFile mark = third.file().asRolledBackOf("wear");
    // The second one scores again: it is as far off, and stays.
    assertThat(pair(job(second.file(), mark), first, second, third)).isEmpty();
    // People have the third one live again.
    assertThat(pair(job(third.file(), mark), first, second, third)).isEmpty();
    // A new one is watched, and what was taken back is not what it is taken back to.
    ModelVersion fourth = version(4, 50);
    assertThat(pair(job(fourth.file(), mark), first, second, third, fourth))
        .containsExactly(4L, 2L);
  }

  /**
   * Whoever has rolled back to an older version has chosen it: a newer one is not taken instead.
   */
  @Test
  void anOlderVersionIsTakenBackToAnOlderOneAlone() {
    assertThat(pair(job(version(2, 30).file()), version(2, 30), version(3, 20))).isEmpty();
  }

  private static ModelDrift drift(
      String feature, ModelVersion version, @Nullable Double psi, @Nullable Double byChance) {
    return new ModelDrift(
        "wear", version.file().sha256().substring(0, 12), feature, 0, 600, 0, psi, byChance);
  }

  @Test
  void whatIsAboveTheBoundAndNoChanceCounts() {
    ModelVersion live = version(2, 20);
    assertThat(
            RollBacks.above(
                live,
                BOUND,
                List.of(
                    drift("a", live, 0.25, 0.1),
                    drift("b", live, 0.4, 0.5),
                    drift("c", live, null, null),
                    drift("d", version(1, 10), 3.0, 0.1))))
        .isEmpty();
    assertThat(
            RollBacks.above(
                live, BOUND, List.of(drift("a", live, 0.26, 0.1), drift("b", live, 0.3, 0.1))))
        .map(ModelDrift::feature)
        .contains("b");
  }
}
