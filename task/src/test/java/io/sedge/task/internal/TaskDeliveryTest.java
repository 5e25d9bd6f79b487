package io.sedge.task.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.SourceCounters;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.operator.Pipeline;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.task.Commit;
import io.sedge.task.CommitLog;
import io.sedge.task.testkit.FakeSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A task that delivers two tables, each to its own sink, as the one of a site's job does. What one
 * sink does not write must keep nothing from the other: a center may be away for days.
 */
class TaskDeliveryTest {
  private static final long MILLI = 1_000_000;
  private static final int TOTAL = 500;
  private static final Schema SCHEMA = Schema.builder().add("n", Type.BIGINT).build();

  private final FakeSink center = new FakeSink(new Random(1), 0);
  private final FakeSink file = new FakeSink(new Random(2), 0.3);
  private final Numbers forCenter = new Numbers();
  private final Numbers forFile = new Numbers();
  private long now = MILLI;

  private static final class Numbers extends NumberReader {
    Numbers() {
      super(TOTAL);
    }

    @Override
    public @Nullable Batch poll(long nowNanos) {
      if (next == total) {
        return null;
      }
      BatchBuilder builder = new BatchBuilder(SCHEMA);
      builder.addRow(next++);
      return builder.build();
    }

    @Override
    public long idlePollNanos() {
      return Long.MAX_VALUE;
    }

    @Override
    public SourceCounters counters() {
      return new SourceCounters(next, next, 0, 0);
    }
  }

  /** Takes all, as the log of a delivery does. */
  private static final class TakingLog implements CommitLog {
    private long durable;

    @Override
    public boolean keepsContents() {
      return false;
    }

    @Override
    public boolean separatesTables() {
      return true;
    }

    @Override
    public boolean offer(Commit commit) {
      durable = commit.sequence();
      return true;
    }

    @Override
    public long durable() {
      return durable;
    }
  }

  private Task task() {
    Map<String, SinkOutput> outputs =
        Map.of(
            "center", new SinkOutput("center", "table center", center, false, Optional.empty()),
            "file", new SinkOutput("file", "table file", file, false, Optional.empty()));
    Pipeline pipeline =
        Pipeline.compile(
            new Plan(
                List.of(
                    new Plan.SinkNode("center", new PlanNode.Scan("center", SCHEMA)),
                    new Plan.SinkNode("file", new PlanNode.Scan("file", SCHEMA)))),
            (_, _, _) -> Optional.empty(),
            _ -> Optional.empty(),
            Map.copyOf(outputs));
    return new Task(
        pipeline,
        List.of(
            new SourceInput("center", forCenter, Optional.empty()),
            new SourceInput("file", forFile, Optional.empty())),
        new ArrayList<>(outputs.values()),
        new MalformedLog((_, _) -> {}, Map.of()),
        new TakingLog(),
        (_, _) -> {},
        () -> now);
  }

  private void work(Task task) {
    for (int step = 0; step < 20 * TOTAL && !task.isDone(); step++) {
      task.doWork(now);
      now += MILLI;
    }
  }

  @Test
  void aSinkThatTakesNothingHoldsUpItsOwnTableAlone() {
    center.stick(true);
    Task task = task();
    work(task);
    assertThat(file.rows()).isEqualTo(TOTAL);
    assertThat(forFile.acknowledged).isEqualTo(TOTAL);
    assertThat(forCenter.acknowledged).as("nothing that was not written").isZero();
    assertThat(task.isDone()).as("there is something left to deliver").isFalse();
    center.stick(false);
    work(task);
    assertThat(task.isDone()).isTrue();
    assertThat(center.rows()).isEqualTo(TOTAL);
    assertThat(forCenter.acknowledged).isEqualTo(TOTAL);
  }

  // A center that is away for days costs the device no more than one that is there.
  @Test
  void aTaskWhoseSinkWakesItIsLeftAloneWhileThatTakesNothing() {
    center.wakeByItself();
    center.stick(true);
    Task task = task();
    work(task);
    assertThat(forFile.acknowledged).isEqualTo(TOTAL);
    assertThat(task.parkNanos(now)).isGreaterThanOrEqualTo(500 * MILLI);
  }

  // It has taken rows and cannot write them: they are not acknowledged, and others are.
  @Test
  void aSinkThatWritesNothingHoldsUpItsOwnTableAlone() {
    Task task = task();
    for (int step = 0; step < 20; step++) {
      task.doWork(now);
    }
    long before = forCenter.acknowledged;
    center.stick(true);
    work(task);
    assertThat(forFile.acknowledged).isEqualTo(TOTAL);
    assertThat(forCenter.acknowledged).isBetween(before, center.rows());
    center.stick(false);
    work(task);
    assertThat(forCenter.acknowledged).isEqualTo(TOTAL);
    assertThat(task.isDone()).isTrue();
  }
}
