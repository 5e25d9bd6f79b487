package io.sedge.task.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.SourceCounters;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.operator.Pipeline;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.task.JobCounters;
import io.sedge.task.testkit.FakeSink;
import io.sedge.task.testkit.FakeSource;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/**
 * A task whose source finds a malformed payload at every second reading, and a table that keeps
 * them. A message that was acknowledged is gone from its broker, so its payload must be safe by
 * then, be it a row or malformed.
 */
class TaskMalformedTest {
  private static final long MILLI = 1_000_000;
  private static final int MAX_STEPS = 100_000;

  /** The most lines that a poll of a file looks at. */
  private static final int LONGEST_POLL = 16_384;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private final List<String> reports = new ArrayList<>();
  private final MalformedLog malformed =
      new MalformedLog((_, message) -> reports.add(message), Map.of("a", "rejected"));
  private long now = MILLI;

  TaskMalformedTest() {
    System.err.println("seed " + seed);
  }

  /** Numbers from 0 on: the even ones are rows, the odd ones payloads that make no row. */
  private class Payloads extends NumberReader {
    private final int longest;
    private final FakeSink rows;
    private final FakeSink kept;

    Payloads(long total, int longest, FakeSink rows, FakeSink kept) {
      super(total);
      this.longest = longest;
      this.rows = rows;
      this.kept = kept;
    }

    @Override
    public @Nullable Batch poll(long nowNanos) {
      BatchBuilder builder = new BatchBuilder(FakeSource.SCHEMA);
      long end = Math.min(total, next + random.nextInt(longest + 1));
      for (; next < end; next++) {
        if (next % 2 == 0) {
          builder.addRow("a", next);
        } else {
          byte[] payload = Long.toString(next).getBytes(StandardCharsets.UTF_8);
          malformed.add("a", "a", payload, "'%d' is odd".formatted(next));
        }
      }
      return builder.rows() == 0 ? null : builder.build();
    }

    @Override
    public void acknowledge(byte[] position) {
      super.acknowledge(position);
      assertThat(2L * rows.durable("a")).isGreaterThanOrEqualTo(acknowledged);
      assertThat(2L * kept.durable("a") + 1)
          .as("malformed payloads that are safe when all before %d are acknowledged", acknowledged)
          .isGreaterThanOrEqualTo(acknowledged);
    }

    @Override
    public SourceCounters counters() {
      return new SourceCounters((next + 1) / 2, next, next / 2, 0);
    }
  }

  private Task task(Payloads source) {
    SinkOutput output = new SinkOutput("out", "table out", source.rows, false, Optional.empty());
    SinkOutput rejected =
        new SinkOutput("rejected", "table rejected", source.kept, false, Optional.empty());
    Pipeline pipeline =
        Pipeline.compile(
            new Plan(List.of(new Plan.SinkNode("out", new PlanNode.Scan("a", FakeSource.SCHEMA)))),
            (_, _, _) -> Optional.empty(),
            _ -> Optional.empty(),
            Map.of("out", output));
    return new Task(
        pipeline,
        List.of(new SourceInput("a", source, Optional.empty())),
        List.of(output, rejected),
        malformed,
        new FakeCommitLog(random, 0.3),
        (_, message) -> reports.add(message),
        () -> now);
  }

  private void step(Task task) {
    task.doWork(now);
    now += random.nextInt(5) * MILLI;
  }

  private Payloads payloads(long total, int longest, double refusal) {
    return new Payloads(
        total, longest, new FakeSink(random, refusal), new FakeSink(random, refusal));
  }

  private void runToTheEnd(Task task) {
    for (int i = 0; i < MAX_STEPS && !task.isDone(); i++) {
      step(task);
    }
    assertThat(task.isDone()).isTrue();
  }

  @RepeatedTest(20)
  void malformedPayloadsAreKeptBeforeTheirSourceIsAcknowledged() {
    Payloads source = payloads(2_000, 20, 0.5);
    Task task = task(source);
    runToTheEnd(task);
    assertThat(source.acknowledged).isEqualTo(2_000);
    assertThat(source.kept.taken("a"))
        .containsExactlyElementsOf(LongStream.range(0, 1_000).map(n -> 2 * n + 1).boxed().toList());
    JobCounters counters = task.counters(MILLI, now, 0);
    assertThat(counters.malformed()).isEqualTo(1_000);
    assertThat(counters.rowsOut()).as("rows of the query alone").isEqualTo(1_000);
  }

  @RepeatedTest(5)
  void aStoppedTaskKeepsTheMalformedPayloadsThatItHasRead() {
    Payloads source = payloads(Long.MAX_VALUE, 20, 0.5);
    Task task = task(source);
    for (int steps = random.nextInt(500); steps > 0; steps--) {
      step(task);
    }
    task.stop();
    runToTheEnd(task);
    assertThat(source.acknowledged).isEqualTo(source.next);
    assertThat(source.kept.durable("a")).isEqualTo((int) (source.next / 2));
  }

  /** A file of garbage: one poll finds thousands of malformed lines. */
  @Test
  void noneIsLostWhereOnePollFindsThousands() {
    Payloads source = payloads(200_000, LONGEST_POLL, 0.2);
    Task task = task(source);
    runToTheEnd(task);
    malformed.reportRepeats();
    assertThat(source.kept.taken("a")).hasSize(100_000);
    assertThat(reports).noneMatch(report -> report.contains("not kept"));
  }

  /**
   * Where every poll finds some, there is always one on its way; commits must come all the same.
   */
  @Test
  void aConstantFlowOfMalformedPayloadsIsAcknowledged() {
    Payloads source = payloads(Long.MAX_VALUE, 20, 0);
    Task task = task(source);
    while (now < 5_000 * MILLI) {
      step(task);
    }
    assertThat(source.acknowledged).isGreaterThan(source.next / 2);
  }
}
