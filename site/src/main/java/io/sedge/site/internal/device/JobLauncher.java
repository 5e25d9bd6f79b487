package io.sedge.site.internal.device;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorFactory;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.TaskId;
import io.sedge.task.JobCounters;
import io.sedge.task.JobException;
import io.sedge.task.JobListener;
import io.sedge.task.JobRunner;
import io.sedge.task.JobStart;
import io.sedge.task.LeftOut;
import io.sedge.task.LocalJob;
import io.sedge.task.RunOptions;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Runs each task in a thread of its own. */
final class JobLauncher implements LedgerTaskHost.Launcher {
  private final RunOptions options;
  private final DeviceLog log;
  private final InstantSource clock;

  JobLauncher(RunOptions options, DeviceLog log, InstantSource clock) {
    this.options = options;
    this.log = log;
    this.clock = clock;
  }

  @Override
  public TaskHost.Running launch(
      TaskId id,
      Map<String, ConnectorFactory> connectors,
      JobStart start,
      Supplier<Optional<Refusal>> refusal) {
    LocalJob job =
        new JobRunner(connectors, clock, System::nanoTime)
            .start(start, options, new TaskLog(log, id.toString()));
    log.add(Severity.INFO, id.toString(), "started");
    return new RunningJob(job, refusal);
  }

  /** Hears a task, and knows the secrets that the scripts of this device have in clear. */
  private record TaskLog(DeviceLog log, String task) implements JobListener {
    @Override
    public void report(Severity severity, String message) {
      log.add(severity, task, message);
    }

    @Override
    public String withoutSecrets(String text) {
      return log.blank(text);
    }
  }

  private record RunningJob(LocalJob job, Supplier<Optional<Refusal>> ends)
      implements TaskHost.Running {
    @Override
    public JobCounters counters() {
      return job.counters();
    }

    @Override
    public List<LeftOut> leftOut() {
      return job.leftOut();
    }

    @Override
    public boolean hasEnded() {
      return job.hasEnded();
    }

    @Override
    public Optional<JobException> failure() {
      return job.failure();
    }

    @Override
    public Optional<Refusal> refusal() {
      return ends.get();
    }

    @Override
    public void stop() {
      job.stop();
    }

    @Override
    public void abort() {
      job.abort();
    }

    @Override
    public void retire() {
      job.retire();
    }
  }
}
