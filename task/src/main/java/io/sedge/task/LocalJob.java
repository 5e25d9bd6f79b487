package io.sedge.task;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorFactory;
import io.sedge.engine.operator.Output;
import io.sedge.engine.operator.Pipeline;
import io.sedge.sql.Job;
import io.sedge.task.internal.MalformedLog;
import io.sedge.task.internal.OpenTables;
import io.sedge.task.internal.Redaction;
import io.sedge.task.internal.RowFailures;
import io.sedge.task.internal.SinkOutput;
import io.sedge.task.internal.SourceInput;
import io.sedge.task.internal.TableContext;
import io.sedge.task.internal.Task;
import io.sedge.task.internal.Waiter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A job that runs in a thread of this process. It ends when its input has ended, when every sink
 * has had its LIMIT, after its duration, when it is stopped, or when it fails. Any thread may call
 * its methods.
 */
public final class LocalJob {
  private static final long COUNTERS_INTERVAL_NANOS = 100_000_000;

  /** While there is nothing to do little is counted, and counting is most of what is done. */
  private static final long QUIET_COUNTERS_INTERVAL_NANOS = 500_000_000;

  /** Rests are interrupted for counters and commits; nothing is read before their end. */
  private static final long LONGEST_REST_NANOS = 50_000_000;

