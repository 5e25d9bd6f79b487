package io.sedge.task.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.SourceCounters;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.operator.Pipeline;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A task whose rows are joined with a table that must be read whole first. Both sources always have
 * a batch at hand, so that whichever comes first would be held while the other is not read.
 */
class TaskLookupTest {
  private static final long MILLI = 1_000_000;
  private static final int BATCH = 10;
  private static final Schema SCHEMA = Schema.builder().add("n", Type.BIGINT).build();
  private static final Schema JOINED =
      Schema.builder().add("n", Type.BIGINT).add("m", Type.BIGINT).build();
  private static final PlanNode STREAM = new PlanNode.Scan("stream", SCHEMA);

  private final Random random = new Random(1);
  private final FakeSink sink = new FakeSink(random, 0);
  private final FakeCommitLog log = new FakeCommitLog(random, 0);
  private final List<String> reports = new ArrayList<>();
  private long now = MILLI;

  /** The numbers from 0 on, ten a batch, whenever it is asked. */
  private static class Numbers extends NumberReader {
    Numbers(long total) {
      super(total);
    }

    @Override
    public @Nullable Batch poll(long nowNanos) {
      if (next == total) {
        return null;
      }
      BatchBuilder builder = new BatchBuilder(SCHEMA);
      for (int i = 0; i < BATCH && next < total; i++) {
        builder.addRow(next++);
      }
      return builder.build();
    }

    @Override
    public SourceCounters counters() {
      return new SourceCounters(next, next, 0, 0);
    }
  }

  private Task task(PlanNode rows, Map<String, Numbers> sources) {
    SinkOutput output = new SinkOutput("out", "table out", sink, false, Optional.empty());
    PlanNode join =
        new PlanNode.LookupJoin(
            rows,
            new PlanNode.Scan("small", SCHEMA),
            PlanNode.JoinKind.INNER,
            List.of(0),
            List.of(0),
            Optional.empty(),
            JOINED);
    Pipeline pipeline =
        Pipeline.compile(
            new Plan(List.of(new Plan.SinkNode("out", join))),
            (_, _, _) -> Optional.empty(),
            _ -> Optional.empty(),
            Map.of("out", output));
    List<SourceInput> inputs =
        List.of("stream", "small").stream()
            .filter(sources::containsKey)
            .map(name -> new SourceInput(name, sources.get(name), Optional.empty()))
            .toList();
    return new Task(
        pipeline,
        inputs,
        List.of(output),
        new MalformedLog((_, _) -> {}, Map.of()),
        log,
        (_, message) -> reports.add(message),
        () -> now);
  }

  /** More than one commit falls due while the table is read; none may stop the reading of it. */
  @ParameterizedTest
  @ValueSource(ints = {1, 10, 5_000})
  void aTableIsReadToItsEndHoweverFastTheRowsThatWaitForItCome(int tableRows) {
    Numbers stream = new Numbers(2L * tableRows);
    Numbers small = new Numbers(tableRows);
    Task task = task(STREAM, Map.of("stream", stream, "small", small));
    for (int step = 0; step < 5_000 && !task.isDone(); step++) {
      task.doWork(now);
      now += MILLI;
      assertThat(stream.next == 0 || small.next == tableRows)
          .as("no row is taken from its source before it can be joined")
          .isTrue();
    }
    assertThat(task.isDone()).isTrue();
    assertThat(sink.rows()).isEqualTo(tableRows);
    assertThat(stream.acknowledged).isEqualTo(2L * tableRows);
    assertThat(small.acknowledged).isEqualTo(tableRows);
  }

  @Test
  void constantRowsWaitForTheTableToo() {
    PlanNode values =
        new PlanNode.Values(List.of(List.of(new Expression.Literal(7L, Type.BIGINT))), SCHEMA);
    Numbers small = new Numbers(5_000);
    Task task = task(values, Map.of("small", small));
    for (int step = 0; step < 5_000 && !task.isDone(); step++) {
      task.doWork(now);
      now += MILLI;
    }
    assertThat(task.isDone()).isTrue();
    assertThat(sink.rows()).isEqualTo(1);
  }

  @Test
  void aTaskThatIsStoppedWhileATableIsReadEndsAtOnceAndLosesNothing() {
    Numbers stream = new Numbers(Long.MAX_VALUE);
    Numbers small = new Numbers(Long.MAX_VALUE);
    Task task = task(STREAM, Map.of("stream", stream, "small", small));
    for (int step = 0; step < 500; step++) {
      task.doWork(now);
      now += MILLI;
    }
    task.stop();
    for (int step = 0; step < 10 && !task.isDone(); step++) {
      task.doWork(now);
      now += MILLI;
    }
    assertThat(task.isDone()).isTrue();
    assertThat(stream.acknowledged).isEqualTo(stream.next).isZero();
    assertThat(small.acknowledged).isEqualTo(small.next).isPositive();
  }

  @Test
  void whoWaitsForATableThatHasNoEndIsNamed() {
    Numbers stream = new Numbers(Long.MAX_VALUE);
    Numbers silent =
        new Numbers(Long.MAX_VALUE) {
          @Override
          public @Nullable Batch poll(long nowNanos) {
            return null;
          }
        };
    Task task = task(STREAM, Map.of("stream", stream, "small", silent));
    while (now < 10_000 * MILLI) {
      task.doWork(now);
      now += 10 * MILLI;
    }
    assertThat(reports)
        .singleElement()
        .asString()
        .startsWith("table stream is joined with a table that has not been read to its end; the");
  }
}
