package io.sedge.cli.internal;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Connectors;
import io.sedge.connector.FileAccess;
import io.sedge.connector.ScriptFiles;
import io.sedge.learning.training.DeviceRows;
import io.sedge.learning.training.HistoryQuery;
import io.sedge.learning.training.OnnxFile;
import io.sedge.learning.training.Recipe;
import io.sedge.learning.training.Trained;
import io.sedge.learning.training.Trainer;
import io.sedge.learning.training.TrainingException;
import io.sedge.learning.training.TrainingShare;
import io.sedge.sql.Job;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import io.sedge.task.Printable;
import io.sedge.task.RunOptions;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Trains the models of a script that is run in one process, from what runs before have kept, before
 * it begins: nobody else is in a hurry, so it takes all of one processor. Versions last as long as
 * the run.
 */
final class RunTraining implements AutoCloseable {
  private final RunDirectory directory;
  private final Map<String, Path> versions = new HashMap<>();

  // Of this object's lock.
  private @Nullable Thread training;
  private boolean stopped;

  /**
   * Makes a directory for rows and versions.
   *
   * @param data the device's data directory
   */
  RunTraining(Path data) throws IOException {
    this.directory = RunDirectory.make(data.resolve("run-models"));
  }

  /** Ends training, if it goes on, or is to begin. Any thread. */
  synchronized void stop() {
    stopped = true;
    if (training != null) {
      training.interrupt();
    }
  }

  private synchronized void begin() throws InterruptedException {
    if (stopped) {
      throw new InterruptedException();
    }
    training = Thread.currentThread();
  }

  private synchronized void end() {
    training = null;
    var _ = Thread.interrupted(); // It came too late, or is said already.
  }

  /**
   * Trains all models of a job; one that cannot be trained is said, and has no version.
   *
   * @throws JobException if it was stopped
   */
  void train(Job job, Connectors connectors, RunOptions options, Surroundings surroundings)
      throws IOException, JobException {
    try {
      begin();
      trainAll(job, connectors, options, surroundings);
    } catch (InterruptedException | ClosedByInterruptException e) {
      throw new JobException(
          FailureCode.JOB_NOT_FINISHED,
          "it was stopped while it trained the script's models, before the job began",
          e);
    } finally {
      end();
    }
  }

  private void trainAll(
      Job job, Connectors connectors, RunOptions options, Surroundings surroundings)
      throws IOException, InterruptedException {
    HistoryQuery history = new HistoryQuery(connectors.byName(), options, surroundings.clock());
    for (Job.Training training : job.trainings()) {
      String model = training.model().name();
      try {
        say(surroundings, train(training, history, surroundings));
      } catch (TrainingException | JobException | ConnectorException e) {
        say(
            surroundings,
            "model %s is not trained, so its scores are NULL: %s".formatted(model, e.getMessage()));
      }
    }
  }

  private String train(Job.Training training, HistoryQuery history, Surroundings surroundings)
      throws IOException, InterruptedException, TrainingException, JobException {
    Recipe recipe = Recipe.of(training.model());
    TrainingShare share = new TrainingShare(1, surroundings.nanoClock());
    String model = training.model().name();
    try (DeviceRows rows = new DeviceRows(directory.resolve("rows"), recipe)) {
      history.fill(
          training.query(), recipe, rows, share, (_, message) -> say(surroundings, message));
      Trained trained = Trainer.train(recipe, Trainer.Devices.alone(rows, share));
      Path version = directory.resolve("version-" + versions.size());
      Files.write(version, OnnxFile.of(trained, recipe.outputs()));
      versions.put(model, version);
      List<String> parts = new ArrayList<>();
      trained
          .metrics()
          .values()
          .forEach((name, value) -> parts.add("%s %.5g".formatted(name, value)));
      parts.addAll(trained.notes());
      return "model %s is trained from %,d rows: %s"
          .formatted(model, rows.summary().rows(), String.join("; ", parts));
    }
  }

  private static void say(Surroundings surroundings, String what) {
    surroundings.err().println("sedge: " + Printable.text(what));
  }

  /** The files of a script, and the versions. */
  ScriptFiles files(Path scriptDirectory, FileAccess access) {
    ScriptFiles own = ScriptFiles.in(scriptDirectory, access);
    return new ScriptFiles() {
      @Override
      public Path locate(String what, String path) {
        return own.locate(what, path);
      }

      @Override
      public Optional<Path> version(String model, String what, OptionalLong number) {
        return Optional.ofNullable(versions.get(model));
      }
    };
  }

  @Override
  public void close() throws IOException {
    directory.close();
  }
}
