package io.sedge.console.internal.run;

import io.sedge.alarm.AlarmCounts;
import io.sedge.alarm.MemoryAlarms;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorFactory;
import io.sedge.console.ScriptCheck;
import io.sedge.console.internal.http.AlarmJson;
import io.sedge.console.internal.http.ApiRoutes;
import io.sedge.console.internal.http.CheckRoute;
import io.sedge.console.internal.http.EventStream;
import io.sedge.console.internal.http.Json;
import io.sedge.console.internal.live.Broadcast;
import io.sedge.console.internal.live.Event;
import io.sedge.sql.Job;
import io.sedge.task.JobCounters;
import io.sedge.task.LeftOut;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A run as its console shows it. A thread of its own looks at the taps and the counters, ten times
 * a second while anybody listens. Any thread.
 */
public final class LiveRun {
  /** Rows of all tables that are kept. */
  private static final long MOST_KEPT_BYTES = 16L << 20;

  private static final long MOST_TABLE_BYTES = 2L << 20;

  /** Events that are kept for browsers that are behind. */
  private static final long MOST_EVENT_BYTES = 4L << 20;

  private static final long HEARD_MILLIS = 100;
  private static final long UNHEARD_MILLIS = 500;
  private static final long COUNTERS_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final RunState state;
  private final Broadcast broadcast = new Broadcast(MOST_EVENT_BYTES);
  private final EventStream events;
  private final ApiRoutes api;
  private final InstantSource clock;
  private final LongSupplier nanoClock;
  private final CountDownLatch ending = new CountDownLatch(1);
  private final Thread thread;
  private volatile Supplier<JobCounters> counters = () -> JobCounters.NONE;
  private volatile Supplier<List<LeftOut>> leftOut = List::of;
  private long countersAt;
  private AlarmCounts toldAlarms = AlarmCounts.NONE;

  public LiveRun(
      Job job,
      String title,
      String script,
      String version,
      ScriptCheck check,
      MemoryAlarms alarms,
      InstantSource clock,
      LongSupplier nanoClock) {
    Map<String, Tap> taps = new LinkedHashMap<>();
    List<TableInfo> tables = TableInfo.of(job);
    long each = Math.min(MOST_TABLE_BYTES, MOST_KEPT_BYTES / Math.max(1, tables.size()));
    tables.forEach(table -> taps.put(table.name(), new Tap(table, each, clock)));
    this.state =
        new RunState(title, script, version, clock.millis(), job, taps, new JobLog(), alarms);
    this.clock = clock;
    this.nanoClock = nanoClock;
    this.countersAt = nanoClock.getAsLong();
    this.events = new EventStream(broadcast, nanoClock);
    this.api =
        new ApiRoutes(
            new RunApi(state, () -> leftOut.get(), new CheckRoute(check), events, clock).routes(),
            fault -> report(Severity.ERROR, fault));
    this.thread = Thread.ofVirtual().name("sedge-console").unstarted(this::look);
  }

  public ApiRoutes api() {
    return api;
  }

  /** Begins to look. */
  public void open() {
    thread.start();
  }

  /** Connectors whose sinks give what they take to the console too. */
  public Map<String, ConnectorFactory> tapped(Map<String, ConnectorFactory> connectors) {
    Map<String, ConnectorFactory> tapped = new LinkedHashMap<>();
    connectors.forEach(
        (name, connector) -> tapped.put(name, new TappedConnector(connector, state.taps())));
    return tapped;
  }

  public void started(Supplier<JobCounters> jobCounters, Supplier<List<LeftOut>> jobLeftOut) {
    counters = jobCounters;
    leftOut = jobLeftOut;
  }

  public void report(Severity severity, String message) {
    broadcast.publish(
        Event.of("log", Json.write(state.log().add(clock.millis(), severity, message))));
  }

  private void look() {
    try {
      while (!ending.await(
          broadcast.listeners() > 0 ? HEARD_MILLIS : UNHEARD_MILLIS, TimeUnit.MILLISECONDS)) {
        publishRows();
        long now = nanoClock.getAsLong();
        if (now - countersAt >= COUNTERS_NANOS) {
          countersAt = now;
          events.closeStuck();
          publishCounters();
          publishAlarms();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      report(Severity.ERROR, "the console shows nothing new any more, by a fault in Sedge: " + e);
    }
  }

  private void publishRows() {
    boolean heard = broadcast.listeners() > 0;
    state
        .taps()
        .forEach(
            (name, tap) -> {
              tap.event(heard).ifPresent(broadcast::publish);
              if (!heard) {
                broadcast.passed(name, tap.total());
              }
            });
  }

  private void publishCounters() {
    if (broadcast.listeners() > 0) {
      broadcast.publish(
          Event.of("counters", Json.write(new Counters(counters.get(), clock.millis()))));
    }
  }

  /** How many there are; the page asks for them if that has changed. */
  private void publishAlarms() {
    AlarmCounts counts = state.alarms().read(alarms -> alarms.counts(clock.millis()));
    if (broadcast.listeners() > 0 && !counts.equals(toldAlarms)) {
      toldAlarms = counts;
      broadcast.publish(Event.of("alarms", Json.write(AlarmJson.counts(counts))));
    }
  }

  /**
   * Tells all who listen that the job has ended, after its last rows.
   *
   * @param failure why, if it has failed
   * @param nanos for how long to wait for them
   */
  public void end(@Nullable String failure, long nanos) throws InterruptedException {
    ending.countDown();
    thread.join();
    publishRows();
    publishCounters();
    broadcast.end(
        Event.of(
            "ended",
            Json.write(
                json -> {
                  json.writeStartObject();
                  if (failure != null) {
                    json.writeStringField("failure", failure);
                  }
                  json.writeEndObject();
                })));
    var _ = broadcast.awaitHeard(nanos);
  }
}
