package io.sedge.engine.operator.internal;

import static io.sedge.engine.operator.internal.WindowPlans.HOUR;
import static io.sedge.engine.operator.internal.WindowPlans.READINGS;
import static io.sedge.engine.operator.internal.WindowPlans.SECOND;
import static io.sedge.engine.operator.internal.WindowPlans.countAll;
import static io.sedge.engine.operator.internal.WindowPlans.plan;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.aggregate.BuiltinAggregates;
import io.sedge.engine.column.Batch;
import io.sedge.engine.operator.Operator;
import io.sedge.engine.operator.Output;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.Window;
import io.sedge.engine.testkit.OperatorHarness;
import io.sedge.engine.testkit.Rows;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WindowLatenessTest {
  private static OperatorHarness harness(PlanNode.WindowAggregate node) {
    return OperatorHarness.operator(
        () -> WindowAggregates.operator(node, BuiltinAggregates.registry()));
  }

  private static List<@Nullable Object> row(String key, long count, long start, long end) {
    return Arrays.asList(key, count, start * SECOND, end * SECOND, end * SECOND - 1000);
  }

  private static PlanNode.WindowAggregate counts(Window window, long lateness) {
    return plan(READINGS, window, List.of(1), List.of(countAll()), "UTC", lateness);
  }

  @Test
  void aRowThatMissedSomeOfItsWindowsCountsInTheOthers() {
    OperatorHarness.Result result =
        harness(counts(new Window.Hopping(20 * SECOND, 10 * SECOND, 0), 0))
            .offer(
                "0",
                Rows.of(READINGS)
                    .addAt(Long.MIN_VALUE, 5 * SECOND, "a", 1.0)
                    .addAt(10 * SECOND - 1001, 6 * SECOND, "a", 1.0)
                    .addAt(10 * SECOND - 1000, 7 * SECOND, "a", 1.0)
                    .addAt(20 * SECOND - 1001, 8 * SECOND, "b", 1.0)
                    .addAt(20 * SECOND - 1000, 9 * SECOND, "a", 1.0)
                    .build())
            .advance("0", Long.MAX_VALUE)
            .run();
    assertThat(result.rows("out"))
        .containsExactly(row("a", 2, -10, 10), row("a", 3, 0, 20), row("b", 1, 0, 20));
  }

  @Test
  void aFiredWindowFiresAgainForTheKeysThatGotRowsWithinTheLateness() {
    OperatorHarness.Result result =
        harness(counts(new Window.Tumbling(10 * SECOND, 0), 5 * SECOND))
            .offer("0", Rows.of(READINGS).add(1 * SECOND, "a", 1.0).add(SECOND, "b", 1.0).build())
            .advance("0", 11 * SECOND)
            .offer("0", Rows.of(READINGS).add(2 * SECOND, "a", 1.0).build())
            .advance("0", 12 * SECOND)
            .advance("0", 15 * SECOND - 1000)
            .offer("0", Rows.of(READINGS).add(3 * SECOND, "a", 1.0).build())
            .advance("0", Long.MAX_VALUE)
            .run();
    assertThat(result.rows("out"))
        .containsExactly(row("a", 1, 0, 10), row("b", 1, 0, 10), row("a", 2, 0, 10));
  }

  @Test
  void aFiredSessionFiresAgainOrGoesOnWithinTheLateness() {
    OperatorHarness.Result result =
        harness(counts(new Window.Session(10 * SECOND), 20 * SECOND))
            .offer("0", Rows.of(READINGS).add(0L, "a", 1.0).build())
            .advance("0", 12 * SECOND)
            .offer("0", Rows.of(READINGS).add(2 * SECOND, "b", 1.0).add(0L, "a", 1.0).build())
            .advance("0", 13 * SECOND)
            .offer("0", Rows.of(READINGS).add(9 * SECOND, "a", 1.0).build())
            .advance("0", Long.MAX_VALUE)
            .run();
    assertThat(result.rows("out"))
        .containsExactly(
            row("a", 1, 0, 10), row("a", 2, 0, 10), row("b", 1, 2, 12), row("a", 3, 0, 19));
  }

  @Test
  void rowsThatMissedAllWindowsAreCountedAndSentAsTheyCame() {
    Collected late = new Collected();
    Collected out = new Collected();
    Operator operator =
        WindowAggregates.operator(
            counts(new Window.Tumbling(10 * SECOND, 0), 0), BuiltinAggregates.registry(), late);
    Batch batch =
        Rows.of(READINGS)
            .addAt(Long.MIN_VALUE, 5 * SECOND, "a", 1.0)
            .addAt(10 * SECOND, 6 * SECOND, "late", 2.0)
            .addAt(10 * SECOND, 11 * SECOND, "a", 3.0)
            .build();
    late.refusals = 2;
    assertThat(operator.process(0, batch, out)).isFalse();
    assertThat(operator.process(0, batch, out)).isFalse();
    assertThat(operator.process(0, batch, out)).isTrue();
    assertThat(operator.lateRows()).isEqualTo(1);
    assertThat(late.rows).containsExactly(Arrays.asList(6 * SECOND, "late", 2.0));
    assertThat(operator.advance(Long.MAX_VALUE, out)).isTrue();
    assertThat(out.rows).containsExactly(row("a", 1, 0, 10), row("a", 1, 10, 20));
  }

  /**
   * 2026-03-29 in Berlin has no 02:00 to 03:00, 2026-10-25 has it twice; a day has 23 and 25 hours
   * and is still one window, an hour that comes twice is one window of two hours.
   */
  @Test
  void windowsAreLaidOverTheClockOfTheZone() {
    Schema schema =
        Schema.builder()
            .add("ts", Type.timestampLtz(3))
            .add("sensor", Type.STRING)
            .add("v", Type.DOUBLE)
            .build();
    for (String day : List.of("2026-03-29", "2026-10-25", "2026-07-01")) {
      LocalDateTime midnight = LocalDateTime.parse(day + "T00:00:00");
      Rows rows = Rows.of(schema);
      long begin = instant(midnight);
      long end = instant(midnight.plusDays(1));
      for (long time = begin - HOUR; time < end + HOUR; time += HOUR / 2) {
        rows.addAt(time - HOUR / 2, time, "a", 1.0);
      }
      List<List<@Nullable Object>> days = run(schema, 24 * HOUR, rows);
      assertThat(days.get(1))
          .as(day)
          .containsExactly(
              "a",
              (end - begin) / (HOUR / 2),
              local(midnight),
              local(midnight.plusDays(1)),
              end - 1000);
    }
    LocalDateTime two = LocalDateTime.parse("2026-10-25T02:00:00");
    long first = instant(two);
    Rows rows = Rows.of(schema);
    for (int i = 0; i < 8; i++) {
      rows.addAt(first + (i - 1) * HOUR / 2, first + i * HOUR / 2, "a", 1.0);
    }
    assertThat(run(schema, HOUR, rows).stream().map(r -> r.subList(1, 3)).toList())
        .containsExactly(
            Arrays.asList(4L, local(two)),
            Arrays.asList(2L, local(two.plusHours(1))),
            Arrays.asList(2L, local(two.plusHours(2))));
  }

  private static List<List<@Nullable Object>> run(Schema schema, long size, Rows rows) {
    return harness(
            plan(
                schema,
                new Window.Tumbling(size, 0),
                List.of(1),
                List.of(countAll()),
                "Europe/Berlin",
                0))
        .offer("0", rows.build())
        .advance("0", Long.MAX_VALUE)
        .run()
        .rows("out");
  }

  private static long instant(LocalDateTime local) {
    return local.atZone(ZoneId.of("Europe/Berlin")).toEpochSecond() * SECOND;
  }

  private static long local(LocalDateTime local) {
    return local.toEpochSecond(ZoneOffset.UTC) * SECOND;
  }

  private static final class Collected implements Output {
    private final List<List<@Nullable Object>> rows = new ArrayList<>();
    private int refusals;

    @Override
    public boolean offer(Batch batch) {
      if (refusals-- > 0) {
        return false;
      }
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
