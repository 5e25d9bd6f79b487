package io.sedge.bench.peers;

import io.sedge.bench.Contender;
import io.sedge.bench.Meter;
import io.sedge.bench.Pace;
import io.sedge.bench.Readings;
import io.sedge.bench.Workload;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamUtils;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.functions.windowing.WindowFunction;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;

/**
 * Flink's DataStream API: an incremental aggregate on the heap backend, without a network exchange
 * (the one instance has all keys); watermarks every 200 ms, as is Flink's default.
 */
public final class FlinkDataStreamJob implements Contender {
  @Override
  public void run(Workload workload, Readings readings, Meter meter) throws Exception {
    StreamExecutionEnvironment environment =
        FlinkInput.environment(workload, readings, meter, null);
    WindowAssigner<Object, TimeWindow> windows =
        workload == Workload.W2
            ? SlidingEventTimeWindows.of(
                Duration.ofMillis(workload.sizeMs()), Duration.ofMillis(Workload.SLIDE_MS))
            : TumblingEventTimeWindows.of(Duration.ofMillis(workload.sizeMs()));
    DataStream<Reading> timed =
        FlinkInput.readings(environment)
            .assignTimestampsAndWatermarks(
                WatermarkStrategy.<Reading>forMonotonousTimestamps()
                    .withTimestampAssigner((reading, before) -> reading.ts));
    DataStreamUtils.reinterpretAsKeyedStream(
            timed.filter(reading -> reading.value >= Workload.THRESHOLD),
            reading -> reading.id,
            TypeInformation.of(String.class))
        .window(windows)
        .aggregate(new Aggregate(), new Emit())
        .sinkTo(new DiscardingSink<>());
    environment.execute();
  }

  @Override
  public void run(Readings readings, Pace pace) throws Exception {
    StreamExecutionEnvironment environment =
        FlinkInput.environment(Workload.W4, readings, null, pace);
    FlinkInput.readings(environment)
        .filter(reading -> reading.value >= Workload.THRESHOLD)
        .map(FlinkDataStreamJob::fahrenheit)
        .map(FlinkDataStreamJob::result)
        .sinkTo(new DiscardingSink<>());
    environment.execute();
  }

  private static Reading fahrenheit(Reading reading) {
    return new Reading(reading.id, reading.ts, reading.value * Workload.SCALE + Workload.SHIFT);
  }

  private static boolean result(Reading reading) {
    FlinkInput.pace().result(reading.ts, reading.value);
    return true;
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

  /** Hands a window's result to the meter. */
  private static final class Emit implements WindowFunction<Statistics, Long, String, TimeWindow> {
    private static final long serialVersionUID = 1;

    @Override
    public void apply(
        String id, TimeWindow window, Iterable<Statistics> results, Collector<Long> output) {
      for (Statistics statistics : results) {
        FlinkInput.meter().result(statistics.result(id, window.getEnd()));
        output.collect(statistics.count);
      }
    }
  }
}
