package io.sedge.engine.operator.internal;

import static io.sedge.engine.operator.internal.WindowPlans.READINGS;
import static io.sedge.engine.operator.internal.WindowPlans.SECOND;
import static io.sedge.engine.operator.internal.WindowPlans.countAll;
import static io.sedge.engine.operator.internal.WindowPlans.ofValue;
import static io.sedge.engine.operator.internal.WindowPlans.plan;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.aggregate.BuiltinAggregates;
import io.sedge.engine.column.Batch;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.operator.Operator;
import io.sedge.engine.operator.Output;
import io.sedge.engine.operator.internal.WindowModel.Content;
import io.sedge.engine.operator.internal.WindowModel.Reading;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.Window;
import io.sedge.engine.testkit.OperatorHarness;
import io.sedge.engine.testkit.Rows;
import io.sedge.engine.testkit.StateImage;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random rows out of order, against {@link WindowModel}. */
class WindowPropertyTest {
  private static final int RUNS = 12;

  private static final List<AggregateCall> EXACT =
      List.of(
          countAll(),
          ofValue("COUNT"),
          ofValue("SUM"),
          ofValue("MIN"),
          ofValue("MAX"),
          ofValue("AVG"),
          new AggregateCall(
              "COUNT", List.of(2), List.of(Type.DOUBLE), List.of(), -1, true, Type.BIGINT, "d"),
          new AggregateCall(
              "PERCENTILE",
              List.of(2),
              List.of(Type.DOUBLE),
              List.of(new Expression.Literal(0.3, Type.DOUBLE)),
              -1,
              false,
              Type.DOUBLE,
              "p"));

  static Stream<Window> windows() {
    return Stream.of(
        new Window.Tumbling(10 * SECOND, 0),
        new Window.Tumbling(10 * SECOND, 3 * SECOND),
        new Window.Hopping(30 * SECOND, 5 * SECOND, 0),
        new Window.Hopping(26 * SECOND, 2 * SECOND, SECOND),
        new Window.Hopping(20 * SECOND, 20 * SECOND, -SECOND),
        new Window.Cumulating(30 * SECOND, 5 * SECOND, 0),
        new Window.Cumulating(20 * SECOND, 10 * SECOND, 7 * SECOND),
        new Window.Session(4 * SECOND));
  }

  private static List<Reading> readings(Random random, int count) {
    List<Reading> readings = new ArrayList<>();
    long greatest = Long.MIN_VALUE;
    long clock = -20 * SECOND;
    long delay = random.nextInt(8) * SECOND;
    String[] keys = {"a", "b", "c", null};
    for (int i = 0; i < count; i++) {
      clock += random.nextInt(10) == 0 ? random.nextInt(20) * SECOND : random.nextInt(1500) * 1000L;
      long time = clock - random.nextInt(random.nextInt(5) == 0 ? 40_000 : 3000) * 1000L;
      time -= random.nextInt(4) == 0 ? Math.floorMod(time, SECOND) : 0;
      Double value = random.nextInt(10) == 0 ? null : (random.nextInt(41) - 20) / 2.0;
      long watermark = greatest == Long.MIN_VALUE ? greatest : greatest - delay - 1000;
      readings.add(new Reading(time, keys[random.nextInt(keys.length)], value, watermark));
      greatest = Math.max(greatest, time);
    }
    return readings;
  }

  private static Batch batch(List<Reading> readings) {
    Rows rows = Rows.of(READINGS);
    for (Reading reading : readings) {
      rows.addAt(reading.watermark(), reading.time(), reading.key(), reading.value());
    }
    return rows.build();
  }

  private static List<@Nullable Object> expected(Content content) {
    double[] values =
        content.readings().stream()
            .map(Reading::value)
            .filter(Objects::nonNull)
            .mapToDouble(Double::doubleValue)
            .sorted()
            .toArray();
    boolean none = values.length == 0;
    double sum = Arrays.stream(values).sum();
    double position = 0.3 * (values.length - 1) + 1;
    int lower = (int) Math.floor(position);
    int upper = (int) Math.ceil(position);
    return Arrays.asList(
        content.key(),
        (long) content.readings().size(),
        (long) values.length,
        none ? null : sum,
        none ? null : values[0],
        none ? null : values[values.length - 1],
        none ? null : sum / values.length,
        Arrays.stream(values).distinct().count(),
        none
            ? null
            : values[lower - 1] == values[upper - 1]
                ? values[lower - 1]
                : (upper - position) * values[lower - 1] + (position - lower) * values[upper - 1],
        content.start(),
        content.end(),
        content.end() - 1000);
  }

