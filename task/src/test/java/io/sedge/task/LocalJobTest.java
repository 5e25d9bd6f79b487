package io.sedge.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.FileAccess;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.column.CapacityException;
import io.sedge.engine.expression.BuiltinFunctions;
import io.sedge.engine.expression.EvaluationException;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Type;
import io.sedge.sql.Job;
import io.sedge.task.testkit.FakeConnector;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs in their thread, from opening to the end. */
@Timeout(60)
class LocalJobTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Where it is to end. */
  private static final Duration NO_PATIENCE = Duration.ofMillis(100);

  private final FakeConnector connector = new FakeConnector();
  private final ConcurrentLinkedQueue<String> reports = new ConcurrentLinkedQueue<>();

  @Test
  void aJobOverBoundedInputEndsWhenAllIsWrittenAndAcknowledged() throws Exception {
    connector.total = 12_345;
    JobCounters counters = start(Optional.empty()).await();
    assertThat(connector.written).hasValue(12_345);
    assertThat(connector.acknowledged).hasValue(12_345);
    assertThat(connector.closed.getCount()).isZero();
    assertThat(connector.taskThread.getName()).isEqualTo("sedge-task-test");
    assertThat(counters.readings()).isEqualTo(12_345);
    assertThat(counters.rowsOut()).isEqualTo(12_345);
    assertThat(counters.commands()).isEqualTo(12_345);
    assertThat(counters.bytesIn()).isEqualTo(12_345 * 8);
    assertThat(counters.malformed()).isEqualTo(1);
    assertThat(counters.watermarkMicros()).isEqualTo(Long.MAX_VALUE);
    assertThat(reports).singleElement().asString().contains("table numbers").contains("no number");
  }

  @Test
  void aStoppedJobWritesWhatItReadAndFiresNoEnd() throws Exception {
    LocalJob job = start(Optional.empty());
    awaitRows();
    job.stop();
    JobCounters counters = job.await();
    assertThat(connector.written).hasValue(counters.readings());
    assertThat(connector.acknowledged).hasValue(counters.readings());
    assertThat(counters.watermarkMicros()).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void onlyAJobThatNobodyGoesOnWithRetiresItsReaders() throws Exception {
    for (Consumer<LocalJob> end :
        List.<Consumer<LocalJob>>of(LocalJob::stop, LocalJob::abort, LocalJob::retire)) {
      assertThat(connector.retired).isFalse();
      connector.written.set(0);
      LocalJob job = start(Optional.empty());
      awaitRows();
      end.accept(job);
      job.await();
    }
    assertThat(connector.retired).isTrue();
  }

  @Test
  void aJobWithADurationStopsByItself() throws Exception {
    JobCounters counters = start(Optional.of(Duration.ofMillis(50))).await();
    assertThat(counters.elapsed()).isGreaterThanOrEqualTo(Duration.ofMillis(50));
    assertThat(connector.acknowledged).hasValue(counters.readings());
  }

  /** Else a budget of a fiftieth of a processor would be a turn each time the task looks up. */
  @Test
  void nothingIsReadBeforeARestIsOver() throws Exception {
    long restNanos = 70_000_000;
    Deque<Long> polls = new ConcurrentLinkedDeque<>();
    connector.total = 300;
    connector.onPoll =
        () -> {
          polls.add(System.nanoTime());
          return null;
        };
    ProcessorQuota pace =
        new ProcessorQuota() {
          @Override
          public long restNanos() {
            Long last = polls.peekLast();
            return last == null ? 0 : Math.max(0, last + restNanos - System.nanoTime());
          }

          @Override
          public long cpuNanos() {
            return 0;
          }
        };
    JobStart whole = JobStart.of(job());
    JobStart paced =
        new JobStart(
            whole.job(),
            whole.shards(),
            whole.session(),
            whole.resume(),
            whole.numbers(),
            whole.commitLog(),
            pace);
    assertThat(start(paced, Optional.empty(), PATIENCE).await().readings()).isEqualTo(300);
    assertThat(connector.acknowledged).hasValue(300);
    List<Long> times = List.copyOf(polls);
    assertThat(times).hasSizeGreaterThanOrEqualTo(3);
    for (int i = 1; i < times.size(); i++) {
      assertThat(times.get(i) - times.get(i - 1)).isGreaterThanOrEqualTo(restNanos);
    }
  }

  @Test
  void aSinkThatIsStuckIsNotWaitedForForEver() throws Exception {
    connector.sinkFull = true;
    assertThat(start(Optional.of(Duration.ofMillis(20)), NO_PATIENCE).await().rowsOut()).isZero();
    assertThat(connector.acknowledged).hasValue(0);
    assertThat(reports).anyMatch(report -> report.contains("table out; what it has not written"));
  }

  @Test
  void aJobThatIsStoppedWhileItsTablesAreOpenedEndsWithoutAWord() throws Exception {
    CountDownLatch opening = new CountDownLatch(1);
    connector.onOpen =
        () -> {
          opening.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
    LocalJob job = start(Optional.empty());
    opening.await();
    job.stop();
    assertThat(job.await()).isEqualTo(JobCounters.NONE);
  }

  /** A broker that connects after all, when nobody waits for it any more, must be let go. */
  @Test
  void aTableThatOpensAfterTheJobWasStoppedIsClosedAgain() throws Exception {
    CountDownLatch opening = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    connector.onOpen =
        () -> {
          opening.countDown();
          boolean waiting = true;
          while (waiting) {
            try {
              goOn.await();
              waiting = false;
            } catch (InterruptedException e) {
              // A connect that cannot be interrupted.
              waiting = goOn.getCount() > 0;
            }
          }
        };
    LocalJob job = start(Optional.empty(), NO_PATIENCE);
    opening.await();
    job.stop();
    assertThat(job.await()).isEqualTo(JobCounters.NONE);
    assertThat(connector.closed.getCount()).isEqualTo(1);
    goOn.countDown();
    assertThat(connector.closed.await(30, TimeUnit.SECONDS)).isTrue();
  }

  /** Tables are closed at the same time: the one waits in its close until the other is in its. */
  @Test
  void allTablesAreClosedAtTheSameTime() throws Exception {
    CyclicBarrier both = new CyclicBarrier(2);
    connector.total = 10;
    connector.onClose = () -> await(both);
    LocalJob job = start(Optional.empty());
    assertThat(job.await().readings()).isEqualTo(10);
    assertThat(both.isBroken()).isFalse();
    assertThat(reports).noneMatch(report -> report.contains("to be closed"));
  }

  @Test
  void aTableThatCannotBeClosedIsNotWaitedForForEver() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    connector.total = 10;
    connector.onClose = () -> await(never);
    assertThat(start(Optional.empty(), NO_PATIENCE).await().readings()).isEqualTo(10);
    assertThat(reports)
        .anyMatch(
            report ->
                report.startsWith("ended without waiting longer for ")
                    && report.contains("source numbers")
                    && report.contains("sink out"));
    never.countDown();
  }

  @Test
  void aDurationOfCenturiesIsNoMistake() throws Exception {
    connector.total = 10;
    JobCounters counters = start(Optional.of(Duration.ofDays(200_000))).await();
    assertThat(counters.readings()).isEqualTo(10);
    assertThat(start(Optional.of(Duration.ofSeconds(Long.MAX_VALUE))).await().readings())
        .isEqualTo(10);
  }

  /** Payloads and topics come from outside; they must not reach a terminal as they are. */
  @Test
  void whatIsReportedIsOneLineWithoutControlCharacters() throws Exception {
    connector.total = 10;
    connector.origin = "plant/\u001b[2J\u009b31m";
    connector.reason = "bad\nsedge: error: all is lost\u202e";
    start(Optional.empty()).await();
    assertThat(reports)
        .singleElement()
        .asString()
        .contains("plant/·[2J·31m", "bad·sedge: error: all is lost·");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What may be thrown while a job runs, and what it is reported as. */
  enum Failure {
    WRONG_OPTION(
        new ConnectorException(ConnectorException.Kind.USER, "no such topic"),
        FailureCode.TABLE_NOT_ACCEPTED),
    BROKER_GONE(
        new ConnectorException(ConnectorException.Kind.EXTERNAL, "no such topic"),
        FailureCode.CONNECTION_FAILED),
    CAST(new EvaluationException("no such topic"), FailureCode.EVALUATION_FAILED),
    BUG(new IllegalStateException("no such topic"), FailureCode.INTERNAL_ERROR);

    @SuppressWarnings("ImmutableEnumChecker") // thrown, never changed
    private final RuntimeException thrown;

    private final FailureCode code;

    Failure(RuntimeException thrown, FailureCode code) {
      this.thrown = thrown;
      this.code = code;
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFailureOfReadingEndsTheJobAndTellsItsClass(Failure failure) {
    connector.onPoll = () -> failure.thrown;
    JobException thrown = failureOf(start(Optional.empty()));
    assertThat(thrown.code()).isEqualTo(failure.code);
    assertThat(thrown).hasMessageContaining("no such topic");
    assertThat(connector.closed.getCount()).isZero();
  }

  @Test
  void aTableThatCannotBeOpenedEndsTheJob() {
    connector.onOpen =
        () -> {
          throw new ConnectorException(ConnectorException.Kind.EXTERNAL, "refused");
        };
    JobException thrown = failureOf(start(Optional.empty()));
    assertThat(thrown.code()).isEqualTo(FailureCode.CONNECTION_FAILED);
    assertThat(thrown).hasMessage("refused");
  }

  @Test
  void outOfMemoryIsAFailureOfResourcesThatNamesTheRemedy() {
    JobException failure = JobException.of("reading", new OutOfMemoryError("Java heap space"));
    assertThat(failure.code().failureClass().exitCode()).isEqualTo(4);
    assertThat(failure).hasMessageContaining("SEDGE_HEAP");
  }

  @Test
  void stateBeyondItsBoundIsAFailureOfResourcesInTheOperatorsOwnWords() {
    JobException failure = JobException.of("reading", new CapacityException("join a smaller one"));
    assertThat(failure.code()).isEqualTo(FailureCode.STATE_TOO_LARGE);
    assertThat(failure.code().failureClass().exitCode()).isEqualTo(4);
    assertThat(failure).hasMessage("join a smaller one");
  }

  /** 100 divided by each number from 0 on. */
  private static Job quotients(Map<String, String> settings) {
    Job whole = job();
    Expression number = new Expression.Input(0, Type.BIGINT);
    Expression.Call quotient =
        new Expression.Call(
            "/",
            List.of(new Expression.Literal(100L, Type.BIGINT), number),
            Type.BIGINT,
            new Expression.Place(2, 8));
    PlanNode scan = new PlanNode.Scan("numbers", FakeConnector.SCHEMA);
    return new Job(
        whole.name(),
        settings,
        List.of(),
        whole.sources(),
        whole.sinks(),
        new Plan(
            List.of(
                new Plan.SinkNode(
                    "out", new PlanNode.Project(scan, List.of(quotient), FakeConnector.SCHEMA)))),
        BuiltinFunctions.registry(ZoneOffset.UTC, InstantSource.system()),
        whole.aggregates());
  }

  @Test
  void aRowThatAnExpressionFailsForIsLeftOutCountedAndSaidWithItsPlace() throws Exception {
    connector.total = 250;
    JobCounters counters =
        start(JobStart.of(quotients(Map.of())), Optional.empty(), PATIENCE).await();
    assertThat(connector.written).hasValue(249);
    assertThat(counters.readings()).isEqualTo(250);
    assertThat(counters.malformed()).as("with the malformed payload").isEqualTo(2);
    assertThat(counters.sources().get("numbers").malformed()).isEqualTo(2);
    assertThat(reports)
        .anySatisfy(
            report ->
                assertThat(report)
                    .startsWith("table numbers: a row is left out: line 2:8: ")
                    .endsWith(": n=0"));
  }

  @Test
  void aRowThatAnExpressionFailsForEndsAJobThatSaysSo() {
    connector.total = 250;
    JobException thrown =
        failureOf(
            start(
                JobStart.of(quotients(Map.of(Job.ON_ROW_FAILURE, Job.FAIL))),
                Optional.empty(),
                PATIENCE));
    assertThat(thrown.code()).isEqualTo(FailureCode.EVALUATION_FAILED);
    assertThat(thrown)
        .hasMessageStartingWith("table numbers: line 2:8: ")
        .hasMessageContaining("n=0")
        .hasMessageEndingWith("SET 'sedge.on-row-failure' = 'skip' leaves such rows out");
  }

  /** A script that names the wrong format would else look like one with nothing to do. */
  @Test
  void aBoundedJobOfWhichNothingCouldBeReadFails() {
    connector.total = 40;
    connector.garbage = true;
    JobException thrown = failureOf(start(Optional.empty()));
    assertThat(thrown.code()).isEqualTo(FailureCode.NOTHING_READ);
    assertThat(thrown)
        .hasMessageContaining("all of it, 40 payloads or rows, is malformed")
        .hasMessageContaining("table numbers: no number");
    assertThat(connector.acknowledged).hasValue(40);
  }

  @Test
  void aBoundedJobWhoseEveryRowFailsInAnExpressionFails() {
    connector.total = 1;
    JobException thrown =
        failureOf(start(JobStart.of(quotients(Map.of())), Optional.empty(), PATIENCE));
    assertThat(thrown.code()).isEqualTo(FailureCode.NOTHING_READ);
  }

  /** A part of a file may be nothing but garbage where others are not. */
  @Test
  void aPartOfWhichNothingCouldBeReadDoesNotFail() throws Exception {
    connector.total = 40;
    connector.garbage = true;
    JobStart whole = JobStart.of(job());
    JobStart part =
        new JobStart(
            whole.job(),
            Map.of("numbers", "1"),
            whole.session(),
            whole.resume(),
            whole.numbers(),
            whole.commitLog(),
            whole.pace());
    assertThat(start(part, Optional.empty(), PATIENCE).await().malformed()).isEqualTo(40);
  }

  @Test
  void aRunningJobSaysThatNothingOfASourceCanBeReadUntilSomethingIs() throws Exception {
    connector.garbage = true;
    connector.available = 40;
    LocalJob job = start(Optional.empty());
    awaitCounters(
        job,
        counters ->
            counters
                .waits()
                .equals(
                    "table numbers: none of the last 40 payloads could be read, such as: no"
                        + " number"));
    connector.garbage = false;
    connector.available = 50;
    awaitCounters(job, counters -> counters.readings() > 0 && counters.waits().isEmpty());
    job.stop();
    job.await();
  }

  @Test
  void aRunningJobSaysThatNothingOfASinkCanBeWritten() throws Exception {
    Map<String, ConnectorContext> contexts = new ConcurrentHashMap<>();
    connector.onTable = (table, context) -> contexts.put(table.name(), context);
    connector.onWrite =
        batch -> {
          for (int row = 0; row < batch.rows(); row++) {
            contexts.get("out").unwritten("out", "row", new byte[0], "no place for it");
          }
        };
    connector.available = 40;
    LocalJob job = start(Optional.empty());
    awaitCounters(
        job,
        counters ->
            counters
                    .waits()
                    .equals(
                        "table out: none of its 40 rows could be written, such as: no place for it")
                && counters.rowsOut() == 0);
    connector.onWrite = _ -> {};
    connector.available = 50;
    awaitCounters(job, counters -> counters.rowsOut() > 0 && counters.waits().isEmpty());
    job.stop();
    assertThat(job.await().malformed()).isEqualTo(41);
  }

  private static void awaitCounters(LocalJob job, Predicate<JobCounters> condition) {
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!condition.test(job.counters()) && System.nanoTime() < deadline) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(job.counters()).matches(condition);
  }

  private static JobException failureOf(LocalJob job) {
    return catchThrowableOfType(JobException.class, job::await);
  }

  private void awaitRows() {
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (connector.written.get() < 1000 && System.nanoTime() < deadline) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(connector.written.get()).isGreaterThanOrEqualTo(1000);
  }

  private LocalJob start(Optional<Duration> duration) {
    return start(duration, PATIENCE);
  }

  private LocalJob start(Optional<Duration> duration, Duration timeout) {
    return start(JobStart.of(job()), duration, timeout);
  }

  /**
   * Starts a job.
   *
   * @param timeout to drain, and to close
   */
  private LocalJob start(JobStart start, Optional<Duration> duration, Duration timeout) {
    JobRunner runner =
        new JobRunner(Map.of("fake", connector), InstantSource.system(), System::nanoTime);
    return runner.start(
        start,
        new RunOptions(
            Path.of("."),
            Path.of("target"),
            FileAccess.EVERYTHING,
            Secrets.NONE,
            duration,
            timeout,
            timeout),
        (_, message) -> reports.add(message));
  }

  private static Job job() {
    TableDescriptor numbers = table("numbers");
    TableDescriptor out = table("out");
    PlanNode scan = new PlanNode.Scan("numbers", FakeConnector.SCHEMA);
    return new Job(
        "test",
        Map.of(),
        List.of(),
        Map.of("numbers", new Job.SourceTable(numbers, "fake", Optional.empty(), Optional.empty())),
        Map.of("out", new Job.SinkTable(out, "fake", false)),
        new Plan(List.of(new Plan.SinkNode("out", scan))),
        (_, _, _) -> Optional.empty(),
        _ -> Optional.empty());
  }

  private static TableDescriptor table(String name) {
    return new TableDescriptor(
        name, FakeConnector.SCHEMA, Map.of(), List.of(), List.of(), Map.of(), "test.sql:1");
  }
}
