package io.sedge.bench.peers;

import com.espertech.esper.common.client.EventBean;
import com.espertech.esper.common.client.EventSender;
import com.espertech.esper.common.client.configuration.Configuration;
import com.espertech.esper.compiler.client.CompilerArguments;
import com.espertech.esper.compiler.client.EPCompilerProvider;
import com.espertech.esper.runtime.client.EPDeployment;
import com.espertech.esper.runtime.client.EPEventService;
import com.espertech.esper.runtime.client.EPRuntime;
import com.espertech.esper.runtime.client.EPRuntimeProvider;
import com.espertech.esper.runtime.client.UpdateListener;
import io.sedge.bench.Contender;
import io.sedge.bench.Meter;
import io.sedge.bench.Pace;
import io.sedge.bench.Readings;
import io.sedge.bench.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Esper: a context of 10 s that keeps aggregates and no events; hopping windows add up the slices
 * by hand, which is faster than Esper's own overlapping contexts. Time is event time, advanced when
 * the millisecond changes. Events are beans and go in by an event sender, as Esper's documentation
 * advises.
 */
public final class EsperJob implements Contender {
  private static final String WINDOWS =
      """
      create context Slice start @now end after 10 sec;
      @name('results') context Slice
      select id, count(*) as n, min(value) as lo, max(value) as hi, avg(value) as mean, sum(value) as s,
        sum(value * value) as q
      from Reading(value >= 10) group by id output snapshot when terminated;
      """;

  private static final String MAP =
      "@name('results') select id, ts, value * 1.8 + 32 as fahrenheit from Reading(value >= 10);";

  @Override
  public void run(Workload workload, Readings readings, Meter meter) throws Exception {
    EPRuntime runtime = runtime();
    Windows windows = new Windows(workload, meter);
    deploy(runtime, WINDOWS, (added, removed, statement, source) -> windows.slice(added));
    EPEventService events = runtime.getEventService();
    EventSender sender = events.getEventSender("Reading");
    PayloadParser parser = new PayloadParser(workload, readings);
    long now = Readings.START_MS;
    for (long i = 0; i < meter.total(); i++) {
      meter.reading(i);
      Reading reading = parser.reading(i);
      if (reading.ts != now) {
        now = reading.ts;
        events.advanceTime(now);
      }
      sender.sendEvent(reading);
    }
    events.advanceTime((now / Workload.SLIDE_MS + 1) * Workload.SLIDE_MS);
    windows.finish();
    runtime.destroy();
  }

  @Override
  public void run(Readings readings, Pace pace) throws Exception {
    EPRuntime runtime = runtime();
    deploy(
        runtime,
        MAP,
        (added, removed, statement, source) -> {
          for (EventBean row : added) {
            pace.result((Long) row.get("ts"), (Double) row.get("fahrenheit"));
          }
        });
    EventSender sender = runtime.getEventService().getEventSender("Reading");
    PayloadParser parser = new PayloadParser(Workload.W4, readings);
    pace.start();
    for (long i = 0; i < pace.total(); i++) {
      pace.awaitDue(i);
      sender.sendEvent(parser.reading(i));
    }
    runtime.destroy();
  }

  private static Configuration configuration() {
    Configuration configuration = new Configuration();
    configuration.getCommon().addEventType(Reading.class);
    configuration.getRuntime().getThreading().setInternalTimerEnabled(false);
    return configuration;
  }

  private static EPRuntime runtime() {
    EPRuntime runtime = EPRuntimeProvider.getRuntime("bench", configuration());
    runtime.initialize();
    runtime.getEventService().advanceTime(Readings.START_MS);
    return runtime;
  }

  private static void deploy(EPRuntime runtime, String epl, UpdateListener listener)
      throws Exception {
    EPDeployment deployment =
        runtime
            .getDeploymentService()
            .deploy(
                EPCompilerProvider.getCompiler()
                    .compile(epl, new CompilerArguments(configuration())));
    runtime
        .getDeploymentService()
        .getStatement(deployment.getDeploymentId(), "results")
        .addListener(listener);
  }

  /** Adds up the last slices. */
  private static final class Windows {
    private final int slicesPerWindow;
    private final Meter meter;
    private final List<Map<String, Statistics>> slices = new ArrayList<>();
    private long end = Readings.START_MS;

    Windows(Workload workload, Meter meter) {
      this.slicesPerWindow = workload.windowsPerReading();
      this.meter = meter;
    }

    void slice(EventBean[] rows) {
      Map<String, Statistics> slice = new HashMap<>();
      for (EventBean row : rows) {
        Statistics statistics = new Statistics();
        statistics.count = (Long) row.get("n");
        if (statistics.count > 0) {
          statistics.sum = (Double) row.get("s");
          statistics.squares = (Double) row.get("q");
          statistics.min = (Double) row.get("lo");
          statistics.max = (Double) row.get("hi");
          slice.put((String) row.get("id"), statistics);
        }
      }
      fire(slice);
    }

    void finish() {
      for (int i = 1; i < slicesPerWindow; i++) {
        fire(Map.of());
      }
    }

    private void fire(Map<String, Statistics> slice) {
      end += Workload.SLIDE_MS;
      slices.add(slice);
      if (slices.size() > slicesPerWindow) {
        slices.removeFirst();
      }
      Map<String, Statistics> window = new HashMap<>();
      for (Map<String, Statistics> part : slices) {
        part.forEach(
            (id, statistics) ->
                window.computeIfAbsent(id, key -> new Statistics()).merge(statistics));
      }
      window.forEach((id, statistics) -> meter.result(statistics.result(id, end)));
    }
  }
}
