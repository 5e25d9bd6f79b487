package io.sedge.engine.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.column.Batch;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.Window;
import io.sedge.engine.testkit.Rows;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WindowAssignTest {
  private static List<List<@Nullable Object>> windows(Window window, long time) {
    Schema schema = Plans.with(Plans.READINGS, "window_start", "window_end", "window_time");
    PlanNode plan =
        new PlanNode.WindowAssign(new PlanNode.Scan("t", Plans.READINGS), window, 2, schema);
    Batch batch = Rows.of(Plans.READINGS).add("a", 1L, time).build();
    return Plans.harness(plan).offer("t", batch).run().rows("out").stream()
        .map(row -> row.subList(3, 6))
        .toList();
  }

  private static List<@Nullable Object> window(long start, long end) {
    return List.of(start, end, end - 1000);
  }

  @Test
  void aTumblingWindowHoldsEachRowOnce() {
    assertThat(windows(new Window.Tumbling(10_000, 0), 9_999)).containsExactly(window(0, 10_000));
    assertThat(windows(new Window.Tumbling(10_000, 0), 10_000))
        .containsExactly(window(10_000, 20_000));
    assertThat(windows(new Window.Tumbling(10_000, 3_000), 2_000))
        .containsExactly(window(-7_000, 3_000));
    assertThat(windows(new Window.Tumbling(10_000, 0), -1)).containsExactly(window(-10_000, 0));
  }

  @Test
  void aHoppingWindowHoldsEachRowOncePerSlideTheLatestFirst() {
    assertThat(windows(new Window.Hopping(30_000, 10_000, 0), 25_000))
        .containsExactly(window(20_000, 50_000), window(10_000, 40_000), window(0, 30_000));
  }

  @Test
  void aCumulatingWindowGrowsByItsStep() {
    assertThat(windows(new Window.Cumulating(30_000, 10_000, 0), 35_000))
        .containsExactly(window(30_000, 40_000), window(30_000, 50_000), window(30_000, 60_000));
    assertThat(windows(new Window.Cumulating(30_000, 10_000, 0), 29_999))
        .containsExactly(window(0, 30_000));
  }

  /** The windows of a zone's day begin at its midnight; what is kept of them is local time. */
  @Test
  void windowsOverInstantsAreLaidInTheZone() {
    Type time = Type.timestampLtz(3);
    Schema instants = Rows.schema("ts", time);
    Schema schema =
        Schema.builder()
            .addAll(instants)
            .add("window_start", Plans.TIME)
            .add("window_end", Plans.TIME)
            .add("window_time", time)
            .build();
    long day = 86_400_000_000L;
    PlanNode plan =
        new PlanNode.WindowAssign(
            new PlanNode.Scan("t", instants),
            new Window.Tumbling(day, 0),
            0,
            "Asia/Shanghai",
            schema);
    long instant = micros(Instant.parse("2026-03-01T17:00:00Z"));
    List<List<@Nullable Object>> rows =
        Plans.harness(plan).offer("t", Rows.of(instants).add(instant).build()).run().rows("out");
    long start = micros(LocalDateTime.parse("2026-03-02T00:00:00").toInstant(ZoneOffset.UTC));
    assertThat(rows)
        .containsExactly(
            List.of(
                instant, start, start + day, micros(Instant.parse("2026-03-02T15:59:59.999Z"))));
  }

  private static long micros(Instant instant) {
    return instant.toEpochMilli() * 1000;
  }

  @Test
  void rowsWithoutATimeBelongToNoWindow() {
    Schema schema = Plans.with(Plans.READINGS, "window_start", "window_end", "window_time");
    PlanNode plan =
        new PlanNode.WindowAssign(
            new PlanNode.Scan("t", Plans.READINGS), new Window.Tumbling(10, 0), 2, schema);
    CountingSink sink = new CountingSink();
    Pipeline pipeline = Plans.compile(plan, Map.of("out", sink));
    assertThat(
            pipeline
                .source("t")
                .offer(Rows.of(Plans.READINGS).add("a", 1L, null).add("a", 1L, 5L).build()))
        .isTrue();
    assertThat(sink.rows()).isEqualTo(1);
    assertThat(pipeline.counters().get(1).nullTimeRows()).isEqualTo(1);
  }
}
