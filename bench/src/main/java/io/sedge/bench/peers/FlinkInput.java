package io.sedge.bench.peers;

import io.sedge.bench.Meter;
import io.sedge.bench.Pace;
import io.sedge.bench.Readings;
import io.sedge.bench.Workload;
import java.util.Objects;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/**
 * The input of both Flink programs: a sequence mapped to readings in the same operator chain,
 * object reuse on, one parallel instance. Flink runs in this process, so what its functions cannot
 * carry is reached through statics.
 */
final class FlinkInput {
  private static @Nullable Workload workload;
  private static @Nullable Readings readings;
  private static @Nullable Meter meter;
  private static @Nullable Pace pace;

  private FlinkInput() {}

  static StreamExecutionEnvironment environment(
      Workload newWorkload,
      Readings newReadings,
      @Nullable Meter newMeter,
      @Nullable Pace newPace) {
    workload = newWorkload;
    readings = newReadings;
    meter = newMeter;
    pace = newPace;
    Configuration configuration = new Configuration();
    configuration.set(PipelineOptions.OBJECT_REUSE, true);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(1, configuration);
    environment.setParallelism(1);
    return environment;
  }

  static DataStream<Reading> readings(StreamExecutionEnvironment environment) {
    return environment.fromSequence(0, total() - 1).map(new Read()).returns(Reading.class);
  }

  static long total() {
    return meter == null ? pace().total() : meter.total();
  }

  static Workload workload() {
    return Objects.requireNonNull(workload);
  }

  static Readings source() {
    return Objects.requireNonNull(readings);
  }

  static Meter meter() {
    return Objects.requireNonNull(meter);
  }

  static Pace pace() {
    return Objects.requireNonNull(pace);
  }

  /** Reading i is about to go in, or waits until it is due. */
  static void next(long i) {
    if (meter != null) {
      meter.reading(i);
    } else {
      if (i == 0) {
        pace().start();
      }
      pace().awaitDue(i);
    }
  }

  /** Number to reading. */
  private static final class Read extends RichMapFunction<Long, Reading> {
    private static final long serialVersionUID = 1;

    private transient @Nullable PayloadParser parser;

    @Override
    public void open(OpenContext context) {
      parser = new PayloadParser(workload(), source());
    }

    @Override
    public Reading map(Long i) {
      next(i);
      return Objects.requireNonNull(parser).reading(i);
    }
  }
}
