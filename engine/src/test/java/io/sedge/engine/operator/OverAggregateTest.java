package io.sedge.engine.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.operator.Plans.Reading;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.testkit.OperatorHarness;
import io.sedge.engine.testkit.Rows;
import io.sedge.engine.testkit.StateImage;
import io.sedge.engine.testkit.TestFunctions;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OverAggregateTest {
  private static final List<AggregateCall> CALLS =
      List.of(
          Plans.call("COUNT", Type.BIGINT.notNull(), "n"),
          Plans.call("SUM", Type.BIGINT, "total"),
          Plans.call("MIN", Type.BIGINT, "least"),
          Plans.call("FIRST_VALUE", Type.BIGINT, "oldest"));

  private static PlanNode over(PlanNode.Frame frame, long delay, List<AggregateCall> calls) {
    return new PlanNode.OverAggregate(
        Plans.readings("t", delay),
        List.of(0),
        2,
        frame,
        calls,
        Plans.with(Plans.READINGS, calls.stream().map(AggregateCall::name).toArray(String[]::new)));
  }

  /** Flink's OVER functions, row by row, with lists. */
  private static final class Model {
    private final PlanNode.Frame frame;
    private final boolean bounded;
    private final Map<String, TreeMap<Long, List<Reading>>> waiting = new LinkedHashMap<>();
    private final Map<String, List<Reading>> out = new HashMap<>();
    private final Map<Reading, Long> arrivedAt = new HashMap<>();
    private final Map<List<@Nullable Object>, Integer> rows = new HashMap<>();
    private long watermark = Long.MIN_VALUE;
    private long late;

    Model(PlanNode.Frame frame) {
      this.frame = frame;
      this.bounded = frame.preceding() != Long.MAX_VALUE;
    }

    void add(Reading reading, long delay) {
      List<Reading> before =
          out.computeIfAbsent(Objects.requireNonNull(reading.sensor()), _ -> new ArrayList<>());
      long last = before.isEmpty() ? 0 : before.getLast().time();
      if (reading.time() <= (bounded ? last : watermark)) {
        late++;
      } else {
        arrivedAt.put(reading, watermark);
        waiting
            .computeIfAbsent(reading.sensor(), _ -> new TreeMap<>())
            .computeIfAbsent(reading.time(), _ -> new ArrayList<>())
            .add(reading);
      }
      advance(Math.max(watermark, reading.time() - delay));
    }

    void advance(long newWatermark) {
      if (newWatermark == watermark) {
        return;
      }
      watermark = newWatermark;
      waiting.forEach(
          (sensor, times) -> {
            while (!times.isEmpty() && times.firstKey() <= newWatermark) {
              give(Objects.requireNonNull(out.get(sensor)), times.pollFirstEntry().getValue());
            }
          });
    }

    private void give(List<Reading> before, List<Reading> peers) {
      if (!frame.rows()) {
        before.addAll(peers);
      }
      for (Reading reading : peers) {
        if (frame.rows()) {
          before.add(reading);
        }
        rows.merge(reading.row(results(reading, before)), 1, Integer::sum);
      }
    }

    private @Nullable Object[] results(Reading current, List<Reading> before) {
      long from =
          !bounded ? 0 : frame.rows() ? Math.max(0, before.size() - 1 - frame.preceding()) : 0;
      List<Long> values =
          before.stream()
              .skip(from)
              .filter(
                  other ->
                      frame.rows()
                          || !bounded
                          || other.time() >= current.time() - frame.preceding())
              .map(Reading::value)
              .filter(Objects::nonNull)
              .toList();
      return new Object[] {
        (long) values.size(),
        values.isEmpty() ? null : values.stream().mapToLong(Long::longValue).sum(),
        values.stream().min(Comparator.naturalOrder()).orElse(null),
        values.isEmpty() ? null : values.getFirst()
      };
    }
  }

  /** Bounds: 0 and more rows or microseconds; -1 for UNBOUNDED. */
  @ParameterizedTest
  @CsvSource({
    "true, 0",
    "true, 1",
    "true, 5",
    "true, -1",
    "false, 0",
    "false, 7",
    "false, 60",
    "false, -1"
  })
  void framesGiveWhatFlinksFunctionsGive(boolean byRows, long preceding) {
    long seed = System.nanoTime();
    for (int disorder : new int[] {0, 3, 30}) {
      Random random = new Random(seed);
      PlanNode.Frame frame = new PlanNode.Frame(byRows, preceding < 0 ? Long.MAX_VALUE : preceding);
      List<Reading> readings = Plans.random(random, 500, 4, disorder, 4);
      Model model = new Model(frame);
      readings.forEach(reading -> model.add(reading, 8));
      model.advance(Long.MAX_VALUE);
      OperatorHarness.Result result =
          Plans.feed(Plans.harness(over(frame, 8, CALLS)), "t", readings)
              .orderedBy(0)
              .seed(seed)
              .run();
      // A late row's key may have been forgotten after 1.5 times the range; see the operator.
      boolean exact = byRows || preceding < 0 || preceding * 3 / 2 > disorder;
      if (exact || model.late == 0) {
        assertThat(result.materialized("out"))
            .as("seed %d, disorder %d", seed, disorder)
            .isEqualTo(model.rows);
      }
    }
  }

  @Test
  void rowNumberAndLagCountRowsOfThePartition() {
    List<AggregateCall> calls =
        List.of(
            Plans.call("ROW_NUMBER", Type.BIGINT, "number"),
            Plans.call("LAG", Type.BIGINT, "last"),
            Plans.call("LAG", Type.BIGINT, "lastButOne", 2, -7L));
    List<Reading> readings =
        List.of(
            new Reading("a", 5L, 10, 0),
            new Reading("b", 6L, 10, 1),
            new Reading("a", null, 20, 2),
            new Reading("a", 7L, 15, 3),
            new Reading("a", 8L, 30, 4));
    OperatorHarness.Result result =
        Plans.feed(
                Plans.harness(over(new PlanNode.Frame(true, Long.MAX_VALUE), 100, calls)),
                "t",
                readings)
            .orderedBy(0)
            .run();
    assertThat(result.rows("out"))
        .containsExactly(
            readings.get(0).row(1L, null, -7L),
            readings.get(1).row(1L, null, -7L),
            readings.get(3).row(2L, 5L, -7L),
            readings.get(2).row(3L, 7L, 5L),
            readings.get(4).row(4L, null, 7L));
  }

  @Test
  void sumsOfDoublesAreTheSameToTheLastBitThoughRestored() {
    Random random = new Random(11);
    Schema schema = Rows.schema("k", Type.STRING, "x", Type.DOUBLE, "ts", Plans.TIME);
    PlanNode input =
        new PlanNode.Watermark(
            new PlanNode.Scan("t", schema), 2, TestFunctions.minus(2, Plans.TIME, 5));
    AggregateCall sum =
        new AggregateCall(
            "SUM", List.of(1), List.of(Type.DOUBLE), List.of(), -1, false, Type.DOUBLE, "s");
    PlanNode plan =
        new PlanNode.OverAggregate(
            input,
            List.of(0),
            2,
            new PlanNode.Frame(true, 9),
            List.of(sum),
            Schema.builder().addAll(schema).add("s", Type.DOUBLE).build());
    OperatorHarness harness = Plans.harness(plan).orderedBy(0);
    for (int i = 0; i < 20; i++) {
      Rows rows = Rows.of(schema);
      for (int j = 0; j < 20; j++) {
        rows.add("k" + random.nextInt(2), random.nextGaussian() * 1e6, i * 20L + j + 1);
      }
      harness.offer("t", rows.build());
    }
    assertThat(harness.advance("t", Long.MAX_VALUE).run().rows("out")).hasSize(400);
  }

  @Test
  void stateStaysBoundedHoweverLongItRuns() {
    Map<String, Output> sinks = Map.of("out", new CountingSink());
    Pipeline pipeline = Plans.compile(over(new PlanNode.Frame(false, 50), 10, CALLS), sinks);
    Random random = new Random(5);
    int most = 0;
    StateImage store = new StateImage();
    for (int i = 0; i < 400; i++) {
      List<Reading> readings = new ArrayList<>();
      for (int j = 0; j < 500; j++) {
        // Sensors come and go: those of batch i are gone in batch i + 1.
        readings.add(new Reading("s" + i + "-" + random.nextInt(20), 1L, i * 500L + j + 1, j));
      }
      assertThat(pipeline.source("t").offer(Plans.batch(readings))).isTrue();
      if (i % 7 == 0) {
        pipeline.writeChanges(store);
        assertThat(store).isEqualTo(StateImage.snapshotOf(pipeline));
      }
      most = Math.max(most, StateImage.snapshotOf(pipeline).size());
    }
    assertThat(most).isLessThan(220);
    pipeline.checkInvariants();
  }
}
