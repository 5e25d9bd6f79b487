package io.sedge.learning.training;

import io.sedge.connector.ConnectorFactory;
import io.sedge.learning.training.internal.RowsConnector;
import io.sedge.sql.Job;
import io.sedge.task.ForgetfulCommitLog;
import io.sedge.task.JobException;
import io.sedge.task.JobListener;
import io.sedge.task.JobRunner;
import io.sedge.task.JobStart;
import io.sedge.task.LocalJob;
import io.sedge.task.Resume;
import io.sedge.task.RunOptions;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Runs the SELECT of a model over what this device has kept. Immutable; any thread.
 *
 * @param connectors by the value of the option {@code connector}
 * @param options where the device has its data
 * @param clock the wall clock, for connectors
 */
public record HistoryQuery(
    Map<String, ConnectorFactory> connectors, RunOptions options, InstantSource clock) {
  public HistoryQuery {
    connectors = Map.copyOf(connectors);
  }

  /**
   * Fills rows; returns when all are there.
   *
   * @param query the SELECT, as a job with one bare SELECT
   * @param share of the processor
   * @param listener hears what reading has to say
   * @throws JobException if the history cannot be read
   * @throws TrainingException if there are too many rows
   * @throws InterruptedException if the thread is interrupted; nothing is read any more
   */
  public void fill(
      Job query, Recipe recipe, DeviceRows rows, TrainingShare share, JobListener listener)
      throws JobException, TrainingException, java.io.IOException, InterruptedException {
    RowsConnector target = new RowsConnector(recipe, rows);
    Map<String, ConnectorFactory> all = new HashMap<>(connectors);
    all.put(Job.TERMINAL, target);
    JobStart start =
        new JobStart(
            query,
            Map.of(),
            Optional.empty(),
            Resume.NOTHING,
            Optional.empty(),
            new ForgetfulCommitLog(),
            share);
    LocalJob running = new JobRunner(all, clock, System::nanoTime).start(start, options, listener);
    try {
      var _ = running.await();
    } catch (InterruptedException e) {
      running.abort();
      throw e;
    } catch (JobException e) {
      Optional<TrainingException> refused = target.refusal();
      if (refused.isPresent()) {
        throw refused.get();
      }
      throw e;
    }
    rows.finish();
  }
}
