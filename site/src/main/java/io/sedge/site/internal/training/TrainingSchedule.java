package io.sedge.site.internal.training;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.site.api.SiteException;
import io.sedge.task.JobListener;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Begins trainings that are due, on the device that leads. One that fails is tried again after its
 * interval, or {@link #AGAIN} if that is less. A thread of its own calls.
 */
public final class TrainingSchedule {
  private static final Duration AGAIN = Duration.ofMinutes(10);

  private final Trainings trainings;
  private final InstantSource clock;
  private final JobListener listener;

  /** When each was tried last, by this device. */
  private final Map<Due, Long> tried = new HashMap<>();

  /** What is to be trained now and then. */
  public interface Trainings {
    /** The models of jobs that run; none if another device leads. */
    List<Due> all();

    /** Has one begin when those before are over, unless it has begun; returns at once. */
    void begin(Due due) throws SiteException;
  }

  /**
   * A model that is trained now and then.
   *
   * @param trainedMillis when its latest version was trained; 0 if there is none
   */
  public record Due(String job, String model, Duration every, long trainedMillis) {}

  public TrainingSchedule(Trainings trainings, InstantSource clock, JobListener listener) {
    this.trainings = trainings;
    this.clock = clock;
    this.listener = listener;
  }

  /** Looks what is due. */
  public void look() {
    long now = clock.millis();
    List<Due> all = trainings.all();
    tried.keySet().retainAll(all);
    for (Due due : all) {
      long every = due.every().toMillis();
      long again = Math.min(every, AGAIN.toMillis());
      // A clock that was put back does not keep it from being trained for longer than that.
      long sinceTrained = Math.abs(now - due.trainedMillis());
      long sinceTried = Math.abs(now - tried.getOrDefault(due, 0L));
      if (sinceTrained >= every && sinceTried >= again) {
        tried.put(due, now);
        try {
          trainings.begin(due);
        } catch (SiteException e) {
          listener.report(
              Severity.WARNING,
              "model %s of job %s is due to be trained, and is not: %s"
                  .formatted(due.model(), due.job(), e.getMessage()));
        }
      }
    }
  }
}
