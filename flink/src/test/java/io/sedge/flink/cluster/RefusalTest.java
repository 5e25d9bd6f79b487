package io.sedge.flink.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sedge.sql.SqlException;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Where the fault is that Flink finds: in a statement, a SET, an option of the command, in none.
 */
class RefusalTest {
  private static final FlinkScript SCRIPT =
      new FlinkScript(
          "plant",
          Map.of(
              "parallelism.default", new FlinkScript.Setting("x", 0),
              "table.exec.mini-batch.size", new FlinkScript.Setting("y", 3)),
          List.of(),
          List.of(),
          Set.of(),
          Set.of(),
          Set.of(),
          List.of());

  @Test
  void aValueOfTheCommandIsSaidWithItsOption() throws SqlException {
    JobException failure =
        Refusal.of("line 1: no: Could not parse value 'x' for key 'parallelism.default'.", SCRIPT);
    assertThat(failure)
        .hasMessage(
            "--set parallelism.default=x: Flink does not take this: no: Could not parse value 'x'"
                + " for key 'parallelism.default'.");
    assertThat(failure.code()).isEqualTo(FailureCode.USAGE);
  }

  /** Flink reads it when it plans a statement, in which there is no fault. */
  @Test
  void aValueOfTheScriptIsSaidWithTheLineOfItsSet() {
    SqlException failure =
        catchThrowableOfType(
            SqlException.class,
            () ->
                Refusal.of(
                    "the settings: Could not parse value 'y' for key 'table.exec.mini-batch.size'.",
                    SCRIPT));
    assertThat(failure.problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.line()).isEqualTo(3);
              assertThat(problem.message())
                  .startsWith("Flink does not take the settings: Could not parse value 'y'");
            });
  }

  @Test
  void whatIsAboutAllInsertsHasNoLine() throws SqlException {
    JobException failure =
        Refusal.of(
            "the inserts together: Could not find any factory for identifier 'jdbc' that", SCRIPT);
    assertThat(failure)
        .hasMessage(
            "Flink does not take the inserts together: Could not find any factory for identifier"
                + " 'jdbc' that; write nothing else, but give Flink's jar for 'jdbc' with --jar, or"
                + " put it into the cluster's lib directory");
    assertThat(failure.code()).isEqualTo(FailureCode.SCRIPT_NOT_ACCEPTED);
  }
}
