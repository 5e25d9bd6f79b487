package io.sedge.bench.peers;

import io.sedge.bench.Meter;
import io.sedge.bench.Readings;
import io.sedge.bench.Workload;
import java.io.Serializable;
import java.util.Objects;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/**
 * The input of both Flink programs: a sequence mapped to readings in the same operator chain,
 * object reuse on, one parallel instance, watermarks every 200 ms as is Flink's default. Flink runs
 * in this process, so what its functions cannot carry is reached through statics.
 */
final class FlinkInput {
  private static @Nullable Workload workload;
  private static @Nullable Readings readings;
  private static @Nullable Meter meter;

  private FlinkInput() {}

  static StreamExecutionEnvironment environment(
      Workload newWorkload, Readings newReadings, Meter newMeter) {
    workload = newWorkload;
    readings = newReadings;
    meter = newMeter;
    Configuration configuration = new Configuration();
    configuration.set(PipelineOptions.OBJECT_REUSE, true);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(1, configuration);
    environment.setParallelism(1);
    return environment;
  }

  static DataStream<Reading> readings(StreamExecutionEnvironment environment) {
    return environment
        .fromSequence(0, Objects.requireNonNull(meter).total() - 1)
        .map(new Read())
        .returns(Reading.class)
        .assignTimestampsAndWatermarks(
            WatermarkStrategy.<Reading>forMonotonousTimestamps()
                .withTimestampAssigner((reading, before) -> reading.ts));
  }

  static Meter meter() {
    return Objects.requireNonNull(meter);
  }

  /** Number to reading. */
  private static final class Read extends RichMapFunction<Long, Reading> implements Serializable {
    private static final long serialVersionUID = 1;

    private transient @Nullable PayloadParser parser;

    @Override
    public void open(OpenContext context) {
      parser =
          new PayloadParser(Objects.requireNonNull(workload), Objects.requireNonNull(readings));
    }

    @Override
    public Reading map(Long i) {
      meter().reading(i);
      return Objects.requireNonNull(parser).reading(i);
    }
  }
}
