package io.sedge.sql;

import static io.sedge.sql.Run.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.operator.Output;
import io.sedge.engine.operator.Pipeline;
import io.sedge.engine.state.StateWriter;
import io.sedge.learning.Detectors;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A job with detectors that dies again and again gives the rows of one that does not. */
class DetectorRestoreTest {
  private static final long SEED = 20_261_126;
  private static final int BATCHES = 60;
  private static final int ROWS = 20;

  private static Job job() {
    List<String> calls = new ArrayList<>();
    for (String name : Detectors.names()) {
      calls.add("%s(%s) OVER w".formatted(name, Detectors.columns(name) == 2 ? "v, ts, 600" : "v"));
    }
    return Run.compile(
        """
        CREATE TABLE t (id STRING, v DOUBLE, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND)
          WITH ('connector' = 'memory');
        SELECT id, ts, %s FROM t WINDOW w AS (PARTITION BY id ORDER BY ts);
        """
            .formatted(String.join(", ", calls)));
  }

  private static List<Batch> batches(Job job) {
    Random random = new Random(SEED);
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < BATCHES; i++) {
      BatchBuilder builder = new BatchBuilder(job.sources().get("t").table().schema());
      for (int row = 0; row < ROWS; row++) {
        long time = at("00:00:00") + (i * ROWS + row) * 250_000L - random.nextInt(4) * 250_000L;
        builder.addRow("s" + random.nextInt(2), random.nextGaussian() + i / 40 * 9, time);
      }
      batches.add(builder.build());
    }
    return batches;
  }

  /** The state that a ledger would have: what was put and not removed since. */
  private static final class Kept implements StateWriter {
    private final Map<String, Map.Entry<byte[], byte[]>> entries = new TreeMap<>();

    @Override
    public void put(byte[] key, byte[] value) {
      entries.put(java.util.HexFormat.of().formatHex(key), Map.entry(key, value));
    }

    @Override
    public void remove(byte[] key) {
      entries.remove(java.util.HexFormat.of().formatHex(key));
    }
  }

  private static Pipeline pipeline(Job job, List<String> rows) {
    Map<String, Output> sinks = new LinkedHashMap<>();
    for (String name : job.sinks().keySet()) {
      sinks.put(
          name,
          new Output() {
            @Override
            public boolean offer(Batch batch) {
              for (int i = 0; i < batch.rows(); i++) {
                rows.add(batch.row(i).toString());
              }
              return true;
            }

            @Override
            public boolean advance(long watermark) {
              return true;
            }
          });
    }
    return Pipeline.compile(job.plan(), job.functions(), job.aggregates(), sinks);
  }

  @Test
  void scoresSurviveEveryFailover() {
    Job job = job();
    List<String> whole = new ArrayList<>();
    Pipeline uninterrupted = pipeline(job, whole);
    assertThat(uninterrupted.start()).isTrue();
    List<String> moved = new ArrayList<>();
    Kept kept = new Kept();
    Pipeline current = pipeline(job, moved);
    assertThat(current.start()).isTrue();
    for (Batch batch : batches(job)) {
      assertThat(uninterrupted.source("t").offer(batch)).isTrue();
      assertThat(current.source("t").offer(batch)).isTrue();
      current.writeChanges(kept);
      current = pipeline(job(), moved); // Another device, which compiles the script itself.
      current.restore(kept.entries.values());
      assertThat(current.start()).isTrue();
      current.checkInvariants();
    }
    assertThat(uninterrupted.source("t").advance(Long.MAX_VALUE)).isTrue();
    assertThat(current.source("t").advance(Long.MAX_VALUE)).isTrue();
    assertThat(whole).hasSizeGreaterThan(1_100);
    assertThat(whole.getLast()).doesNotContain("null");
    assertThat(moved).isEqualTo(whole);
  }
}
