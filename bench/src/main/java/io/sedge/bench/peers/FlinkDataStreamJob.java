package io.sedge.bench.peers;

import io.sedge.bench.Contender;
import io.sedge.bench.Meter;
import io.sedge.bench.Readings;
import io.sedge.bench.Workload;
import java.time.Duration;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStreamUtils;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

/**
 * Flink's DataStream API: an incremental aggregate on the heap backend, without a network exchange
 * (the one instance has all keys).
 */
public final class FlinkDataStreamJob implements Contender {
  @Override
  public void run(Workload workload, Readings readings, Meter meter) throws Exception {
    StreamExecutionEnvironment environment = FlinkInput.environment(workload, readings, meter);
    WindowAssigner<Object, TimeWindow> windows =
        workload == Workload.W2
            ? SlidingEventTimeWindows.of(
                Duration.ofMillis(workload.sizeMs()), Duration.ofMillis(Workload.SLIDE_MS))
            : TumblingEventTimeWindows.of(Duration.ofMillis(workload.sizeMs()));
    DataStreamUtils.reinterpretAsKeyedStream(
            FlinkInput.readings(environment).filter(reading -> reading.value >= Workload.THRESHOLD),
            reading -> reading.id,
            TypeInformation.of(String.class))
        .window(windows)
        .aggregate(new Aggregate())
        .map(FlinkDataStreamJob::result)
        .sinkTo(new DiscardingSink<>());
    environment.execute();
  }

  private static long result(Statistics statistics) {
    FlinkInput.meter().result(statistics.count, statistics.deviation());
    return statistics.count;
  }

  /** The statistics of a window. */
  private static final class Aggregate
      implements AggregateFunction<Reading, Statistics, Statistics> {
    private static final long serialVersionUID = 1;

    @Override
    public Statistics createAccumulator() {
      return new Statistics();
    }

    @Override
    public Statistics add(Reading reading, Statistics statistics) {
      statistics.add(reading.value);
      return statistics;
    }

    @Override
    public Statistics getResult(Statistics statistics) {
      return statistics;
    }

    @Override
    public Statistics merge(Statistics a, Statistics b) {
      return a.merge(b);
    }
  }
}
