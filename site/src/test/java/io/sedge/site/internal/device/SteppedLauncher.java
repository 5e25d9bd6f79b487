package io.sedge.site.internal.device;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.FileAccess;
import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;
import io.sedge.engine.operator.Output;
import io.sedge.engine.operator.Pipeline;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.TaskId;
import io.sedge.sql.Job;
import io.sedge.task.CommitLog;
import io.sedge.task.FailureCode;
import io.sedge.task.JobCounters;
import io.sedge.task.JobException;
import io.sedge.task.JobStart;
import io.sedge.task.LeftOut;
import io.sedge.task.internal.MalformedLog;
import io.sedge.task.internal.Redaction;
import io.sedge.task.internal.SinkOutput;
import io.sedge.task.internal.SourceInput;
import io.sedge.task.internal.TableContext;
import io.sedge.task.internal.Task;
import io.sedge.task.internal.Waiter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Runs tasks in the caller's thread, a turn at a time. */
final class SteppedLauncher implements LedgerTaskHost.Launcher {
  private final InstantSource clock;
  private final LongSupplier nanoClock;
  private final UnaryOperator<CommitLog> commitLogs;
  private final Predicate<TaskId> unfit;
  private final List<SteppedTask> running = new ArrayList<>();

  /**
   * @param commitLogs what tasks get instead of their commit logs
   * @param unfit whether the device lacks what a task needs, so that it fails
   */
  SteppedLauncher(
      InstantSource clock,
      LongSupplier nanoClock,
      UnaryOperator<CommitLog> commitLogs,
      Predicate<TaskId> unfit) {
    this.clock = clock;
    this.nanoClock = nanoClock;
    this.commitLogs = commitLogs;
    this.unfit = unfit;
  }

  /** Gives each task a turn. */
  void step() {
    List.copyOf(running).forEach(SteppedTask::step);
    running.removeIf(SteppedTask::hasEnded);
  }

  @Override
  public TaskHost.Running launch(
      TaskId id,
      Map<String, ConnectorFactory> connectors,
      JobStart start,
      Supplier<Optional<Refusal>> refusal) {
    SteppedTask task = new SteppedTask(id, connectors, start, refusal);
    running.add(task);
    return task;
  }

  private final class SteppedTask implements TaskHost.Running {
    private final TaskId id;
    private final Task task;
    private final Supplier<Optional<Refusal>> refusal;
    private boolean aborted;
    private boolean failed;

    SteppedTask(
        TaskId id,
        Map<String, ConnectorFactory> connectors,
        JobStart start,
        Supplier<Optional<Refusal>> refusal) {
      this.id = id;
      this.refusal = refusal;
      Job job = start.job();
      ConnectorContext context =
          new TableContext(
              clock,
              Path.of("."),
              Path.of("target"),
              FileAccess.EVERYTHING,
              new Waiter(),
              new MalformedLog((_, _) -> {}, Map.of()),
              (_, _) -> {},
              new Redaction(),
              connectors,
              Optional.of(job.name()),
              Optional.empty());
      List<SinkOutput> outputs = new ArrayList<>();
      Map<String, Output> byName = new HashMap<>();
      new TreeMap<>(job.sinks())
          .forEach(
              (name, sink) -> {
                ConnectorFactory connector = connectors.get(sink.connector());
                SinkOutput output =
                    new SinkOutput(
                        name,
                        name,
                        connector
                            .sink(sink.table(), context)
                            .orElseThrow()
                            .open(start.delivery(name)),
                        false,
                        start.numbers());
                outputs.add(output);
                byName.put(name, output);
              });
      Pipeline pipeline = Pipeline.compile(job.plan(), job.functions(), job.aggregates(), byName);
      if (!start.resume().state().isEmpty()) {
        pipeline.restore(start.resume().state());
      }
      List<SourceInput> inputs = new ArrayList<>();
      new TreeMap<>(job.sources())
          .forEach(
              (name, table) -> {
                Source source =
                    connectors.get(table.connector()).source(table.table(), context).orElseThrow();
                String shard = start.shards().get(name);
                SourceReader reader = (shard == null ? source : source.shard(shard)).open();
                byte[] position = start.resume().positions().get(name);
                if (position != null) {
                  reader.seek(position);
                }
                inputs.add(new SourceInput(name, reader, table.idleTimeout()));
              });
      task =
          new Task(
              pipeline,
              inputs,
              outputs,
              new MalformedLog((_, _) -> {}, Map.of()),
              commitLogs.apply(start.commitLog()),
              (_, _) -> {},
              nanoClock);
    }

    void step() {
      failed |= unfit.test(id);
      if (!hasEnded()) {
        task.doWork(nanoClock.getAsLong());
      }
    }

    @Override
    public JobCounters counters() {
      return task.counters(0, nanoClock.getAsLong(), 0);
    }

    @Override
    public List<LeftOut> leftOut() {
      return List.of();
    }

    @Override
    public boolean hasEnded() {
      return aborted || failed || task.isDone();
    }

    @Override
    public Optional<JobException> failure() {
      return failed
          ? Optional.of(new JobException(FailureCode.TABLE_NOT_ACCEPTED, "no key here"))
          : Optional.empty();
    }

    @Override
    public Optional<Refusal> refusal() {
      return refusal.get();
    }

    @Override
    public void stop() {
      task.stop();
    }

    @Override
    public void abort() {
      aborted = true;
    }

    @Override
    public void retire() {
      aborted = true;
    }
  }
}
