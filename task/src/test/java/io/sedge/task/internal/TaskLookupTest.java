package io.sedge.task.internal;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.SourceCounters;
import io.sedge.connector.SourceReader;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.operator.Pipeline;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.task.Commit;
import io.sedge.task.StateChange;
import io.sedge.task.testkit.FakeSink;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
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
  private FakeSink sink = new FakeSink(random, 0);
  private FakeCommitLog log = new FakeCommitLog(random, 0);
  private final List<String> reports = new ArrayList<>();
  private final TestContext context = TestContext.live(Path.of("."));
  private @Nullable TableReload reload;
  private boolean resumed;
  private long mostBytes = Long.MAX_VALUE;
  private final Map<byte[], byte[]> state = new TreeMap<>(Arrays::compare);
  private long now = MILLI;

  /** The numbers from 0 on, ten a batch, whenever it is asked. */
  private static class Numbers extends NumberReader {
    /** There are no more for now. */
    private long limit = Long.MAX_VALUE;

    Numbers(long total) {
      super(total);
    }

    @Override
    public @Nullable Batch poll(long nowNanos) {
      if (next == Math.min(limit, total)) {
        return null;
      }
      BatchBuilder builder = new BatchBuilder(SCHEMA);
      for (int i = 0; i < BATCH && next < Math.min(limit, total); i++) {
        builder.addRow(next++);
      }
      return builder.build();
    }

    @Override
    public SourceCounters counters() {
      return new SourceCounters(next, next, 0, 0);
    }
  }

  private Task task(PlanNode rows, Map<String, ? extends SourceReader> sources) {
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
    if (!state.isEmpty()) {
      pipeline.restore(state.entrySet());
    }
    List<SourceInput> inputs =
        List.of("stream", "small").stream()
            .filter(sources::containsKey)
            .map(name -> input(name, sources.get(name)))
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

  private SourceInput input(String name, @Nullable SourceReader reader) {
    return new SourceInput(
        name,
        requireNonNull(reader),
        Optional.empty(),
        name.equals("small") ? reload : null,
        resumed);
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

  /** A table that is read anew every second; each reading is the next of these. */
  private Task reloading(Numbers stream, Supplier<Numbers> readings) {
    reload = reload(readings);
    return task(STREAM, Map.of("stream", stream, "small", readings.get()));
  }

  private TableReload reload(Supplier<Numbers> readings) {
    return new TableReload(
        "small",
        Duration.ofSeconds(1),
        readings::get,
        () -> mostBytes,
        new MalformedLog((_, _) -> {}, Map.of()),
        context);
  }

  /** Lets the task work until something holds; opening a table takes a thread some time. */
  private void workUntil(Task task, BooleanSupplier holds) {
    long deadline = System.nanoTime() + 30_000 * MILLI;
    while (!holds.getAsBoolean()) {
      assertThat(System.nanoTime()).as("the time to wait until").isLessThan(deadline);
      if (task.doWork(now) == 0) {
        Thread.onSpinWait(); // Time is simulated here: to wait for it would take as long.
      }
      now += MILLI / 10;
    }
  }

  /** The numbers from 0 on; it has more of them each time that it is opened. */
  private static Supplier<Numbers> growing(AtomicInteger opened) {
    return () -> new Numbers(10L * opened.incrementAndGet());
  }

  @Test
  void aTableIsReadAnewWhileRowsComeAndTheLastReadingCounts() {
    AtomicInteger opened = new AtomicInteger();
    Numbers stream = new Numbers(Long.MAX_VALUE);
    Task task = reloading(stream, growing(opened));
    stream.limit = 20;
    workUntil(task, () -> sink.rows() == 10 && stream.next == 20);
    workUntil(task, () -> opened.get() == 4);
    workUntil(task, () -> reload != null && reload.isResting());
    stream.limit = 60;
    workUntil(task, () -> stream.next == 60);
    task.stop();
    workUntil(task, task::isDone);
    assertThat(sink.rows()).as("of 0 to 9, and of 20 to 39").isEqualTo(30);
    assertThat(context.reports()).isEmpty();
  }

  @Test
  void aTableThatIsTheSameIsNoCommit() {
    AtomicInteger opened = new AtomicInteger();
    Numbers stream = new Numbers(Long.MAX_VALUE);
    stream.limit = 20;
    Task task =
        reloading(
            stream,
            () -> {
              opened.incrementAndGet();
              return new Numbers(10);
            });
    workUntil(task, () -> stream.next == 20 && opened.get() == 2);
    int commits = log.commits().size();
    workUntil(task, () -> opened.get() == 6);
    assertThat(log.commits()).hasSize(commits);
  }

  @Test
  void aTableThatHasChangedIsACommit() {
    AtomicInteger opened = new AtomicInteger();
    Numbers stream = new Numbers(Long.MAX_VALUE);
    stream.limit = 20;
    Task task = reloading(stream, growing(opened));
    workUntil(task, () -> stream.next == 20 && opened.get() == 2);
    int commits = log.commits().size();
    workUntil(task, () -> log.commits().size() > commits);
    assertThat(stream.next).isEqualTo(20);
  }

  /** What its first reading had, and what later ones have, is in the state alone. */
  @Test
  void aTaskGoesOnWithWhatTheTableHadAndReadsItAnewAtOnce() {
    AtomicInteger opened = new AtomicInteger();
    Numbers first = new Numbers(Long.MAX_VALUE);
    first.limit = 20;
    Task before = reloading(first, growing(opened));
    workUntil(before, () -> opened.get() == 3 && requireNonNull(reload).isResting());
    before.stop();
    workUntil(before, before::isDone);
    Commit last = log.commits().getLast();
    assertThat(last.positions().get("small")).isEqualTo(EndedReader.endPosition());
    log.commits().forEach(this::restore);
    sink = new FakeSink(random, 0);
    log = new FakeCommitLog(random, 0);

    AtomicBoolean mayOpen = new AtomicBoolean();
    resumed = true;
    Numbers stream = new Numbers(Long.MAX_VALUE);
    stream.limit = 50;
    reload =
        reload(
            () -> {
              if (!mayOpen.get()) {
                throw new ConnectorException(ConnectorException.Kind.EXTERNAL, "not yet");
              }
              return new Numbers(10);
            });
    Task after = task(STREAM, Map.of("stream", stream, "small", new EndedReader()));
    workUntil(after, () -> stream.next == 50 && !context.reports().isEmpty());
    assertThat(sink.rows()).as("of 0 to 29, each once").isEqualTo(30);
    mayOpen.set(true);
    workUntil(after, () -> context.reports().size() == 2);
    stream.limit = 100;
    stream.next = 0;
    workUntil(after, () -> stream.next == 100);
    assertThat(sink.rows()).as("and of 0 to 9").isEqualTo(40);
  }

  private void restore(Commit commit) {
    for (StateChange change : commit.changes()) {
      if (change.value() == null) {
        state.remove(change.key());
      } else {
        state.put(change.key(), change.value());
      }
    }
  }

  @Test
  void moreThanACommitTakesIsSaid() {
    mostBytes = 40;
    AtomicInteger opened = new AtomicInteger();
    Task task = reloading(new Numbers(Long.MAX_VALUE), growing(opened));
    workUntil(task, () -> !context.reports().isEmpty());
    assertThat(context.reports().getFirst())
        .contains("cannot be read anew", "more than 20 bytes of it have changed at once");
  }

  /** A task that waits for room does not look at the clock all the time. */
  @Test
  void aTableThatIsDueWhileNothingCanBeReadWakesNobody() {
    sink = new FakeSink(random, 1);
    Numbers stream = new Numbers(Long.MAX_VALUE);
    Task task = reloading(stream, () -> new Numbers(10));
    long until = now + 5_000 * MILLI;
    while (now < until) {
      task.doWork(now);
      now += MILLI;
    }
    assertThat(task.parkNanos(now)).isPositive();
  }

  @Test
  void aFaultInOpeningEndsTheTask() {
    AtomicInteger opened = new AtomicInteger();
    Task task =
        reloading(
            new Numbers(Long.MAX_VALUE),
            () -> {
              if (opened.incrementAndGet() > 1) {
                throw new LinkageError("no such class");
              }
              return new Numbers(10);
            });
    assertThatThrownBy(() -> workUntil(task, () -> false))
        .isInstanceOf(LinkageError.class)
        .hasMessage("no such class");
  }

  @Test
  void aReadingThatFailsChangesNothingAndIsSaidAndTriedAgain() {
    AtomicInteger opened = new AtomicInteger();
    Numbers stream = new Numbers(Long.MAX_VALUE);
    stream.limit = 20;
    Task task =
        reloading(
            stream,
            () -> {
              int attempt = opened.incrementAndGet();
              if (attempt == 2) {
                throw new ConnectorException(
                    ConnectorException.Kind.EXTERNAL, "table small: nobody answers");
              }
              return attempt == 3 ? new Failing(10) : new Numbers(attempt < 4 ? 10 : 40);
            });
    workUntil(task, () -> opened.get() == 3);
    assertThat(context.reports())
        .containsExactly(
            "WARNING table small: it cannot be read anew, what it had is still found:"
                + " nobody answers; it is tried again");
    assertThat(task.counters(0, now, 0).waits()).contains("cannot be read anew");
    workUntil(task, () -> opened.get() == 4 && context.reports().size() == 2);
    assertThat(context.reports().getLast()).isEqualTo("INFO table small: it works again");
    assertThat(task.counters(0, now, 0).waits()).isEmpty();
    stream.limit = 60;
    workUntil(task, () -> stream.next == 60);
    assertThat(sink.rows()).as("of 0 to 9, and of 20 to 39").isEqualTo(30);
  }

  /** Gives some numbers, and fails then. */
  private static final class Failing extends Numbers {
    Failing(long total) {
      super(total);
    }

    @Override
    public @Nullable Batch poll(long nowNanos) {
      if (next == total) {
        throw new ConnectorException(ConnectorException.Kind.EXTERNAL, "the line was cut");
      }
      return super.poll(nowNanos);
    }

    @Override
    public boolean finished() {
      return false;
    }
  }

  @Test
  void aTableThatHasNoRowsAnyMoreIsSaid() {
    AtomicInteger opened = new AtomicInteger();
    Numbers stream = new Numbers(Long.MAX_VALUE);
    stream.limit = 20;
    Task task = reloading(stream, () -> new Numbers(opened.incrementAndGet() == 1 ? 10 : 0));
    workUntil(task, () -> opened.get() == 4);
    assertThat(context.reports())
        .containsExactly(
            "WARNING table small: it was read anew and has no rows, so nothing is found in it");
  }

  @Test
  void whatIsOpenedAfterTheEndIsClosed() throws InterruptedException {
    CountDownLatch opening = new CountDownLatch(1);
    CountDownLatch mayOpen = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    AtomicInteger opened = new AtomicInteger();
    Task task =
        reloading(
            new Numbers(Long.MAX_VALUE),
            () -> {
              if (opened.incrementAndGet() > 1) {
                opening.countDown();
                awaitUninterruptibly(mayOpen);
              }
              return new Numbers(10) {
                @Override
                public void close() {
                  closed.countDown();
                }
              };
            });
    workUntil(task, () -> opening.getCount() == 0);
    task.stop();
    workUntil(task, task::isDone);
    requireNonNull(reload).close();
    mayOpen.countDown();
    assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
