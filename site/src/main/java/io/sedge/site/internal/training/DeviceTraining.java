package io.sedge.site.internal.training;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.identity.Enrolment;
import io.sedge.identity.SecretFiles;
import io.sedge.identity.TrainingReply;
import io.sedge.identity.TrainingStep;
import io.sedge.learning.training.HistoryQuery;
import io.sedge.site.api.SiteException;
import io.sedge.sql.Job;
import io.sedge.task.FailureCode;
import io.sedge.task.JobListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A device's part in trainings: one at a time, of rows in its data directory, which are gone when
 * the training is over or nobody has asked for {@link TrainingRows#LEASE}. Any thread.
 */
public final class DeviceTraining implements Enrolment.Training, AutoCloseable {
  private final Path directory;
  private final HistoryQuery history;
  private final JobListener listener;
  private volatile Models models = (_, _) -> Optional.empty();
  private @Nullable TrainingRows rows;
  private boolean closed;

  /** What is trained. */
  @FunctionalInterface
  public interface Models {
    /** A model of a job; empty if this device does not have the job, or it is no such model. */
    Optional<Job.Training> find(String job, String model);
  }

  /**
   * What a process before has left is removed.
   *
   * @param directory where rows are while a training lasts
   */
  public DeviceTraining(Path directory, HistoryQuery history, JobListener listener)
      throws IOException {
    this.directory = directory;
    this.history = history;
    this.listener = listener;
    SecretFiles.makeDirectory(directory);
    try (Stream<Path> left = Files.list(directory)) {
      for (Path file : left.toList()) {
        Files.delete(file);
      }
    }
  }

  /** From now on it takes part. */
  public void begin(Models trained) {
    models = trained;
  }

  @Override
  public TrainingReply answer(TrainingStep step) throws SiteException {
    TrainingRows current = current(step);
    if (step.round() == TrainingStep.END) {
      current.close();
      return current.progress();
    }
    if (step.round() == TrainingStep.KEEP) {
      current.keep();
      return current.progress();
    }
    return current.answer(step.round(), step.question());
  }

  private synchronized TrainingRows current(TrainingStep step) throws SiteException {
    TrainingRows present = rows;
    if (present != null && !present.isOver()) {
      if (present.isOf(step.training())) {
        return present;
      }
      throw refused("it trains another model now; ask again in a moment");
    }
    if (step.round() != 0) {
      throw refused(
          "it has no rows of this training any more: it was started again, or nobody asked for too"
              + " long");
    }
    if (closed) {
      throw refused("it is being stopped");
    }
    Job.Training training =
        models
            .find(step.job(), step.model())
            .orElseThrow(
                () ->
                    new SiteException(
                        FailureCode.UNKNOWN_NAME,
                        "it has no model %s of job %s (yet)".formatted(step.model(), step.job())));
    listener.report(
        Severity.INFO,
        "gathers rows to train model %s of job %s".formatted(step.model(), step.job()));
    TrainingRows fresh =
        TrainingRows.start(step.training(), training, directory.resolve("rows"), history, listener);
    rows = fresh;
    return fresh;
  }

  private static SiteException refused(String why) {
    return new SiteException(FailureCode.NOT_NOW, why);
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (rows != null) {
      rows.close();
    }
  }
}
