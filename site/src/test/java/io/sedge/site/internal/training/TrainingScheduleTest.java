package io.sedge.site.internal.training;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.site.api.SiteException;
import io.sedge.site.internal.training.TrainingSchedule.Due;
import io.sedge.task.FailureCode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When 'train.every' begins a training, by a clock that is given. */
class TrainingScheduleTest {
  private static final Duration DAY = Duration.ofDays(1);

  private final List<String> begun = new ArrayList<>();
  private final List<String> reports = new ArrayList<>();
  private List<Due> models = List.of();
  private Instant now = Instant.parse("2026-11-26T12:00:00Z");
  private boolean refuses;

  private final TrainingSchedule schedule =
      new TrainingSchedule(
          new TrainingSchedule.Trainings() {
            @Override
            public List<Due> all() {
              return models;
            }

            @Override
            public void begin(Due due) throws SiteException {
              begun.add(due.model());
              if (refuses) {
                throw new SiteException(FailureCode.NOT_NOW, "this device is being stopped");
              }
            }
          },
          () -> now,
          (severity, message) -> reports.add(severity + " " + message));

  private Due due(String model, Duration every, Instant trained) {
    return new Due("plant", model, every, trained.toEpochMilli());
  }

  /** How many trainings begin if it looks now. */
  private int look() {
    int before = begun.size();
    schedule.look();
    return begun.size() - before;
  }

  @Test
  void aModelIsTrainedWhenItsTimeIsOver() {
    models = List.of(due("wear", DAY, now));
    assertThat(look()).isZero();
    now = now.plus(DAY).minusMillis(1);
    assertThat(look()).isZero();
    now = now.plusMillis(1);
    assertThat(look()).isOne();
    models = List.of(due("wear", DAY, now)); // There is a version.
    assertThat(look()).isZero();
    now = now.plus(DAY);
    assertThat(look()).isOne();
    assertThat(begun).containsExactly("wear", "wear");
  }

  @Test
  void aModelThatWasNeverTrainedIsDueAtOnce() {
    models = List.of(due("wear", DAY, Instant.EPOCH));
    assertThat(look()).isOne();
  }

  /** A training that runs, or has failed, leaves no version: it is not begun with each look. */
  @Test
  void oneThatFailsIsTriedAgainAfterTenMinutesAtMost() {
    models =
        List.of(
            due("daily", DAY, Instant.EPOCH), due("often", Duration.ofMinutes(2), Instant.EPOCH));
    assertThat(look()).isEqualTo(2);
    now = now.plus(Duration.ofMinutes(2));
    begun.clear();
    assertThat(look()).isOne();
    assertThat(begun).containsExactly("often");
    now = now.plus(Duration.ofMinutes(8));
    begun.clear();
    assertThat(look()).isEqualTo(2);
  }

  /** As a real-time clock without a battery is, until the network is there. */
  @Test
  void aClockThatIsPutBackDoesNotKeepAModelFromBeingTrained() {
    models = List.of(due("wear", DAY, now));
    now = now.minus(Duration.ofDays(300));
    assertThat(look()).isOne();
    assertThat(look()).isZero();
    now = now.minus(Duration.ofMinutes(10));
    assertThat(look()).isOne();
  }

  /** Nothing is kept of a time at which another device led. */
  @Test
  void aModelThatIsGoneAndComesAgainIsNew() {
    models = List.of(due("wear", DAY, Instant.EPOCH));
    assertThat(look()).isOne();
    models = List.of();
    assertThat(look()).isZero();
    models = List.of(due("wear", DAY, Instant.EPOCH));
    assertThat(look()).isOne();
  }

  @Test
  void oneThatCannotBeginIsSaidAndTheOthersBegin() {
    refuses = true;
    models = List.of(due("wear", DAY, Instant.EPOCH), due("load", DAY, Instant.EPOCH));
    assertThat(look()).isEqualTo(2);
    assertThat(reports)
        .containsExactly(
            "WARNING model wear of job plant is due to be trained, and is not: this device is being"
                + " stopped",
            "WARNING model load of job plant is due to be trained, and is not: this device is being"
                + " stopped");
  }
}
