package io.sedge.bench.peers;

import com.espertech.esper.common.client.EPCompiled;
import com.espertech.esper.common.client.EventBean;
import com.espertech.esper.common.client.configuration.Configuration;
import com.espertech.esper.compiler.client.CompilerArguments;
import com.espertech.esper.compiler.client.EPCompilerProvider;
import com.espertech.esper.runtime.client.EPDeployment;
import com.espertech.esper.runtime.client.EPEventService;
import com.espertech.esper.runtime.client.EPRuntime;
import com.espertech.esper.runtime.client.EPRuntimeProvider;
import io.sedge.bench.Contender;
import io.sedge.bench.Meter;
import io.sedge.bench.Readings;
import io.sedge.bench.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Esper: a context of 10 s that keeps aggregates and no events; hopping windows add up the slices
 * by hand, which is faster than Esper's own overlapping contexts. Time is event time, advanced when
 * the millisecond changes.
 */
public final class EsperJob implements Contender {
  private static final String EPL =
      """
      create context Slice start @now end after 10 sec;
      @name('slices') context Slice
      select id, count(*) as n, min(value) as lo, max(value) as hi, avg(value) as mean, sum(value) as s,
        sum(value * value) as q
      from Reading(value >= 10) group by id output snapshot when terminated;
      """;

  @Override
  public void run(Workload workload, Readings readings, Meter meter) throws Exception {
    Configuration configuration = new Configuration();
    configuration.getCommon().addEventType(Reading.class);
    configuration.getRuntime().getThreading().setInternalTimerEnabled(false);
    EPRuntime runtime = EPRuntimeProvider.getRuntime("bench", configuration);
    EPEventService events = runtime.getEventService();
    events.advanceTime(Readings.START_MS);
    EPCompiled compiled =
        EPCompilerProvider.getCompiler().compile(EPL, new CompilerArguments(configuration));
    EPDeployment deployment = runtime.getDeploymentService().deploy(compiled);
    Windows windows = new Windows((int) (workload.sizeMs() / Workload.SLIDE_MS), meter);
    runtime
        .getDeploymentService()
        .getStatement(deployment.getDeploymentId(), "slices")
        .addListener((added, removed, statement, source) -> windows.slice(added));
    PayloadParser parser = new PayloadParser(workload, readings);
    long now = Readings.START_MS;
    for (long i = 0; i < meter.total(); i++) {
      meter.reading(i);
      Reading reading = parser.reading(i);
      if (reading.ts != now) {
        now = reading.ts;
        events.advanceTime(now);
      }
      events.sendEventBean(reading, "Reading");
    }
    long end = (now / Workload.SLIDE_MS + 1) * Workload.SLIDE_MS;
    events.advanceTime(end);
    windows.finish();
    runtime.destroy();
  }

  /** Adds up the last slices. */
  private static final class Windows {
    private final int slicesPerWindow;
    private final Meter meter;
    private final List<Map<String, Statistics>> slices = new ArrayList<>();

    Windows(int slicesPerWindow, Meter meter) {
      this.slicesPerWindow = slicesPerWindow;
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
      window.values().forEach(result -> meter.result(result.count, result.deviation()));
    }
  }
}