  /** Two of them can be added. */
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 2);

  /** A stop that takes longer says what it waits for. */
  private static final long SILENT_WAIT_NANOS = 1_000_000_000;

  private final JobStart start;
  private final RunOptions options;
  private final JobListener listener;
  private final InstantSource clock;
  private final LongSupplier nanoClock;
  private final Waiter waiter = new Waiter();

  /** What ends a rest, or the gathering of rows: not a table that has something. */
  private final Waiter rester = new Waiter();

  private final Redaction redaction = new Redaction();
  private final MalformedLog malformedLog;
  private final OpenTables tables;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean stopRequested;
  private volatile boolean abortRequested;
  private volatile boolean retired;
  private long closeAt = Long.MAX_VALUE;
  private volatile JobCounters counters = JobCounters.NONE;
  private volatile @Nullable JobException failure;

  LocalJob(
      JobStart start,
      RunOptions options,
      JobListener listener,
      Map<String, ConnectorFactory> connectors,
      InstantSource clock,
      LongSupplier nanoClock) {
    this.start = start;
    this.options = options;
    this.listener = withoutSecrets(listener);
    this.clock = clock;
    this.nanoClock = nanoClock;
    this.malformedLog =
        new MalformedLog(
            this.listener,
            start.job().sources().values().stream()
                .filter(table -> table.malformedTable().isPresent())
                .collect(
                    Collectors.toMap(
                        table -> table.table().name(),
                        table -> table.malformedTable().orElseThrow())));
    this.tables =
        new OpenTables(
            start,
            connectors,
            new TableContext(
                clock,
                options.directory(),
                options.data(),
                options.files(),
                waiter,
                malformedLog,
                this.listener,
                redaction,
                Map.copyOf(connectors),
                Optional.of(start.job().name()),
                Optional.empty()),
            options.secrets(),
            redaction);
    start.commitLog().onChange(waiter::wakeUp);
  }

  /** Payloads and rows that were left out so far, by their reasons: some 100 at most. */
  public List<LeftOut> leftOut() {
    return malformedLog.leftOut().stream().map(out -> out.with(this::said)).toList();
  }

  private JobListener withoutSecrets(JobListener hearing) {
    return new JobListener() {
      @Override
      public void report(Severity severity, String message) {
        hearing.report(severity, said(message));
      }

      @Override
      public String withoutSecrets(String text) {
        return hearing.withoutSecrets(redaction.text(text));
      }
    };
  }

  private String said(String text) {
    return Printable.text(redaction.text(text));
  }

  void start() {
    Thread.ofPlatform().name("sedge-task-" + start.job().name()).start(this::run);
  }

  /**
   * Asks the job to end: nothing more is read, what was read is written, no window is fired that is
   * not due. Returns at once; may be called again.
   */
  public void stop() {
    stopRequested = true;
    tables.cancel();
    waiter.wakeUp();
    rester.wakeUp();
  }

  /**
   * Ends the job where it is, without a last commit: what was not committed is somebody else's.
   * Returns at once; may be called again.
   */
  public void abort() {
    abortRequested = true;
    stop();
  }

  /**
   * Ends the job where it is, for good: nobody will go on with it, so far ends may forget what they
   * keep for who does. Returns at once; may be called again.
   */
  public void retire() {
    retired = true;
    abort();
  }

  /** Why it has failed, once it has. */
  public Optional<JobException> failure() {
    return Optional.ofNullable(failure);
  }

  /** Whether it has ended. */
  public boolean hasEnded() {
    return ended.getCount() == 0;
  }

  /** What it has done so far; a moment old while it runs. */
  public JobCounters counters() {
    return counters;
  }

  /**
   * Waits for the end.
   *
   * @return the final counters
   * @throws JobException if the job has failed
   */
  public JobCounters await() throws JobException, InterruptedException {
    ended.await();
    JobException failed = failure;
    if (failed != null) {
      throw failed;
    }
    return counters;
  }

  /** The boundary of the task's thread: whatever is thrown becomes the job's failure. */
  private void run() {
    try {
      runTask();
    } catch (CancellationException e) {
      // Stopped while its tables were being opened: nothing was read, so nothing is to be told.
    } catch (JobException e) {
      fail(e);
    } catch (Throwable e) {
      fail(JobException.of("running job " + start.job().name(), e));
    } finally {
      close();
      ended.countDown();
    }
  }

  private void close() {
    try {
      long now = nanoClock.getAsLong();
      long drained = closeAt == Long.MAX_VALUE ? nanos(options.drainTimeout()) : closeAt - now;
      tables.close(retired, Math.max(0, drained) + nanos(options.closeTimeout()));
    } catch (JobException e) {
      fail(e);
    } catch (Throwable e) {
      fail(JobException.of("closing job " + start.job().name(), e));
    }
    malformedLog.reportRepeats();
  }

  /** What went wrong first counts. */
  private void fail(JobException thrown) {
    if (failure == null) {
      failure = redaction.failure(thrown);
    }
  }

  private void runTask() throws JobException, InterruptedException {
    List<SinkOutput> outputs = tables.openSinks();
    Pipeline pipeline = pipeline(outputs);
    List<SourceInput> inputs = tables.openSources();
    Task task =
        new Task(pipeline, inputs, outputs, malformedLog, start.commitLog(), listener, nanoClock);
    long startNanos = nanoClock.getAsLong();
    try {
      drive(task, startNanos);
      if (isWhole() && task.hasReadNothing()) {
        throw new JobException(
            FailureCode.NOTHING_READ,
            "nothing of the input could be read: all of it, %,d payloads or rows, is malformed, such as: %s; see to the columns and the format of the tables, or to the input"
                .formatted(malformedLog.total(), malformedLog.firstExample()));
      }
    } finally {
      counters = counters(task, startNanos, nanoClock.getAsLong());
    }
  }

  /** Whether it reads all of its input: of a part, or of what is left, nothing follows. */
  private boolean isWhole() {
    return start.shards().isEmpty() && start.resume().positions().isEmpty();
  }

  private Pipeline pipeline(List<SinkOutput> outputs) throws JobException {
    Map<String, Output> byName = new HashMap<>();
    outputs.forEach(output -> byName.put(output.table(), output));
    Job job = start.job();
    try {
      Pipeline pipeline =
          Pipeline.compile(
              job.plan(),
              job.functions(),
              job.aggregates(),
              byName,
              new RowFailures(job, malformedLog, clock));
      if (!start.resume().state().isEmpty()) {
        pipeline.restore(start.resume().state());
      }
      return pipeline;
    } catch (IllegalArgumentException e) {
      throw new JobException(FailureCode.SCRIPT_NOT_ACCEPTED, String.valueOf(e.getMessage()), e);
    }
  }

  private JobCounters counters(Task task, long startNanos, long nowNanos) {
    return task.counters(startNanos, nowNanos, start.pace().cpuNanos());
  }

  /** Times are nanoseconds since the start, so that a long duration does not overflow. */
  private void drive(Task task, long startNanos) {
    long stopAt = options.duration().map(LocalJob::nanos).orElse(Long.MAX_VALUE);
    long abandonAt = Long.MAX_VALUE;
    long sayAt = Long.MAX_VALUE;
    long countersAt = 0;
    boolean busy = false;
    long rest = start.pace().restNanos();
    while (!task.isDone() && !abortRequested) {
      long now = nanoClock.getAsLong();
      long elapsed = now - startNanos;
      if (abandonAt == Long.MAX_VALUE && (stopRequested || elapsed >= stopAt)) {
        task.stop();
        abandonAt = elapsed + nanos(options.drainTimeout());
        closeAt = startNanos + abandonAt;
        sayAt = elapsed + SILENT_WAIT_NANOS;
      }
      if (elapsed >= abandonAt) {
        reportAbandoned(task);
        return;
      }
      if (elapsed >= sayAt) {
        sayAt = Long.MAX_VALUE;
        reportWait(task);
      }
      if (elapsed >= countersAt) {
        counters = counters(task, startNanos, now);
        countersAt = elapsed + (busy ? COUNTERS_INTERVAL_NANOS : QUIET_COUNTERS_INTERVAL_NANOS);
        busy = false;
      }
      int work = task.doWork(now, rest > 0);
      busy |= work > 0;
      rest = start.pace().restNanos();
      long nextChange = abandonAt == Long.MAX_VALUE ? stopAt : Math.min(abandonAt, sayAt);
      long park = work > 0 ? 0 : Math.min(task.parkNanos(now), nextChange - elapsed);
      if (task.isDone()) {
        return;
      }
      if (rest > 0) {
        rester.await(Math.min(Math.max(rest, park), LONGEST_REST_NANOS));
      } else if (work == 0) {
        waiter.await(park);
      } else {
        rester.await(Math.min(task.gatherNanos(now), nextChange - elapsed));
      }
    }
  }

  /** Of a duration, or 146 years if it is longer. */
  private static long nanos(Duration duration) {
    return duration.compareTo(LONGEST) < 0 ? duration.toNanos() : LONGEST.toNanos();
  }

  private void reportWait(Task task) {
    listener.report(
        Severity.INFO,
        "stopping: waits for %s, for %d s at most"
            .formatted(waitedFor(task), options.drainTimeout().toSeconds()));
  }

  private void reportAbandoned(Task task) {
    listener.report(
        Severity.WARNING,
        "stopped without waiting longer than %d s for %s; what it has not written is not acknowledged, so sources that can will send it again"
            .formatted(options.drainTimeout().toSeconds(), waitedFor(task)));
  }

  private static String waitedFor(Task task) {
    String sinks = task.unfinishedSinks();
    return sinks.isEmpty() ? "the commit log" : sinks;
  }
}
