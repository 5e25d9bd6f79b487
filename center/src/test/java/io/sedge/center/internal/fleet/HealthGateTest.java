package io.sedge.center.internal.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.center.internal.fleet.HealthGate.Verdict;
import io.sedge.center.store.FleetVersion;
import io.sedge.center.store.Orders.Told;
import io.sedge.center.store.Rollout;
import io.sedge.uplink.SiteCondition;
import io.sedge.uplink.SiteCondition.OfJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whether a version is well at a site, by what the site tells. */
class HealthGateTest {
  private static final Duration GATE = Duration.ofSeconds(60);
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant END = BEGIN.plus(GATE);
  private static final Instant LATE = END.plus(HealthGate.GRACE).plusSeconds(1);
  private static final OfJob WELL = job("RUNNING", 2, 1, 5, 0);

  private static final FleetVersion VERSION =
      new FleetVersion(
          "fleet",
          3,
          FleetVersion.Action.DEPLOY,
          "script",
          false,
          "all",
          List.of("rest"),
          GATE,
          Duration.ofSeconds(60),
          "anna",
          BEGIN,
          1,
          FleetVersion.State.ROLLING,
          "",
          BEGIN);

  /** Watched since {@link #BEGIN}, when 5 readings could not be read. */
  private static final Rollout WATCHED =
      new Rollout(
          "fleet",
          3,
          "a",
          1,
          0,
          Rollout.State.GATED,
          "",
          BEGIN,
          Optional.empty(),
          0,
          Optional.of(BEGIN),
          5,
          0);

  private static OfJob job(
      String state, int runningTasks, double lagSeconds, long malformed, long failures) {
    return new OfJob(
        "fleet",
        1,
        state,
        "it waits",
        2,
        runningTasks,
        5,
        lagSeconds,
        9,
        0,
        malformed,
        failures,
        3);
  }

  private static Verdict look(Instant started, Instant now, OfJob... jobs) {
    return new HealthGate(VERSION, started, now)
        .look(WATCHED, new Told(now, new SiteCondition("d", List.of(), List.of(jobs))));
  }

  private static String why(Verdict verdict) {
    return verdict instanceof Verdict.Unwell(String why) ? why : verdict.toString();
  }

  @Test
  void aSiteIsWellAfterTheGatesTimeAndNotBefore() {
    assertThat(look(BEGIN, END.minusSeconds(1), WELL)).isInstanceOf(Verdict.Wait.class);
    assertThat(look(BEGIN, END, WELL)).isEqualTo(new Verdict.Well());
  }

  @Test
  void whatHasGrownFailsAtOnce() {
    assertThat(why(look(BEGIN, BEGIN, job("RUNNING", 2, 1, 6, 0))))
        .contains("malformed readings went from 5 to 6");
    assertThat(why(look(BEGIN, BEGIN, job("RUNNING", 2, 1, 5, 1))))
        .contains("failures of its tasks went from 0 to 1");
    assertThat(why(look(BEGIN, BEGIN, job("FAILED", 0, 1, 5, 0))))
        .isEqualTo("it is FAILED: it waits");
    assertThat(look(BEGIN, BEGIN, job("RUNNING", 2, 1, 0, 0))).isInstanceOf(Verdict.Wait.class);
  }

  @Test
  void aSiteHasMoreTimeToGetThere() {
    assertThat(look(BEGIN, END, job("RUNNING", 1, 1, 5, 0))).isInstanceOf(Verdict.Wait.class);
    assertThat(why(look(BEGIN, LATE, job("RUNNING", 1, 1, 5, 0)))).contains("1 of 2 tasks run");
    assertThat(why(look(BEGIN, LATE, job("RUNNING", 2, 61, 5, 0)))).contains("61 s late");
    assertThat(why(look(BEGIN, LATE, job("PAUSED", 0, 1, 5, 0)))).isEqualTo("it is PAUSED");
    assertThat(why(look(BEGIN, LATE))).isEqualTo("the site does not have it");
  }

  /** It could tell nothing while the center was down. */
  @Test
  void theTimeBeginsWhenTheCenterRuns() {
    assertThat(look(LATE, LATE, job("RUNNING", 1, 1, 5, 0))).isInstanceOf(Verdict.Wait.class);
    assertThat(look(LATE, LATE, WELL)).isInstanceOf(Verdict.Wait.class);
    assertThat(look(LATE, LATE.plus(GATE), WELL)).isEqualTo(new Verdict.Well());
  }
}
