package io.sedge.console;

import io.sedge.alarm.MemoryAlarms;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorFactory;
import io.sedge.console.internal.http.ConsoleServer;
import io.sedge.console.internal.run.LiveRun;
import io.sedge.sql.Job;
import io.sedge.task.JobCounters;
import io.sedge.task.JobException;
import io.sedge.task.LeftOut;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The console of a run: shows its plan, its rows as its sinks take them, its counters and what it
 * says, to browsers of this machine, which can change nothing. The run never waits for a browser.
 * Any thread.
 */
public final class RunConsole implements AutoCloseable {
  private static final String HOST = "127.0.0.1";

  /** How long the last event has to reach the browsers. */
  private static final long LAST_EVENT_NANOS = Duration.ofSeconds(1).toNanos();

  private final LiveRun run;
  private final ConsoleServer server;

  private RunConsole(LiveRun run, ConsoleServer server) {
    this.run = run;
    this.server = server;
  }

  /**
   * What it shows and where.
   *
   * @param title of the page
   * @param script as its author wrote it
   * @param check compiles what is typed
   * @param alarms those of the run
   * @param port at which it listens; 0 for any
   * @param named whether somebody asked for this port; else one of the next will do
   */
  public record Options(
      Job job,
      String title,
      String script,
      String version,
      ScriptCheck check,
      MemoryAlarms alarms,
      int port,
      boolean named) {}

  /**
   * Listens.
   *
   * @throws JobException ADDRESS_IN_USE
   */
  public static RunConsole start(Options options, InstantSource clock, LongSupplier nanoClock)
      throws JobException {
    LiveRun run =
        new LiveRun(
            options.job(),
            options.title(),
            options.script(),
            options.version(),
            options.check(),
            options.alarms(),
            clock,
            nanoClock);
    ConsoleServer server =
        ConsoleServer.start(HOST, options.port(), options.named(), run.api(), new ConsolePages());
    run.open();
    return new RunConsole(run, server);
  }

  /** What to open in a browser. */
  public String address() {
    return server.address();
  }

  /** The connectors to run the job with: what its sinks take is shown. */
  public Map<String, ConnectorFactory> tapped(Map<String, ConnectorFactory> connectors) {
    return run.tapped(connectors);
  }

  /** The job runs: what it has done, and left out, can be asked now. */
  public void started(Supplier<JobCounters> counters, Supplier<List<LeftOut>> leftOut) {
    run.started(counters, leftOut);
  }

  /** Shows what the job says. */
  public void report(Severity severity, String message) {
    run.report(severity, message);
  }

  /**
   * Tells the browsers that the job has ended, and waits for a moment until they know.
   *
   * @param failure why, if it has failed
   */
  public void end(@Nullable String failure) throws InterruptedException {
    run.end(failure, LAST_EVENT_NANOS);
  }

  @Override
  public void close() {
    server.close();
  }
}
