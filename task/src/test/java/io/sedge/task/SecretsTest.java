package io.sedge.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.sql.Job;
import io.sedge.task.testkit.FakeConnector;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A secret reaches the connector of the table that names it, and nobody else. */
@Timeout(120)
class SecretsTest {
  private static final String VALUE = "correct 2 horses";

  private final FakeConnector connector = new FakeConnector();
  private final List<String> reports = new CopyOnWriteArrayList<>();
  private final List<String> passwords = new CopyOnWriteArrayList<>();
  private final List<String> cleared = new CopyOnWriteArrayList<>();
  private final Job job =
      new Job(
          "test",
          Map.of(),
          List.of(),
          Map.of(
              "numbers",
              new Job.SourceTable(
                  table("numbers", "${secret:mqtt}"), "fake", Optional.empty(), Optional.empty())),
          Map.of("out", new Job.SinkTable(table("out", "a ${secret:mqtt} b"), "fake", false)),
          new Plan(
              List.of(
                  new Plan.SinkNode("out", new PlanNode.Scan("numbers", FakeConnector.SCHEMA)))),
          (_, _, _) -> Optional.empty(),
          _ -> Optional.empty());

  private static TableDescriptor table(String name, String password) {
    return new TableDescriptor(
        name,
        FakeConnector.SCHEMA,
        Map.of(),
        List.of(),
        List.of(),
        Map.of("password", password),
        "test.sql:1");
  }

  private LocalJob start(Secrets secrets) {
    connector.total = 3;
    connector.onTable =
        (table, context) -> {
          String password = String.valueOf(table.options().get("password"));
          passwords.add(password);
          cleared.add(context.withoutSecrets(password));
        };
    return new JobRunner(Map.of("fake", connector), InstantSource.system(), System::nanoTime)
        .start(
            job,
            RunOptions.in(Path.of(".")).withSecrets(secrets),
            (_, message) -> reports.add(message));
  }

  private static Secrets of(String value) {
    return _ -> value;
  }

  private static String stackTrace(Throwable thrown) {
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  @Test
  void theConnectorsOfBothTablesAreGivenItAndTheJobKeepsTheName() throws Exception {
    start(of(VALUE)).await();
    assertThat(passwords).containsExactlyInAnyOrder(VALUE, "a " + VALUE + " b");
    assertThat(job.toString()).contains("${secret:mqtt}").doesNotContain(VALUE);
  }

  @Test
  void aConnectorCanClearItOutOfWhatGoesIntoRows() throws Exception {
    start(of(VALUE)).await();
    assertThat(cleared).containsExactlyInAnyOrder("***", "a *** b");
  }

  @Test
  void oneThatIsMissingFailsTheJobByItsNameSoThatItIsTriedAgain() {
    JobException failure =
        catchThrowableOfType(JobException.class, () -> start(Secrets.NONE).await());
    assertThat(failure.code()).isEqualTo(FailureCode.SECRET_MISSING);
    assertThat(failure.code().failureClass()).isEqualTo(FailureClass.EXTERNAL);
    assertThat(failure).hasMessageContaining("mqtt");
  }

  @Test
  void aFailureThatQuotesItSaysStarsAndSoDoItsCauses() {
    connector.onPoll =
        () ->
            new ConnectorException(
                ConnectorException.Kind.EXTERNAL,
                "cannot log in",
                new IllegalStateException("refused: " + VALUE));
    JobException caused = catchThrowableOfType(JobException.class, () -> start(of(VALUE)).await());
    assertThat(caused).hasMessage("cannot log in");
    assertThat(stackTrace(caused)).doesNotContain(VALUE);
    connector.onPoll =
        () ->
            new ConnectorException(
                ConnectorException.Kind.EXTERNAL, "cannot log in with %s".formatted(VALUE));
    assertThatThrownBy(() -> start(of(VALUE)).await()).hasMessage("cannot log in with ***");
  }

  @Test
  void whatIsLeftOutSaysStarsWhereItIsCutToo() throws Exception {
    connector.reason = "no number 1 but " + VALUE;
    connector.payload = "x".repeat(395) + VALUE;
    LocalJob started = start(of(VALUE));
    started.await();
    assertThat(started.leftOut())
        .containsExactly(
            new LeftOut(
                "numbers",
                LeftOut.What.PAYLOAD,
                "no number # but ***",
                "no number 1 but ***",
                "x".repeat(395) + "***",
                1));
  }

  @Test
  void aReportThatQuotesItSaysStars() throws Exception {
    connector.reason = "no number but " + VALUE;
    start(of(VALUE)).await();
    assertThat(reports).anyMatch(report -> report.contains("no number but ***"));
    assertThat(reports).noneMatch(report -> report.contains(VALUE));
  }
}
