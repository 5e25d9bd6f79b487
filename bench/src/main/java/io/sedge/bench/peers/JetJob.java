package io.sedge.bench.peers;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.jet.aggregate.AggregateOperation;
import com.hazelcast.jet.aggregate.AggregateOperation1;
import com.hazelcast.jet.config.JobConfig;
import com.hazelcast.jet.pipeline.BatchSource;
import com.hazelcast.jet.pipeline.Pipeline;
import com.hazelcast.jet.pipeline.Sink;
import com.hazelcast.jet.pipeline.SinkBuilder;
import com.hazelcast.jet.pipeline.SourceBuilder;
import com.hazelcast.jet.pipeline.WindowDefinition;
import io.sedge.bench.Contender;
import io.sedge.bench.Meter;
import io.sedge.bench.Readings;
import io.sedge.bench.Workload;
import org.jspecify.annotations.Nullable;

/**
 * Hazelcast Jet: one cooperative thread, one fused aggregate, two-stage windows as Jet plans them.
 */
public final class JetJob implements Contender {
  /** What the lambdas of the job reach; Jet serialises lambdas but runs them in this process. */
  private static final class Run {
    static @Nullable Workload workload;
    static @Nullable Readings readings;
    static @Nullable Meter meter;
  }

  @Override
  public void run(Workload workload, Readings readings, Meter meter) {
    Run.workload = workload;
    Run.readings = readings;
    Run.meter = meter;
    Config config = new Config();
    config.setProperty("hazelcast.logging.type", "none");
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.getJetConfig().setEnabled(true).setCooperativeThreadCount(1);
    config.getNetworkConfig().getJoin().getAutoDetectionConfig().setEnabled(false);
    config.getNetworkConfig().getJoin().getMulticastConfig().setEnabled(false);
    config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
    HazelcastInstance jet = Hazelcast.newHazelcastInstance(config);
    try {
      jet.getJet().newJob(pipeline(workload), new JobConfig()).join();
    } finally {
      jet.shutdown();
    }
  }

  private static Pipeline pipeline(Workload workload) {
    Pipeline pipeline = Pipeline.create();
    WindowDefinition window =
        workload == Workload.W2
            ? WindowDefinition.sliding(workload.sizeMs(), Workload.SLIDE_MS)
            : WindowDefinition.tumbling(workload.sizeMs());
    pipeline
        .readFrom(source())
        .addTimestamps(reading -> reading.ts, 0)
        .filter(reading -> reading.value >= Workload.THRESHOLD)
        .groupingKey(reading -> reading.id)
        .window(window)
        .aggregate(statistics())
        .writeTo(sink());
    return pipeline;
  }

  private static AggregateOperation1<Reading, Statistics, Statistics> statistics() {
    return AggregateOperation.withCreate(Statistics::new)
        .<Reading>andAccumulate((statistics, reading) -> statistics.add(reading.value))
        .andCombine((a, b) -> a.merge(b))
        .andExport(statistics -> new Statistics().merge(statistics))
        .andFinish(statistics -> statistics);
  }

  private static BatchSource<Reading> source() {
    return SourceBuilder.batch("readings", context -> new Cursor())
        .<Reading>fillBufferFn(
            (cursor, buffer) -> {
              for (int n = 0; n < 1024; n++) {
                if (cursor.next == cursor.meter.total()) {
                  buffer.close();
                  return;
                }
                cursor.meter.reading(cursor.next);
                buffer.add(cursor.parser.reading(cursor.next++));
              }
            })
        .build();
  }

  private static Sink<com.hazelcast.jet.datamodel.KeyedWindowResult<String, Statistics>> sink() {
    return SinkBuilder.sinkBuilder("results", context -> new Cursor())
        .<com.hazelcast.jet.datamodel.KeyedWindowResult<String, Statistics>>receiveFn(
            (cursor, window) ->
                cursor.meter.result(window.result().count, window.result().deviation()))
        .build();
  }

  /** Where the source is. */
  private static final class Cursor {
    final Meter meter;
    final PayloadParser parser;
    long next;

    Cursor() {
      meter = java.util.Objects.requireNonNull(Run.meter);
      parser =
          new PayloadParser(
              java.util.Objects.requireNonNull(Run.workload),
              java.util.Objects.requireNonNull(Run.readings));
    }
  }
}
