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
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OverAggregateTest {
  private static final long MICROS = 1_000;

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

  /** Flink's OVER functions, row by row, with lists and timers; times are milliseconds. */
  private static final class Model {
    /** What Flink keeps for one key. */
    private static final class State {
      private final TreeMap<Long, List<Reading>> waiting = new TreeMap<>();
      private final List<Reading> out = new ArrayList<>();
      private final TreeSet<Long> timers = new TreeSet<>();
      private @Nullable Long last;
      private @Nullable Long cleanup;
    }

    private final PlanNode.Frame frame;
    private final boolean bounded;
    private final Map<String, State> states = new LinkedHashMap<>();
    private final Map<List<@Nullable Object>, Integer> rows = new HashMap<>();
    private long watermark = Long.MIN_VALUE;
    private long late;

    Model(PlanNode.Frame frame) {
      this.frame = frame;
      this.bounded = frame.preceding() != Long.MAX_VALUE;
    }

    void add(Reading reading, long delay) {
      State state =
          states.computeIfAbsent(Objects.requireNonNull(reading.sensor()), _ -> new State());
      long last = state.last == null ? 0 : state.last;
      if (reading.time() <= (bounded ? last : watermark)) {
        late++;
      } else {
        state.waiting.computeIfAbsent(reading.time(), _ -> new ArrayList<>()).add(reading);
        state.timers.add(reading.time());
        if (bounded && !frame.rows()) {
          registerCleanup(state, reading.time());
        }
      }
      advance(Math.max(watermark, reading.time() - delay));
    }

    private void registerCleanup(State state, long time) {
      long least = time + frame.preceding() + 1;
      long most = time + (long) (frame.preceding() * 1.5) + 1;
      if (state.cleanup == null || state.cleanup < least) {
        state.timers.add(most);
        state.cleanup = most;
      }
    }

    void advance(long newWatermark) {
      if (newWatermark == watermark) {
        return;
      }
      watermark = newWatermark;
      for (State state : states.values()) {
        while (!state.timers.isEmpty() && state.timers.first() <= newWatermark) {
          fire(state, state.timers.removeFirst());
        }
      }
    }

    private void fire(State state, long timer) {
      if (state.cleanup != null && state.cleanup <= timer) {
        assertThat(state.waiting).isEmpty();
        state.out.clear();
        state.last = null;
        state.cleanup = null;
        return;
      }
      List<Reading> peers = state.waiting.remove(timer);
      if (peers != null) {
        give(state.out, peers);
      }
      state.last = timer;
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
    "false, 1",
    "false, 2",
    "false, 7",
    "false, 21",
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
          Plans.feed(
                  Plans.harness(over(inMicros(frame), 8 * MICROS, CALLS)), "t", inMicros(readings))
              .orderedBy(0)
              .seed(seed)
              .run();
      assertThat(result.materialized("out"))
          .as("seed %d, disorder %d", seed, disorder)
          .isEqualTo(inMicros(model.rows));
      assertThat(model.late > 0).as("seed %d, rows are late", seed).isEqualTo(disorder > 8);
    }
  }

  private static PlanNode.Frame inMicros(PlanNode.Frame frame) {
    return frame.rows() || frame.preceding() == Long.MAX_VALUE
        ? frame
        : new PlanNode.Frame(false, frame.preceding() * MICROS);
  }

  private static List<Reading> inMicros(List<Reading> readings) {
    return readings.stream()
        .map(each -> new Reading(each.sensor(), each.value(), each.time() * MICROS, each.arrival()))
        .toList();
  }

  private static Map<List<@Nullable Object>, Integer> inMicros(
      Map<List<@Nullable Object>, Integer> rows) {
    Map<List<@Nullable Object>, Integer> result = new HashMap<>();
    rows.forEach(
        (row, count) -> {
          List<@Nullable Object> values = new ArrayList<>(row);
          values.set(2, ((Number) Objects.requireNonNull(row.get(2))).longValue() * MICROS);
          result.put(values, count);
        });
    return result;
  }

  /**
   * Flink takes no timer back: an earlier one that is over makes rows late though none came out.
   */
  @Test
  void aTimerThatIsNoLongerTheLastMakesRowsBeforeItLate() {
    PlanNode plan = over(new PlanNode.Frame(false, 10 * MICROS), 0, CALLS);
    List<Reading> readings =
        inMicros(
            List.of(
                new Reading("a", 1L, 1, 0), // asks for 17
                new Reading("a", 2L, 7, 1), // asks for 23
                new Reading("b", 1L, 17, 2), // the watermark: 17 passes
                new Reading("a", 3L, 17, 3), // late
                new Reading("a", 4L, 18, 4)));
    assertThat(Plans.feed(Plans.harness(plan), "t", readings).run().rows("out"))
        .containsExactlyInAnyOrder(
            readings.get(0).row(1L, 1L, 1L, 1L),
            readings.get(1).row(2L, 3L, 1L, 1L),
            readings.get(2).row(1L, 1L, 1L, 1L),
            readings.get(4).row(1L, 4L, 4L, 4L));
  }

  @Test
  void aKeyThatIsForgottenTakesRowsOfAnyTimeAgain() {
    PlanNode plan = over(new PlanNode.Frame(false, 10 * MICROS), 0, CALLS);
    List<Reading> readings =
        inMicros(
            List.of(
                new Reading("a", 1L, 10, 0), // asks for 26
                new Reading("b", 1L, 26, 1), // the watermark
                new Reading("a", 2L, 5, 2), // comes out alone, at 27
                new Reading("a", 3L, 4, 3), // so does this, before it
                new Reading("b", 1L, 27, 4),
                new Reading("a", 4L, 6, 5))); // forgotten once more
    OperatorHarness.Result result = Plans.feed(Plans.harness(plan), "t", readings).run();
    assertThat(result.rows("out").stream().filter(row -> Objects.equals(row.getFirst(), "a")))
        .containsExactly(
            readings.get(0).row(1L, 1L, 1L, 1L),
            readings.get(3).row(1L, 3L, 3L, 3L),
            readings.get(2).row(2L, 5L, 2L, 3L),
            readings.get(5).row(1L, 4L, 4L, 4L));
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
    Pipeline pipeline =
        Plans.compile(over(new PlanNode.Frame(false, 50 * MICROS), 10 * MICROS, CALLS), sinks);
    Random random = new Random(5);
    int most = 0;
    StateImage store = new StateImage();
    for (int i = 0; i < 400; i++) {
      List<Reading> readings = new ArrayList<>();
      for (int j = 0; j < 500; j++) {
        // Sensors come and go: those of batch i are gone in batch i + 1.
        readings.add(
            new Reading("s" + i + "-" + random.nextInt(20), 1L, (i * 500L + j + 1) * MICROS, j));
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
