package io.sedge.task.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.SourceCounters;
import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.aggregate.BuiltinAggregates;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.operator.Pipeline;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.Window;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.task.testkit.FakeSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Readings that come too late for their windows are not lost without a word. */
class TaskLateTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND_MICROS = 1_000_000;
  private static final long HOUR = 3600;
  private static final Type TIME = Type.timestamp(3);
  private static final Schema READINGS =
      Schema.builder().add("sensor", Type.STRING).add("ts", TIME).build();

  private final List<String> reports = new ArrayList<>();
  private final Readings source = new Readings();
  private final Task task = task();
  private long now = MILLI;

  /** A reading with each poll. */
  private static final class Readings extends NumberReader {
    private long second;
    private boolean silent;

    Readings() {
      super(Long.MAX_VALUE);
    }

    @Override
    public @Nullable Batch poll(long nowNanos) {
      if (silent) {
        return null;
      }
      next++;
      return new BatchBuilder(READINGS).addRow("a", second++ * SECOND_MICROS).build();
    }

    @Override
    public SourceCounters counters() {
      return new SourceCounters(next, next, 0, 0);
    }
  }

  private Task task() {
    PlanNode counted =
        new PlanNode.WindowAggregate(
            new PlanNode.Watermark(
                new PlanNode.Scan("a", READINGS), 1, new Expression.Input(1, TIME)),
            new Window.Tumbling(10 * SECOND_MICROS, 0),
            1,
            List.of(0),
            List.of(
                new AggregateCall(
                    "COUNT", List.of(), List.of(), List.of(), -1, false, Type.BIGINT, "n")),
            "UTC",
            0,
            Schema.builder()
                .add("sensor", Type.STRING)
                .add("n", Type.BIGINT)
                .add("window_start", TIME)
                .add("window_end", TIME)
                .add("window_time", TIME)
                .build());
    SinkOutput output =
        new SinkOutput("out", "table out", new FakeSink(new Random(1), 0), false, Optional.empty());
    Pipeline pipeline =
        Pipeline.compile(
            new Plan(List.of(new Plan.SinkNode("out", counted))),
            (_, _, _) -> Optional.empty(),
            BuiltinAggregates.registry(),
            Map.of("out", output));
    return new Task(
        pipeline,
        List.of(new SourceInput("a", source, Optional.empty())),
        List.of(output),
        new MalformedLog((_, message) -> reports.add(message), Map.of()),
        new FakeCommitLog(new Random(1), 0),
        (_, message) -> reports.add(message),
        () -> now);
  }

  private void runFor(int seconds) {
    for (int i = 0; i < seconds * 10; i++) {
      task.doWork(now);
      now += 100 * MILLI;
    }
  }

  /** By an hour; the next ones begin at 0. */
  private void readOneThatIsAhead() {
    source.second = HOUR;
    task.doWork(now);
    source.second = 0;
  }

  private String waits() {
    return task.counters(0, now, 0).waits();
  }

  @Test
  void thatNearlyAllReadingsAreLateIsSaidUntilTheyAreNot() {
    readOneThatIsAhead();
    runFor(25);
    String said =
        "rows are too late for their windows: event time is at 1970-01-01 01:00:00; is a clock"
            + " ahead, or has the source begun anew?";
    assertThat(waits()).startsWith("nearly all of the last ").endsWith(said);
    assertThat(reports).singleElement().asString().endsWith(said);
    source.second = HOUR;
    runFor(25);
    assertThat(waits()).isEmpty();
    assertThat(reports).hasSize(1);
  }

  @Test
  void ofASourceThatIsSilentNothingMoreIsSaid() {
    readOneThatIsAhead();
    runFor(15);
    source.silent = true;
    runFor(60);
    assertThat(waits()).isEmpty();
    assertThat(reports).hasSize(1);
  }

  @Test
  void thatSomeAreLateIsOrdinary() {
    for (int i = 0; i < 600; i++) {
      source.second = i % 3 == 0 ? 0 : i;
      task.doWork(now);
      now += 100 * MILLI;
    }
    assertThat(task.counters(0, now, 0).late()).isGreaterThan(100);
    assertThat(waits()).isEmpty();
    assertThat(reports).isEmpty();
  }
}
