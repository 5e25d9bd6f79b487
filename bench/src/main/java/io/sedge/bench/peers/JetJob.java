package io.sedge.bench.peers;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.jet.aggregate.AggregateOperation;
import com.hazelcast.jet.aggregate.AggregateOperation1;
import com.hazelcast.jet.config.JobConfig;
import com.hazelcast.jet.datamodel.KeyedWindowResult;
import com.hazelcast.jet.pipeline.BatchSource;
import com.hazelcast.jet.pipeline.Pipeline;
import com.hazelcast.jet.pipeline.Sink;
import com.hazelcast.jet.pipeline.SinkBuilder;
import com.hazelcast.jet.pipeline.SourceBuilder;
import com.hazelcast.jet.pipeline.WindowDefinition;
import io.sedge.bench.Contender;
import io.sedge.bench.Meter;
import io.sedge.bench.Pace;
import io.sedge.bench.Readings;
import io.sedge.bench.Workload;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Hazelcast Jet: one cooperative thread, one fused aggregate, two-stage windows as Jet plans them.
 */
public final class JetJob implements Contender {
  private static final int AT_ONCE = 1024;

  /** What the lambdas of the job reach; Jet serialises lambdas but runs them in this process. */
  private static final class Run {
    static @Nullable Workload workload;
    static @Nullable Readings readings;
    static @Nullable Meter meter;
    static @Nullable Pace pace;
  }

  @Override
  public void run(Workload workload, Readings readings, Meter meter) {
    Run.workload = workload;
    Run.readings = readings;
    Run.meter = meter;
    execute(windows(workload));
  }

  @Override
  public void run(Readings readings, Pace pace) {
    Run.workload = Workload.W4;
    Run.readings = readings;
    Run.pace = pace;
    Pipeline pipeline = Pipeline.create();
    pipeline
        .readFrom(paced())
        .filter(reading -> reading.value >= Workload.THRESHOLD)
        .map(JetJob::fahrenheit)
        .writeTo(pacedResults());
    execute(pipeline);
  }

  private static void execute(Pipeline pipeline) {
    Config config = new Config();
    config.setProperty("hazelcast.logging.type", "none");
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.getJetConfig().setEnabled(true).setCooperativeThreadCount(1);
    config.getNetworkConfig().getJoin().getAutoDetectionConfig().setEnabled(false);
    config.getNetworkConfig().getJoin().getMulticastConfig().setEnabled(false);
    config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
    HazelcastInstance jet = Hazelcast.newHazelcastInstance(config);
    try {
      jet.getJet().newJob(pipeline, new JobConfig()).join();
    } finally {
      jet.shutdown();
    }
  }

  private static Pipeline windows(Workload workload) {
    Pipeline pipeline = Pipeline.create();
    WindowDefinition window =
        workload == Workload.W2
            ? WindowDefinition.sliding(workload.sizeMs(), Workload.SLIDE_MS)
            : WindowDefinition.tumbling(workload.sizeMs());
    pipeline
        .readFrom(readings())
        .addTimestamps(reading -> reading.ts, 0)
        .filter(reading -> reading.value >= Workload.THRESHOLD)
        .groupingKey(reading -> reading.id)
        .window(window)
        .aggregate(statistics())
        .writeTo(results());
    return pipeline;
  }

  private static AggregateOperation1<Reading, Statistics, Statistics> statistics() {
    return AggregateOperation.withCreate(Statistics::new)
        .<Reading>andAccumulate((statistics, reading) -> statistics.add(reading.value))
        .andCombine((a, b) -> a.merge(b))
        .andExport(statistics -> new Statistics().merge(statistics))
        .andFinish(statistics -> statistics);
  }

  private static BatchSource<Reading> readings() {
    return SourceBuilder.batch("readings", context -> new Cursor())
        .<Reading>fillBufferFn(
            (cursor, buffer) -> {
              Meter meter = meter();
              for (int n = 0; n < AT_ONCE; n++) {
                if (cursor.next == meter.total()) {
                  buffer.close();
                  return;
                }
                meter.reading(cursor.next);
                buffer.add(cursor.parser.reading(cursor.next++));
              }
            })
        .build();
  }

  private static Sink<KeyedWindowResult<String, Statistics>> results() {
    return SinkBuilder.sinkBuilder("results", context -> meter())
        .<KeyedWindowResult<String, Statistics>>receiveFn(
            (meter, window) -> meter.result(window.result().result(window.key(), window.end())))
        .build();
  }

  private static BatchSource<Reading> paced() {
    return SourceBuilder.batch("readings", context -> new Cursor())
        .<Reading>fillBufferFn(
            (cursor, buffer) -> {
              Pace pace = pace();
              if (cursor.next == 0) {
                pace.start();
              }
              long until = Math.min(pace.due(), cursor.next + AT_ONCE);
              while (cursor.next < until) {
                buffer.add(cursor.parser.reading(cursor.next++));
              }
              if (cursor.next == pace.total()) {
                buffer.close();
              }
            })
        .build();
  }

  private static Reading fahrenheit(Reading reading) {
    return new Reading(reading.id, reading.ts, reading.value * Workload.SCALE + Workload.SHIFT);
  }

  private static Sink<Reading> pacedResults() {
    return SinkBuilder.sinkBuilder("results", context -> pace())
        .<Reading>receiveFn((pace, reading) -> pace.result(reading.ts, reading.value))
        .build();
  }

  private static Meter meter() {
    return Objects.requireNonNull(Run.meter);
  }

  private static Pace pace() {
    return Objects.requireNonNull(Run.pace);
  }

  /** Where the source is. */
  private static final class Cursor {
    final PayloadParser parser =
        new PayloadParser(
            Objects.requireNonNull(Run.workload), Objects.requireNonNull(Run.readings));
    long next;
  }
}
