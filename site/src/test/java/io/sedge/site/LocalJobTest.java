package io.sedge.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.expression.EvaluationException;
import io.sedge.engine.operator.CapacityException;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.sql.Job;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs in their thread, from opening to the end. */
@Timeout(60)
class LocalJobTest {
  private final FakeConnector connector = new FakeConnector();
  private final ConcurrentLinkedQueue<String> reports = new ConcurrentLinkedQueue<>();

  @Test
  void aJobOverBoundedInputEndsWhenAllIsWrittenAndAcknowledged() throws Exception {
    connector.total = 12_345;
    JobCounters counters = start(Optional.empty()).await();
    assertThat(connector.written).hasValue(12_345);
    assertThat(connector.acknowledged).hasValue(12_345);
    assertThat(connector.closed).isTrue();
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
  void aJobWithADurationStopsByItself() throws Exception {
    JobCounters counters = start(Optional.of(Duration.ofMillis(50))).await();
    assertThat(counters.elapsed()).isGreaterThanOrEqualTo(Duration.ofMillis(50));
    assertThat(connector.acknowledged).hasValue(counters.readings());
  }

  @Test
  void aSinkThatIsStuckIsNotWaitedForForEver() throws Exception {
    connector.sinkFull = true;
    assertThat(start(Optional.of(Duration.ofMillis(20))).await().rowsOut()).isZero();
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
    assertThat(connector.closed).isTrue();
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

  private static JobException failureOf(LocalJob job) {
    return catchThrowableOfType(JobException.class, job::await);
  }

  private void awaitRows() {
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (connector.written.get() < 1000 && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertThat(connector.written.get()).isGreaterThanOrEqualTo(1000);
  }

  private LocalJob start(Optional<Duration> duration) {
    JobRunner runner =
        new JobRunner(Map.of("fake", connector), InstantSource.system(), System::nanoTime);
    return runner.start(
        job(),
        new RunOptions(Path.of("."), duration, Duration.ofMillis(100)),
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
