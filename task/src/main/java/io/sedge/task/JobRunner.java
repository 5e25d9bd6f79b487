package io.sedge.task;

import io.sedge.connector.ConnectorFactory;
import io.sedge.sql.Job;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.LongSupplier;

/** Starts jobs on this device. Immutable; any thread. */
public final class JobRunner {
  private final Map<String, ConnectorFactory> connectors;
  private final InstantSource clock;
  private final LongSupplier nanoClock;

  /**
   * @param connectors by the value of the option {@code connector}; {@link Job#TERMINAL} among them
   *     if jobs have bare SELECTs
   * @param clock the wall clock, for connectors
   * @param nanoClock a monotonic clock, in nanoseconds
   */
  public JobRunner(
      Map<String, ConnectorFactory> connectors, InstantSource clock, LongSupplier nanoClock) {
    this.connectors = Map.copyOf(connectors);
    this.clock = clock;
    this.nanoClock = nanoClock;
  }

  /**
   * Starts a job in a thread of its own, with a commit log that keeps nothing: when it is started
   * again it begins afresh.
   */
  public LocalJob start(Job job, RunOptions options, JobListener listener) {
    return start(JobStart.of(job), options, listener);
  }

  /** Starts a job, or a part of one, in a thread of its own. */
  public LocalJob start(JobStart start, RunOptions options, JobListener listener) {
    LocalJob started = new LocalJob(start, options, listener, connectors, clock, nanoClock);
    started.start();
    return started;
  }
}
