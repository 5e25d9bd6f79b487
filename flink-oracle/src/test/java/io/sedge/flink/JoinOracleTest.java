package io.sedge.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.aggregate.AggregateRegistry;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.expression.BuiltinFunctions;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.operator.Output;
import io.sedge.engine.operator.Pipeline;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.PlanNode.JoinKind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Joins of two inputs whose rows and watermarks come in the same order on Flink's operators and on
 * Sedge's: a test of whole queries cannot have late rows there, because in Flink it is left to
 * chance which input is ahead.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class JoinOracleTest {
  private static final long MICROS = 1_000;
  private static final int RUNS = 12;
  private static final Schema SIDE =
      Schema.builder()
          .add("k", Type.STRING)
          .add("v", Type.INT)
          .add("ts", Type.timestamp(3))
          .build();

  private static final String TABLES =
      """
      CREATE TABLE l (k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen');
      CREATE TABLE r (k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen');
      """;

  private Flink flink;

  @BeforeAll
  void start() throws IOException {
    flink = new Flink();
  }

  @AfterAll
  void stop() {
    flink.close();
  }

  /** Times apart that join, in milliseconds: left less right. */
  private record Bounds(long lower, long upper) {}

  @ParameterizedTest
  @EnumSource(JoinKind.class)
  void rowsAboveTheWatermarkMeetAllThatIsInTheirInterval(JoinKind kind) throws IOException {
    long seed = System.nanoTime();
    for (int run = 0; run < RUNS; run++) {
      Random random = new Random(seed + run);
      Bounds bounds = bounds(random);
      List<String> steps = steps(random, 0);
      assertThat(sedge(kind, bounds, false, steps))
          .as("seed %d, %s, %s", seed + run, bounds, steps)
          .isEqualTo(counted(flink.join(TABLES, query(kind, bounds), steps)));
    }
  }

  /** Flink removes what has expired by timers that are behind, and lets late rows meet it. */
  @Test
  void lateRowsMeetNothingThatTheyDoNotMeetInFlink() throws IOException {
    long seed = System.nanoTime();
    for (int run = 0; run < RUNS; run++) {
      Random random = new Random(seed + run);
      Bounds bounds = bounds(random);
      List<String> steps = steps(random, 30);
      Map<List<@Nullable Object>, Integer> flinks =
          counted(flink.join(TABLES, query(JoinKind.INNER, bounds), steps));
      Map<List<@Nullable Object>, Integer> sedges = sedge(JoinKind.INNER, bounds, false, steps);
      assertThat(sedges)
          .as("seed %d, %s, %s", seed + run, bounds, steps)
          .allSatisfy(
              (row, count) -> assertThat(count).isLessThanOrEqualTo(flinks.getOrDefault(row, 0)));
    }
  }

  /** The rows of a window that is over are dropped. */
  @ParameterizedTest
  @EnumSource(JoinKind.class)
  void rowsOfWindowsMeetThoseOfTheSameWindowUntilItIsOver(JoinKind kind) throws IOException {
    long seed = System.nanoTime();
    String windows =
        "(SELECT * FROM TABLE(TUMBLE(TABLE %s, DESCRIPTOR(ts), INTERVAL '0.001' SECOND))) %s";
    String query =
        "SELECT l.k, l.v, l.ts, r.k, r.v, r.ts FROM %s %s JOIN %s ON l.k = r.k AND l.v >= r.v AND l.window_start = r.window_start AND l.window_end = r.window_end"
            .formatted(windows.formatted("l", "l"), kind, windows.formatted("r", "r"));
    for (int run = 0; run < RUNS; run++) {
      List<String> steps = steps(new Random(seed + run), 15);
      assertThat(sedge(kind, new Bounds(0, 0), true, steps))
          .as("seed %d, %s", seed + run, steps)
          .isEqualTo(counted(flink.join(TABLES, query, steps)));
    }
  }

  private static Bounds bounds(Random random) {
    long one = random.nextLong(-20, 20);
    long other = random.nextLong(-20, 20);
    return new Bounds(Math.min(one, other), Math.max(one, other));
  }

  private static String query(JoinKind kind, Bounds bounds) {
    return "SELECT l.k, l.v, l.ts, r.k, r.v, r.ts FROM l %s JOIN r ON l.k = r.k AND l.v >= r.v AND l.ts BETWEEN r.ts + INTERVAL '%s' SECOND AND r.ts + INTERVAL '%s' SECOND"
        .formatted(kind, seconds(bounds.lower), seconds(bounds.upper));
  }

  private static String seconds(long millis) {
    return "%s%d.%03d"
        .formatted(millis < 0 ? "-" : "", Math.abs(millis) / 1000, Math.abs(millis) % 1000);
  }

  /**
   * Rows and watermarks of both sides. Rows come at the watermark of their own side plus 1, or
   * later; or, if they may be late, some before.
   */
  private static List<String> steps(Random random, int late) {
    List<String> steps = new ArrayList<>();
    long[] watermarks = {1_000, 1_000};
    for (int i = 0; i < 120; i++) {
      int side = random.nextInt(2);
      if (random.nextInt(3) == 0) {
        watermarks[side] += random.nextInt(12);
        steps.add("w%s %d".formatted(side == 0 ? "l" : "r", watermarks[side]));
      } else {
        long time =
            watermarks[side] + 1 + random.nextInt(10) - (late > 0 ? random.nextInt(late) : 0);
        steps.add(
            "%s k%d %d %d"
                .formatted(side == 0 ? "l" : "r", random.nextInt(3), random.nextInt(4), time));
      }
    }
    steps.add("wl " + Long.MAX_VALUE);
    steps.add("wr " + Long.MAX_VALUE);
    return steps;
  }

  private static Map<List<@Nullable Object>, Integer> counted(Answer answer) {
    assertThat(answer).isInstanceOf(Answer.Rows.class);
    Map<List<@Nullable Object>, Integer> counts = new HashMap<>();
    ((Answer.Rows) answer)
        .changes()
        .forEach(row -> counts.merge(row.subList(1, row.size()), 1, Integer::sum));
    return counts;
  }

  private static Map<List<@Nullable Object>, Integer> sedge(
      JoinKind kind, Bounds bounds, boolean ofWindows, List<String> steps) {
    Collected collected = new Collected();
    PlanNode join =
        new PlanNode.IntervalJoin(
            new PlanNode.Scan("l", SIDE),
            new PlanNode.Scan("r", SIDE),
            kind,
            List.of(0),
            List.of(0),
            2,
            2,
            bounds.lower * MICROS,
            bounds.upper * MICROS,
            ofWindows,
            Optional.of(
                new Expression.Call(
                    ">=",
                    List.of(new Expression.Input(1, Type.INT), new Expression.Input(4, Type.INT)),
                    Type.BOOLEAN)),
            Schema.builder()
                .addAll(SIDE)
                .add("k2", Type.STRING)
                .add("v2", Type.INT)
                .add("ts2", Type.timestamp(3))
                .build());
    Pipeline pipeline =
        Pipeline.compile(
            new Plan(List.of(new Plan.SinkNode("out", join))),
            BuiltinFunctions.registry(ZoneOffset.UTC, InstantSource.system()),
            none(),
            Map.of("out", collected));
    for (String step : steps) {
      String[] words = step.split(" ", -1);
      if (words[0].startsWith("w")) {
        long millis = Long.parseLong(words[1]);
        assertThat(
                pipeline
                    .source(words[0].substring(1))
                    .advance(millis == Long.MAX_VALUE ? millis : millis * MICROS))
            .isTrue();
      } else {
        BatchBuilder row = new BatchBuilder(SIDE);
        row.column(0).add(words[1]);
        row.column(1).addInt(Integer.parseInt(words[2]));
        row.column(2).addLong(Long.parseLong(words[3]) * MICROS);
        row.endRow();
        assertThat(pipeline.source(words[0]).offer(row.build())).isTrue();
      }
    }
    pipeline.checkInvariants();
    return collected.rows;
  }

  private static AggregateRegistry none() {
    return call -> Optional.empty();
  }

  /** Rows as Flink's side gives them, counted. */
  private static final class Collected implements Output {
    final Map<List<@Nullable Object>, Integer> rows = new HashMap<>();

    @Override
    public boolean offer(Batch batch) {
      for (int row = 0; row < batch.rows(); row++) {
        List<@Nullable Object> values = new ArrayList<>();
        for (int column = 0; column < batch.columns().size(); column++) {
          Object value = batch.column(column).value(row);
          values.add(value instanceof Number number ? plain(number, column) : value);
        }
        rows.merge(values, 1, Integer::sum);
      }
      return true;
    }

    private static Object plain(Number value, int column) {
      return column % SIDE.size() == 2 ? value.longValue() / MICROS : value.longValue();
    }

    @Override
    public boolean advance(long watermark) {
      return true;
    }
  }
}