  @ParameterizedTest
  @MethodSource("windows")
  void everyWindowHasTheRowsThatItsDefinitionGivesIt(Window window) {
    for (int run = 0; run < RUNS; run++) {
      long seed = System.nanoTime();
      Random random = new Random(seed);
      List<Reading> readings = readings(random, 1 + random.nextInt(120));
      WindowModel model = new WindowModel(window, readings);
      PlanNode.WindowAggregate node = plan(READINGS, window, List.of(1), EXACT);
      OperatorHarness.Result result =
          OperatorHarness.operator(
                  () -> WindowAggregates.operator(node, BuiltinAggregates.registry()))
              .seed(seed)
              .offer("0", batch(readings))
              .advance("0", Long.MAX_VALUE)
              .run();
      assertThat(result.rows("out"))
          .as("%s, seed %d", window, seed)
          .containsExactlyInAnyOrderElementsOf(
              model.contents().stream().map(WindowPropertyTest::expected).toList());
      assertThat(result.rows("out"))
          .as("ends in order, %s, seed %d", window, seed)
          .isSortedAccordingTo((a, b) -> Long.compare(end(a), end(b)));
      assertThat(lateRows(node, readings)).as("%s, seed %d", window, seed).isEqualTo(model.late());
    }
  }

  private static long end(List<@Nullable Object> row) {
    return (Long) Objects.requireNonNull(row.get(row.size() - 2));
  }

  private static long lateRows(PlanNode.WindowAggregate node, List<Reading> readings) {
    Operator operator = WindowAggregates.operator(node, BuiltinAggregates.registry());
    operator.process(0, batch(readings), new Collector());
    return operator.lateRows();
  }

  /** Shards see any of the rows; what they have kept apart is merged, then fired. */
  @ParameterizedTest
  @MethodSource("windows")
  void shardsMergedGiveTheResultOfOne(Window window) {
    for (int run = 0; run < RUNS; run++) {
      long seed = System.nanoTime();
      Random random = new Random(seed);
      List<Reading> readings =
          readings(random, 200).stream()
              .map(r -> new Reading(r.time(), r.key(), r.value(), Long.MIN_VALUE))
              .toList();
      PlanNode.WindowAggregate node = plan(READINGS, window, List.of(1), EXACT);
      List<List<Reading>> shards = new ArrayList<>();
      for (int i = 0; i < 1 + random.nextInt(5); i++) {
        shards.add(new ArrayList<>());
      }
      readings.forEach(reading -> shards.get(random.nextInt(shards.size())).add(reading));
      assertThat(fired(node, merged(node, shards)))
          .as("%s, seed %d", window, seed)
          .containsExactlyInAnyOrderElementsOf(fired(node, stateOf(node, readings)));
    }
  }

  private static StateImage stateOf(PlanNode.WindowAggregate node, List<Reading> readings) {
    Operator operator = WindowAggregates.operator(node, BuiltinAggregates.registry());
    operator.process(0, batch(readings), new Collector());
    return StateImage.snapshotOf(operator);
  }

  private static StateImage merged(PlanNode.WindowAggregate node, List<List<Reading>> shards) {
    List<Map.Entry<byte[], byte[]>> entries = new ArrayList<>();
    shards.forEach(shard -> stateOf(node, shard).entries().forEach(entries::add));
    Operator operator = WindowAggregates.operator(node, BuiltinAggregates.registry());
    operator.restore(entries);
    return StateImage.snapshotOf(operator);
  }

  private static List<List<@Nullable Object>> fired(
      PlanNode.WindowAggregate node, StateImage state) {
    Operator operator = WindowAggregates.operator(node, BuiltinAggregates.registry());
    operator.restore(state.entries());
    Collector collector = new Collector();
    operator.advance(Long.MAX_VALUE, collector);
    assertThat(StateImage.snapshotOf(operator).size()).as("what is left").isEqualTo(1);
    return collector.rows;
  }

  private static final class Collector implements Output {
    final List<List<@Nullable Object>> rows = new ArrayList<>();

    @Override
    public boolean offer(Batch batch) {
      for (int row = 0; row < batch.rows(); row++) {
        rows.add(batch.row(row));
      }
      return true;
    }

    @Override
    public boolean advance(long watermark) {
      return true;
    }
  }
}
